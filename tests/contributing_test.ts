// What CONTRIBUTING.md says about the sources and the tasks is so.
import { deepStrictEqual, ok } from "node:assert/strict";

const ROOT = decodeURIComponent(new URL("..", import.meta.url).pathname);
const TEXT = await Deno.readTextFile(`${ROOT}CONTRIBUTING.md`);

async function folders(path: string): Promise<string[]> {
  const entries = await Array.fromAsync(Deno.readDir(`${ROOT}${path}`));
  return entries.filter((entry) => entry.isDirectory).map((entry) => `${path}${entry.name}/`).sort();
}

Deno.test("the map names every folder of the sources, and no other", async () => {
  const [, map] = TEXT.split("## The map");
  const named = map.match(/\bsrc\/\w+\//g)!;
  deepStrictEqual([...new Set(named)].sort(), await folders("src/"));
});

Deno.test("tasks and files that are named exist", async () => {
  const { tasks } = JSON.parse(await Deno.readTextFile(`${ROOT}deno.json`));
  for (const [, task] of TEXT.matchAll(/deno task ([\w-]+)/g)) ok(task in tasks, `there is no task ${task}`);
  for (const [, path] of TEXT.matchAll(/[` ]((?:src|tests|\.github)\/[\w/.]*\w)/g)) {
    ok(await Deno.stat(`${ROOT}${path}`).then(() => true, () => false), `there is no ${path}`);
  }
});

Deno.test("the example of a single test finds one", async () => {
  const [, file, filter] = /deno test -A (tests\/\S+) --filter (\w+)/.exec(TEXT)!;
  ok((await Deno.readTextFile(`${ROOT}${file}`)).includes(filter));
});
