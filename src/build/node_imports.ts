// Finds what would load Deno's Node layer. Pure.

const IMPORT = /(?:\bfrom\s*|\bimport\s*\(?\s*|\brequire\s*\(\s*)["'`](node:[\w/]+)["'`]/g;

/** The `node:` modules that a text of JavaScript or TypeScript imports, each once. */
export function findNodeImports(script: string): string[] {
  return [...new Set([...script.matchAll(IMPORT)].map((found) => found[1]))];
}
