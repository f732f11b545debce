// What `deno task coverage` makes of the profiles and of Deno's table.
import { deepStrictEqual } from "node:assert/strict";
import { keepDistinct } from "./coverage/profiles.ts";
import { parseSummary, shortfalls } from "./coverage/summary.ts";

const TABLE = `| File                       | Branch % | Function % | Line % |
| -------------------------- | -------- | ---------- | ------ |
| policy/match.ts            |     89.7 |      100.0 |  100.0 |
| ladder/age.ts              |     87.5 |      100.0 |   92.3 |
| tmux/menu.ts               |     50.0 |       50.0 |   12.9 |
| All files                  |     77.4 |       81.8 |   89.9 |
`;

Deno.test("the lines of each file are read from Deno's table", () => {
  deepStrictEqual(parseSummary(TABLE), [
    { path: "src/policy/match.ts", lines: 100 },
    { path: "src/ladder/age.ts", lines: 92.3 },
    { path: "src/tmux/menu.ts", lines: 12.9 },
    { path: "All files", lines: 89.9 },
  ]);
});

Deno.test("a pure file that is not reached whole falls short, and so does the sum; without a sum nothing is proven", () => {
  const least = { pure: 100, all: 90 };
  deepStrictEqual(shortfalls(parseSummary(TABLE), ["src/policy/", "src/ladder/"], least), [
    "src/ladder/age.ts: 92.3 % of its lines, 100 % wanted",
    "All files: 89.9 % of its lines, 90 % wanted",
  ]);
  deepStrictEqual(shortfalls([], [], least), ["there is no sum of all files"]);
});

Deno.test("profiles that went the same ways count once, however often they went there", async () => {
  const folder = await Deno.makeTempDir();
  const profile = (name: string, url: string, counts: number[]) => {
    const ranges = counts.map((count, index) => ({ startOffset: index, endOffset: index + 1, count }));
    const functions = [{ functionName: "", ranges, isBlockCoverage: true }];
    return Deno.writeTextFile(`${folder}/${name}.json`, JSON.stringify({ scriptId: name, url, functions }));
  };
  await profile("a", "file:///x/src/path.ts", [1, 0]);
  await profile("b", "file:///x/src/path.ts", [7, 0]);
  await profile("c", "file:///x/src/path.ts", [7, 2]);
  await profile("d", "file:///x/tests/path_test.ts", [1, 1]);
  deepStrictEqual(await keepDistinct(folder, `${folder}/kept`), { kept: 2, all: 3 });
  await Deno.remove(folder, { recursive: true });
});
