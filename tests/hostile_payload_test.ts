// Whatever comes in on the hook's stdin: exit 0, not a byte on stdout, nothing written but where it belongs (H1).
import assert from "node:assert/strict";
import { readFailures } from "../src/state/failures.ts";
import { BAD_EVENTS, GOOD } from "./fixtures/bad_events.ts";
import { checkEvent } from "./fixtures/checks.ts";
import { generateEvent } from "./fixtures/generated.ts";
import { filesBelow, systemFor } from "./fixtures/state_world.ts";
import { AWKWARD } from "./helpers/awkward.ts";
import { runHook } from "./helpers/in_process.ts";
import { claudePid, sessionOf, startClaude } from "./helpers/panes.ts";
import { programUnderTest } from "./helpers/run_bin.ts";
import { randomOf, seedOf } from "./helpers/seeded.ts";
import { startServer, type TmuxServer } from "./helpers/tmux_server.ts";

const AT_ONCE = 8;
const GENERATED = 100_000;

interface Fed {
  code: number;
  stdout: string;
  stderr: string;
}

/** The real hook with bytes on its stdin. */
async function feed(server: TmuxServer, env: Record<string, string>, bytes: Uint8Array): Promise<Fed> {
  const [program, ...args] = programUnderTest();
  const child = new Deno.Command(program, {
    args: [...args, "hook"],
    env,
    clearEnv: true,
    cwd: server.scratch.home,
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const writer = child.stdin.getWriter();
  const written = writer.write(bytes).then(() => writer.close()).catch(() => {});
  const { code, stdout, stderr } = await child.output();
  await written;
  return { code, stdout: text(stdout), stderr: text(stderr) };
}

const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

/** Does something with each of the list, a few at a time. */
async function inBatches<T, R>(list: T[], act: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (let from = 0; from < list.length; from += AT_ONCE) {
    results.push(...await Promise.all(list.slice(from, from + AT_ONCE).map(act)));
  }
  return results;
}

function stateOf(server: TmuxServer) {
  return systemFor({ TMUXCLAUDE_STATE_DIR: server.scratch.state });
}

/** Everything in the scratch folder that is not ours to write; Deno keeps compiled code in its cache. */
function foreign(server: TmuxServer): string[] {
  const { root, state } = server.scratch;
  const isOurs = (path: string) => path.startsWith(`${state}/`) || path.includes("/.cache/tmuxclaude/");
  return filesBelow(root).filter((name) => !isOurs(`${root}/${name}`));
}

Deno.test(`H1: ${BAD_EVENTS.length} payloads written by hand: exit 0, nothing said, nothing written but failures`, async () => {
  assert.ok(BAD_EVENTS.length >= 200);
  await using server = await startServer();
  const env = await server.paneEnv(await server.newSession());
  const before = foreign(server);
  const fed = await inBatches(BAD_EVENTS, ([, bytes]) => feed(server, env, bytes));
  fed.forEach(({ code, stdout, stderr }, index) =>
    assert.deepEqual([BAD_EVENTS[index][0], code, stdout, stderr], [BAD_EVENTS[index][0], 0, "", ""])
  );
  assert.deepEqual(foreign(server), before);
  assert.deepEqual(filesBelow(server.scratch.state).filter((name) => !name.startsWith("failures.jsonl")), []);
  const noted = readFailures(stateOf(server));
  assert.ok(noted.length >= 100 && noted.every(({ where }) => where === "hook"), `${noted.length} failures`);
});

/** What Claude never sends, in values that we take over. */
function hostileEvents(id: string): Record<string, unknown>[] {
  const base = { ...GOOD, session_id: id };
  return AWKWARD.flatMap((word) => [
    { ...base, cwd: `/${word}`, source: word, agent_type: word },
    { ...base, transcript_path: `/${word}.jsonl`, session_title: word },
    { ...base, hook_event_name: "SessionEnd", reason: word },
    { ...base, hook_event_name: "UserPromptSubmit", session_title: word, prompt: word },
  ]);
}

Deno.test("H1: hostile folders, titles, sources and reasons of the pane's own Claude are recorded as they are, silently", async () => {
  await using server = await startServer();
  const pane = await server.newSession();
  await startClaude(server, pane);
  const [env, claude, id] = [
    await server.paneEnv(pane),
    await claudePid(server, pane),
    await sessionOf(server, pane),
  ];
  const before = foreign(server);
  for (const event of hostileEvents(id)) {
    const { stdout, stderr } = await runHook(env, claude, JSON.stringify(event));
    assert.deepEqual([event, stdout, stderr], [event, "", ""]);
    const stamp = JSON.parse(await server.run("show-options", "-pv", "-t", pane, "@tmuxclaude_binding"));
    assert.equal(stamp.session_id, id);
    if (event.hook_event_name === "SessionStart") assert.equal(stamp.cwd, event.cwd);
  }
  assert.deepEqual(foreign(server), before);
  assert.deepEqual(readFailures(stateOf(server)), []);
});

Deno.test(`H1: ${GENERATED} generated payloads: never an error, and only known fields of the right type come out`, () => {
  const random = randomOf(seedOf(41));
  let accepted = 0;
  for (let n = 0; n < GENERATED; n++) {
    const bytes = generateEvent(random);
    if (checkEvent(bytes, () => `SEED=${random.seed}, payload ${n}: ${text(bytes)}`)) accepted++;
  }
  assert.ok(accepted > GENERATED / 20 && accepted < GENERATED * 0.9, `${accepted} were accepted`);
});

const DOORS: [string, string][] = [
  ["stdin closed", "<&-"],
  ["stdin empty", "</dev/null"],
  ["stdin a folder", "</"],
  ["stdout closed", ">&-"],
  ["stdout full", ">/dev/full"],
  ["stderr closed", "2>&-"],
  ["all three closed", "<&- >&- 2>&-"],
];

for (const [says, redirection] of DOORS) {
  Deno.test(`H1: with ${says} the hook ends with 0 and says nothing`, async () => {
    await using server = await startServer();
    const env = await server.paneEnv(await server.newSession());
    const { code, stdout, stderr } = await new Deno.Command("sh", {
      args: [
        "-c",
        `printf '%s' "$1" | { "$2" hook ${redirection}; }`,
        "sh",
        JSON.stringify(GOOD),
        server.scratch.program,
      ],
      env,
      clearEnv: true,
    }).output();
    assert.deepEqual([code, text(stdout), text(stderr)], [0, "", ""]);
  });
}

Deno.test("H1: an event that comes byte by byte is read whole; one that never ends is given up", async () => {
  await using server = await startServer();
  const env = await server.paneEnv(await server.newSession());
  const run = async (script: string) => {
    const began = performance.now();
    const { code, stdout } = await new Deno.Command("bash", {
      args: ["-c", script, "bash", JSON.stringify({ ...GOOD, session_id: "no" }), server.scratch.program],
      env,
      clearEnv: true,
    }).output();
    assert.deepEqual([code, text(stdout)], [0, ""]);
    return performance.now() - began;
  };
  await run(`for ((i = 0; i < \${#1}; i++)); do printf %s "\${1:i:1}"; done | "$2" hook`);
  assert.match(readFailures(stateOf(server)).at(-1)!.reason, /session id/);
  const ms = await run(`"$2" hook < <(printf %s "\${1:0:20}"; exec sleep 20 2>/dev/null)`);
  assert.ok(ms < 15_000, `${ms} ms`);
  assert.match(readFailures(stateOf(server)).at(-1)!.reason, /not JSON/);
});
