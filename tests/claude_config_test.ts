import assert from "node:assert/strict";
import { configDir } from "../src/claude/config.ts";

Deno.test("configDir() is the variable as a user may have written it, else ~/.claude", () => {
  const cases: [string | null | undefined, string][] = [
    [null, "/home/u/.claude"],
    [undefined, "/home/u/.claude"],
    ["", "/home/u/.claude"],
    ["  ", "/home/u/.claude"],
    ["/x", "/x"],
    [" /x \n", "/x"],
    ["/x//", "/x"],
    ["/", "/"],
    ["~", "/home/u"],
    ["~/c", "/home/u/c"],
    ["c/d", "/base/c/d"],
    ["./c", "/base/c"],
    ["/a b/é", "/a b/é"],
  ];
  for (const [value, path] of cases) assert.equal(configDir(value, "/home/u", "/base"), path, String(value));
  assert.equal(configDir("c", "/home/u"), "/home/u/c");
});
