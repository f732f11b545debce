// What a person is told, in one line of a status bar of 80 columns.
import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { type Deed, notice } from "../src/ladder/notice.ts";
import { MESSAGE_COLUMNS, shortEnd, shortPath } from "../src/ladder/short.ts";
import type { Offer } from "../src/ladder/offer.ts";
import { bindingOf, id } from "./helpers/facts.ts";

const HOME = "/home/u";
const FAR = `${HOME}/work/customer/${"deep/".repeat(20)}repo`;

interface Case {
  rung?: Offer["rung"];
  deed?: Deed;
  form?: "resume" | "fresh";
  earlier?: boolean;
  folder?: string;
  /** Minutes. */
  age?: number;
}

function say(
  { rung = "stamp", deed = "typed", form = "resume", earlier = false, folder, age = 180 }: Case,
): string {
  const offer = { rung, exact: rung === "stamp" || rung === "manifest", binding: bindingOf(id("a")) };
  const now = Date.parse(offer.binding.at) + age * 60_000;
  return notice(offer, { deed, form, earlier, folder: folder ?? null, now, home: HOME });
}

const SAID: [Case, string][] = [
  [{}, "typed: press Enter to resume"],
  [{ rung: "manifest" }, "typed: press Enter to resume"],
  [{ deed: "entered" }, "resuming the conversation"],
  [{ form: "fresh" }, "never prompted: press Enter for a new one"],
  [{ folder: `${HOME}/repo` }, "folder gone: press Enter to resume in ~/repo"],
  [{ earlier: true }, "nothing said since /clear: press Enter to resume"],
  [{ rung: "folder", age: 0 }, "matched by folder, just now: Enter if it is the one"],
  [{ rung: "folder" }, "matched by folder, 3 h old: Enter if it is the one"],
  [{ rung: "journal", age: 59 }, "recorded after the last save, 59 min old: Enter if it is the one"],
  [
    { rung: "journal", folder: FAR },
    "recorded after the last save, folder gone: Enter if it is the one",
  ],
  [{ deed: "respawned" }, "the pane was dead: started again"],
  [{ deed: "respawned", folder: `${HOME}/repo` }, "the pane was dead: started again in ~/repo"],
  [{ deed: "would-type" }, "would be typed"],
  [{ deed: "would-type", rung: "folder" }, "would be typed (matched by folder, 3 h old)"],
  [{ deed: "would-respawn" }, "the pane is dead: would be started again"],
];

for (const [told, wants] of SAID) {
  Deno.test(`notice(): ${wants}`, () => strictEqual(say(told), wants));
}

Deno.test("notice() fits 80 columns with the product's name, whatever comes together", () => {
  const long: string[] = [];
  for (const rung of ["stamp", "manifest", "journal", "folder"] as const) {
    for (const deed of ["typed", "entered", "respawned"] as const) {
      for (const form of ["resume", "fresh"] as const) {
        for (const folder of [undefined, FAR]) {
          const earlier = form === "resume" && folder === undefined;
          const text = say({ rung, deed, form, earlier, folder, age: 59 });
          if ([...text].length > MESSAGE_COLUMNS) long.push(text);
        }
      }
    }
  }
  deepStrictEqual(long, []);
});

Deno.test("shortPath() writes HOME as ~ and keeps the end of what is long", () => {
  strictEqual(shortPath("/home/u", HOME, 20), "~");
  strictEqual(shortPath("/home/u/a b", HOME, 20), "~/a b");
  strictEqual(shortPath("/home/user2/a", HOME, 20), "/home/user2/a");
  strictEqual(shortPath("/a/b", "", 20), "/a/b");
  const short = shortPath(FAR, HOME, 20);
  ok(short.startsWith("…") && short.endsWith("/repo") && [...short].length === 20, short);
  strictEqual(shortEnd("日本語フォルダ", 4), "…ォルダ");
});
