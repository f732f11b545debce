// The revival ladder and the walk through a binding's ids, as tables.
import { deepStrictEqual } from "node:assert/strict";
import type { Binding, SessionId } from "../src/binding.ts";
import { formatAge, formatOld } from "../src/ladder/age.ts";
import { nearbyFolders } from "../src/ladder/folder.ts";
import { type Offer, offer, type OfferFacts } from "../src/ladder/offer.ts";
import { type Alive, pick, type TranscriptState } from "../src/ladder/pick.ts";
import { bindingOf, id, lineOf } from "./helpers/facts.ts";

const [A, B, C] = ["a", "b", "c"].map(id);
const facts = (more: Partial<OfferFacts>): OfferFacts => ({
  cwd: "/work",
  binding: null,
  restorable: null,
  journal: [],
  taken: () => false,
  owns: () => true,
  ...more,
});

const OFFERS: [string, Partial<OfferFacts>, [Offer["rung"], boolean, SessionId | null]][] = [
  ["the stamp is exact", { binding: bindingOf(A) }, ["stamp", true, A]],
  ["the stamp comes before everything else", { binding: bindingOf(A), restorable: bindingOf(B) }, [
    "stamp",
    true,
    A,
  ]],
  [
    "a stamp put back from the journal is no certainty",
    { binding: bindingOf(A, { restored_from: "journal" }) },
    ["journal", false, A],
  ],
  ["what a restore would put back is exact", { restorable: bindingOf(A) }, ["manifest", true, A]],
  ["a record that another pane holds by now is not offered", {
    restorable: bindingOf(A),
    taken: (one) => one === A,
  }, ["nothing", false, null]],
  [
    "what the journal saw in that pane after the save is called so",
    { restorable: bindingOf(B, { restored_from: "journal" }) },
    ["journal", false, B],
  ],
  ["the newest of the folder is a guess", { journal: [lineOf(A), lineOf(B)] }, ["folder", false, B]],
  ["of the folder only what can be resumed", { journal: [lineOf(A), lineOf(B)], owns: (one) => one === A }, [
    "folder",
    false,
    A,
  ]],
  ["of the folder nothing that another pane holds", {
    journal: [lineOf(A), lineOf(B)],
    taken: (one) => one === B,
  }, ["folder", false, A]],
  [
    "a teammate's conversation is never offered",
    {
      journal: [
        lineOf(B, { claude: { pid: 1, started: "", version: null, kind: "teammate", wrapper: null } }),
      ],
    },
    ["nothing", false, null],
  ],
  ["nothing of another folder", { journal: [lineOf(A, { cwd: "/else" })] }, ["nothing", false, null]],
];

for (const [says, more, wants] of OFFERS) {
  Deno.test(`offer(): ${says}`, () => {
    const { rung, exact, binding } = offer(facts(more));
    deepStrictEqual([rung, exact, binding?.session_id ?? null], wants);
  });
}

interface PickCase {
  says: string;
  binding: Binding;
  transcripts?: Partial<Record<SessionId, TranscriptState>>;
  alive?: Partial<Record<SessionId, Alive>>;
  force?: boolean;
  wants: [string, SessionId | null];
}

const IN_PANE: Alive = { where: "pane", pane_id: "%7", address: "s:1.0" };
const PICKS: PickCase[] = [
  { says: "the current id", binding: bindingOf(A), transcripts: { [A]: "present" }, wants: ["resume", A] },
  {
    says: "an id before /clear when the current one owns no transcript",
    binding: bindingOf(A, { chain: [B, C] }),
    transcripts: { [C]: "present" },
    wants: ["resume", C],
  },
  {
    says: "a later conversation of the pane first",
    binding: bindingOf(A, { candidate: bindingOf(B) }),
    transcripts: { [A]: "present", [B]: "present" },
    wants: ["resume", B],
  },
  {
    says: "not a throw-away id",
    binding: bindingOf(A, { candidate: bindingOf(B) }),
    transcripts: { [A]: "present" },
    wants: ["resume", A],
  },
  { says: "nothing to resume when nobody prompted", binding: bindingOf(A), wants: ["fresh", null] },
  {
    says: "a title alone cannot be resumed",
    binding: bindingOf(A),
    transcripts: { [A]: "empty" },
    wants: ["fresh", null],
  },
  {
    says: "gone when it was seen before",
    binding: bindingOf(A, { transcript: "/t" }),
    wants: ["gone", null],
  },
  {
    says: "fresh when its transcript is there and holds no message",
    binding: bindingOf(A, { transcript: "/t" }),
    transcripts: { [A]: "empty" },
    wants: ["fresh", null],
  },
  {
    says: "unreadable is not gone",
    binding: bindingOf(A),
    transcripts: { [A]: "unknown" },
    wants: ["unknown", A],
  },
  {
    says: "alive elsewhere is refused",
    binding: bindingOf(A),
    transcripts: { [A]: "present" },
    alive: { [A]: IN_PANE },
    wants: ["alive", A],
  },
  {
    says: "alive elsewhere, forced",
    binding: bindingOf(A),
    transcripts: { [A]: "present" },
    alive: { [A]: IN_PANE },
    force: true,
    wants: ["resume", A],
  },
];

for (const { says, binding, transcripts = {}, alive = {}, force = false, wants } of PICKS) {
  Deno.test(`pick(): ${says}`, () => {
    const got = pick(binding, (one) => transcripts[one] ?? "missing", (one) => alive[one] ?? null, { force });
    deepStrictEqual([got.can, "id" in got ? got.id : null], wants);
  });
}

Deno.test("formatAge() counts in the largest unit, and a clock that jumped is no age", () => {
  const ages = [-5, 999, 1_000, 59_999, 60_000, 3_600_000, 86_400_000 * 3];
  deepStrictEqual(ages.map(formatAge), ["just now", "just now", "1 s", "59 s", "1 min", "1 h", "3 d"]);
  deepStrictEqual(formatAge(NaN), "unknown");
  deepStrictEqual([NaN, -5, 7_200_000].map(formatOld), ["of unknown age", "just now", "2 h old"]);
});

Deno.test("nearbyFolders() tries the repository of a removed worktree first", () => {
  deepStrictEqual(nearbyFolders("/r/p/.claude/worktrees/w1"), [
    "/r/p",
    "/r/p/.claude/worktrees",
    "/r/p/.claude",
    "/r",
  ]);
  deepStrictEqual(nearbyFolders("/a/b"), ["/a"]);
});
