// Stamp, registry and transcripts asked together, as a table.
import { deepStrictEqual } from "node:assert/strict";
import type { ClaudeProcess, SessionId } from "../src/binding.ts";
import { choose, type Witnesses } from "../src/identity/choose.ts";
import { bindingOf, id, TIME } from "./helpers/facts.ts";

const [A, B] = ["a", "b"].map(id);
const P: ClaudeProcess = { pid: 5, started: "9", version: "2.1.332", kind: "interactive", wrapper: null };
const entry = (
  session_id: SessionId,
  updated: number | null = Date.parse(TIME) + 1_000,
  name: string | null = null,
) => ({
  session_id,
  cwd: "/work",
  name,
  updated,
});

const facts = (more: Partial<Witnesses>): Witnesses => ({
  stamp: null,
  live: null,
  registry: null,
  configDir: null,
  arguments: [],
  at: "2026-01-01T02:00:00.000Z",
  owns: () => false,
  ...more,
});

/** Session, chain, candidate. */
const CASES: [string, Partial<Witnesses>, [SessionId | null, SessionId[], SessionId | null]][] = [
  ["nothing is nothing", {}, [null, [], null]],
  ["a stamp alone", { stamp: bindingOf(A) }, [A, [], null]],
  ["a candidate that owns a transcript by now", {
    stamp: bindingOf(A, { candidate: bindingOf(B) }),
    owns: (one) => one === B,
  }, [B, [], null]],
  ["a candidate that owns none", { stamp: bindingOf(A, { candidate: bindingOf(B) }) }, [A, [], B]],
  ["stamp and registry agree", { stamp: bindingOf(A), live: P, registry: entry(A) }, [A, [], null]],
  ["the registry alone", { live: P, registry: entry(A) }, [A, [], null]],
  ["a Claude without any witness", { live: P }, [null, [], null]],
  [
    "the registry follows a /clear that fired no event",
    { stamp: bindingOf(A, { claude: P }), live: P, registry: entry(B), owns: (one) => one === B },
    [B, [A], null],
  ],
  [
    "a stamp newer than the registry stays",
    {
      stamp: bindingOf(B, { claude: P }),
      live: P,
      registry: entry(A, Date.parse(TIME) - 1_000),
      owns: () => true,
    },
    [B, [], null],
  ],
  [
    "another process with a transcript of its own has no lineage",
    { stamp: bindingOf(A), live: P, registry: entry(B), owns: () => true },
    [B, [], null],
  ],
  [
    "another process that nobody prompted is a candidate",
    { stamp: bindingOf(A), live: P, registry: entry(B), owns: (one) => one === A },
    [A, [], B],
  ],
  [
    "claude -p typed in the pane says nothing of the pane",
    { stamp: bindingOf(A), live: { ...P, kind: "headless" }, registry: entry(B), owns: () => true },
    [A, [], null],
  ],
];

for (const [says, more, wants] of CASES) {
  Deno.test(`choose(): ${says}`, () => {
    const { binding } = choose(facts(more));
    deepStrictEqual([
      binding?.session_id ?? null,
      binding?.chain ?? [],
      binding?.candidate?.session_id ?? null,
    ], wants);
  });
}

Deno.test("choose() takes a name a person gave from the registry into the history", () => {
  const { binding } = choose(facts({ stamp: bindingOf(A), live: P, registry: entry(A, null, "login") }));
  deepStrictEqual(binding?.names.map(({ name }) => name), ["login"]);
});

/** What a Claude that runs again, and whose hook told nothing, makes of what was written down of its last life. */
const STALE = {
  state: "exited",
  reason: "prompt_input_exit",
  restored_from: "journal",
  arguments: ["--model=opus"],
  config_dir: "/old",
} as const;
const AGAIN = {
  state: "running",
  reason: null,
  restored_from: null,
  arguments: ["--verbose"],
  config_dir: "/c",
};

for (const where of ["stamp", "candidate"] as const) {
  Deno.test(`choose(): a live Claude runs as it was started now, whatever the ${where} says`, () => {
    const stale = { ...bindingOf(B), ...STALE, arguments: [...STALE.arguments], claude: { ...P, pid: 4 } };
    const stamp = where === "stamp" ? stale : bindingOf(A, { candidate: stale });
    const { binding } = choose(facts({
      stamp,
      live: P,
      registry: entry(B),
      configDir: "/c",
      arguments: ["--verbose"],
      owns: (one) => one === B,
    }));
    deepStrictEqual(binding, { ...bindingOf(B), ...AGAIN, claude: P });
  });
}
