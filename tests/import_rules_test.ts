// The shape of the sources: who may touch the outside world, and who may import whom. Every rule is a pure function
// over path and text, and proves on an example of its own that it can fail.
import assert from "node:assert/strict";
import { PURE } from "./helpers/pure_folders.ts";

type Sources = Record<string, string>;
type Rule = (sources: Sources) => string[];

interface Import {
  target: string;
  names: string;
  typeOnly: boolean;
}

/** Files that may break the length rule, each with its reason. */
const LONG_FILES: Record<string, string> = {};
const MAX_LINES = 200;
const ACTING = ["system", "tmux", "state", "claude"].map((name) => `src/${name}/`);
/** A function that takes one of these acts, whatever folder it is in. */
const WORLD = /\b(System|Files|Processes|OpenFile)\b/;
const FILE_CALLS =
  "open|create|readFile|readTextFile|writeFile|writeTextFile|readDir|readLink|realPath|mkdir|" +
  "remove|rename|copyFile|stat|lstat|chmod|chown|symlink|link|truncate|utime|makeTempDir|makeTempFile|chdir|cwd";

function withoutComments(text: string): string {
  return text.replace(/(^|\s)\/\*[\s\S]*?\*\//g, "$1").replace(/(^|\s)\/\/.*$/gm, "$1");
}

function isIn(path: string, ...places: string[]): boolean {
  return places.some((place) => path === place || (place.endsWith("/") && path.startsWith(place)));
}

/** A rule that forbids a pattern in all sources except in some places. */
function forbid(what: string, pattern: RegExp, allowed: string[]): Rule {
  return (sources) =>
    Object.entries(sources)
      .filter(([path]) => !isIn(path, ...allowed))
      .flatMap(([path, text]) =>
        [...withoutComments(text).matchAll(pattern)].map((found) => `${path}: ${what}: ${found[0].trim()}`)
      );
}

function resolve(from: string, specifier: string): string {
  if (!specifier.startsWith(".")) return specifier;
  const parts = from.split("/").slice(0, -1);
  for (const part of specifier.split("/")) {
    if (part === "..") parts.pop();
    else if (part !== ".") parts.push(part);
  }
  return parts.join("/");
}

function isTypeOnly(keyword: string, names: string): boolean {
  const listed = /^\s*\{([\s\S]*)\}\s*$/.exec(names)?.[1].split(",").map((name) => name.trim()).filter(
    Boolean,
  );
  return keyword.trim() === "type" || (listed?.every((name) => name.startsWith("type ")) ?? false);
}

/** What a file imports or re-exports, also dynamically. */
function importsOf(path: string, text: string): Import[] {
  const code = withoutComments(text);
  const stated = code.matchAll(/^(?:import|export)\s+(type\s+)?([^;"'()]*?)\s*\bfrom\s*["']([^"']+)["']/gm);
  const bare = code.matchAll(/\bimport\s*\(?\s*["']([^"']+)["']/g);
  return [
    ...[...stated].map(([, keyword = "", names, specifier]) => ({
      target: resolve(path, specifier),
      names,
      typeOnly: isTypeOnly(keyword, names),
    })),
    ...[...bare].map(([, specifier]) => ({ target: resolve(path, specifier), names: "", typeOnly: false })),
  ];
}

function valueTargets(sources: Sources, path: string): string[] {
  return importsOf(path, sources[path]).filter((it) => !it.typeOnly && it.target in sources).map((it) =>
    it.target
  );
}

function takesTheWorld(sources: Sources, path: string): boolean {
  return importsOf(path, sources[path]).some((it) => isIn(it.target, "src/system/") && WORLD.test(it.names));
}

/** Nothing in the file, nor in what it loads, runs or reads anything. */
function isPure(sources: Sources, path: string, seen = new Set<string>()): boolean {
  if (seen.has(path)) return true;
  seen.add(path);
  if (/\bDeno\.(?!build\b|errors\b)/.test(withoutComments(sources[path])) || takesTheWorld(sources, path)) {
    return false;
  }
  return valueTargets(sources, path).every((target) => isPure(sources, target, seen));
}

const pureFolders: Rule = (sources) =>
  Object.keys(sources).filter((path) => isIn(path, ...PURE)).flatMap((path) => [
    ...(takesTheWorld(sources, path) ? [`${path}: takes the outside world, so it does not decide only`] : []),
    ...valueTargets(sources, path)
      .filter((target) => isIn(target, ...ACTING) && !isPure(sources, target))
      .map((target) => `${path}: imports ${target}, which acts`),
  ]);

const commandsApart: Rule = (sources) =>
  Object.keys(sources).filter((path) => isIn(path, "src/commands/")).flatMap((path) =>
    importsOf(path, sources[path])
      .filter((it) => isIn(it.target, "src/commands/"))
      .map((it) => `${path}: imports the command ${it.target}`)
  );

const noCycles: Rule = (sources) => {
  const done = new Set<string>();
  const problems: string[] = [];
  const visit = (path: string, trail: string[]) => {
    if (trail.includes(path)) {
      problems.push(`import cycle: ${[...trail.slice(trail.indexOf(path)), path].join(" → ")}`);
    } else if (!done.has(path)) {
      for (const target of valueTargets(sources, path)) visit(target, [...trail, path]);
      done.add(path);
    }
  };
  for (const path of Object.keys(sources)) visit(path, []);
  return problems;
};

const shortFiles: Rule = (sources) =>
  Object.entries(sources)
    .filter(([path]) => path.startsWith("src/") && !(path in LONG_FILES))
    .map(([path, text]) => ({ path, lines: text.replace(/\n$/, "").split("\n").length }))
    .filter(({ lines }) => lines > MAX_LINES)
    .map(({ path, lines }) => `${path}: ${lines} lines, more than ${MAX_LINES}`);

interface Case {
  says: string;
  rule: Rule;
  breaks: Sources;
  /** How many problems the rule has to see in `breaks`. */
  finds: number;
  keeps: Sources;
}

const EDGES = ["src/system/", "src/build/", "main.ts"];
const CASES: Case[] = [
  {
    says: "only src/system/ starts child processes",
    rule: forbid("starts a process", /\bDeno\.Command\b/g, ["src/system/", "src/build/"]),
    breaks: { "src/tmux/a.ts": 'new Deno.Command("ls")' },
    finds: 1,
    keeps: { "src/system/a.ts": 'new Deno.Command("ls")', "src/tmux/b.ts": "// Deno.Command is not ours" },
  },
  {
    says: "only src/tmux/ runs tmux",
    rule: forbid("runs tmux", /\b(?:\w*[rR]un\w*|spawn\w*|Command)\(\s*["'`]tmux["'`]/g, ["src/tmux/"]),
    breaks: { "src/commands/a.ts": 'await system.run(\n  "tmux", ["ls"])' },
    finds: 1,
    keeps: { "src/tmux/a.ts": 'system.run("tmux")', "src/doctor/b.ts": 'group("tmux")' },
  },
  {
    says: "only the edges read the environment and the clock, and end the program",
    rule: forbid(
      "reads the world",
      /\bDeno\.(?:env|exit)\b|\bDate\.now\b|\bnew Date\(\s*\)|\bperformance\.now\b/g,
      EDGES,
    ),
    breaks: { "src/state/a.ts": "const now = new Date();", "src/cli/b.ts": "Deno.exit(1)" },
    finds: 2,
    keeps: { "main.ts": "Deno.exit(1)", "src/state/a.ts": "new Date(now).toISOString()" },
  },
  {
    says: "only the edges call Deno's file functions",
    rule: forbid("touches files", new RegExp(String.raw`\bDeno\.(?:${FILE_CALLS})(?:Sync)?\b`, "g"), EDGES),
    breaks: { "src/state/a.ts": "Deno.readTextFileSync(path)" },
    finds: 1,
    keeps: { "src/system/a.ts": "Deno.openSync(path)", "src/state/a.ts": "system.files.open(path)" },
  },
  {
    says: "a command imports no other command",
    rule: commandsApart,
    breaks: { "src/commands/a.ts": 'import { b } from "./b.ts";' },
    finds: 1,
    keeps: { "src/commands/a.ts": 'import { run } from "../tmux/client.ts";' },
  },
  {
    says: "folders that decide import nothing that acts",
    rule: pureFolders,
    breaks: {
      "src/ladder/a.ts":
        'import { read } from "../state/journal.ts";\nimport {\n  x,\n} from "../tmux/b.ts";',
      "src/state/journal.ts": 'import type { System } from "../system/system.ts";',
      "src/tmux/b.ts": 'import { c } from "../x/c.ts";',
      "src/x/c.ts": "Deno.stdin.readSync(b)",
      "src/policy/d.ts": 'import type { System } from "../system/system.ts";',
    },
    finds: 3,
    keeps: {
      "src/ladder/a.ts":
        'import type { Row } from "../state/journal.ts";\nimport { same } from "../claude/id.ts";',
      "src/state/journal.ts": 'import type { System } from "../system/system.ts";',
      "src/claude/id.ts": 'import { type Process } from "../system/system.ts";',
    },
  },
  {
    says: "imports form no cycle",
    rule: noCycles,
    breaks: {
      "src/a.ts": 'import "./b.ts";',
      "src/b.ts": 'export * from "./c.ts";',
      "src/c.ts": 'import("./a.ts")',
    },
    finds: 1,
    keeps: { "src/a.ts": 'import type { B } from "./b.ts";', "src/b.ts": 'import { a } from "./a.ts";' },
  },
  {
    says: "what ships does not wake Deno's Node layer",
    rule: forbid(
      "is Node's",
      /["'`]node:\w+|\bprocess\??\.(?:argv|env|exit|stdin|stdout|stderr|nextTick|hrtime|versions?)\b|\bBuffer\.|\bsetImmediate\(/g,
      ["src/build/"],
    ),
    breaks: { "src/a.ts": 'import { join } from "node:path";', "src/b.ts": "process.env.HOME" },
    finds: 2,
    keeps: { "src/a.ts": "const process = read(1); process.pid" },
  },
  {
    says: `no file is longer than ${MAX_LINES} lines`,
    rule: shortFiles,
    breaks: { "src/a.ts": "x\n".repeat(201) },
    finds: 1,
    keeps: { "src/a.ts": "x\n".repeat(200) },
  },
  {
    says: "the project stands alone",
    rule: forbid("points outside", new RegExp(`(?:/work|\\.\\.)/${"sha" + "red"}/(?!\\w+\\.ts)`, "g"), []),
    breaks: { "src/a.ts": `read("../${"sha" + "red"}/x.md")` },
    finds: 1,
    keeps: { "src/a.ts": "a shared thing" },
  },
];

async function readTree(folder: string, wanted: RegExp, into: Sources = {}): Promise<Sources> {
  for await (const entry of Deno.readDir(new URL(folder || ".", ROOT))) {
    const path = folder + entry.name;
    if (entry.isDirectory && !/^(\.git|dist|node_modules)$/.test(entry.name)) {
      await readTree(`${path}/`, wanted, into);
    } else if (entry.isFile && wanted.test(entry.name)) {
      into[path] = await Deno.readTextFile(new URL(path, ROOT));
    }
  }
  return into;
}

const ROOT = new URL("..", import.meta.url);
const everything = await readTree("", /\.(ts|sh|md|json|yml|conf|txt)$|^run$/);
const shipped = Object.fromEntries(
  Object.entries(everything).filter(([path]) => /^(src\/.*|main)\.ts$/.test(path)),
);

for (const { says, rule, breaks, finds, keeps } of CASES) {
  Deno.test(`sources: ${says}`, () => {
    const wide = says === "the project stands alone";
    assert.deepEqual(rule(wide ? everything : shipped), []);
  });
  Deno.test(`the rule "${says}" can fail, and spares what is fine`, () => {
    assert.equal(rule(breaks).length, finds);
    assert.deepEqual(rule(keeps), []);
  });
}
