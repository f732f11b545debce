// What is installed on this machine.

/** Whether a program is on a PATH, the caller's if none is given. */
export function hasProgram(name: string, path = Deno.env.get("PATH") ?? ""): boolean {
  return path.split(":").some((folder) => {
    try {
      return Deno.statSync(`${folder}/${name}`).isFile;
    } catch {
      return false;
    }
  });
}

/** For builds: a scratch HOME has no npm packages, so the caller's are used, or fetched as the caller would. */
export function buildEnvironment(): Record<string, string> {
  const caches = Deno.env.get("XDG_CACHE_HOME") ?? `${Deno.env.get("HOME")}/.cache`;
  return {
    DENO_DIR: Deno.env.get("DENO_DIR") ?? `${caches}/deno`,
    DENO_TLS_CA_STORE: Deno.env.get("DENO_TLS_CA_STORE") ?? "mozilla,system",
  };
}

/** Fills a folder with links to all that is on the caller's PATH, but for some programs. For use as the whole PATH. */
export async function linkProgramsWithout(folder: string, missing: string[]): Promise<void> {
  await Deno.mkdir(folder, { recursive: true });
  for (const place of (Deno.env.get("PATH") ?? "").split(":").reverse()) {
    for await (const { name } of Deno.readDir(place)) {
      if (missing.includes(name)) continue;
      await Deno.remove(`${folder}/${name}`).catch(() => {});
      await Deno.symlink(`${place}/${name}`, `${folder}/${name}`);
    }
  }
}
