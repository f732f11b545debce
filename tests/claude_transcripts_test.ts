// Conversations on disk, whole and broken: found by id, judged from their ends, never waited for.
import assert from "node:assert/strict";
import { sessionId } from "../src/binding.ts";
import { listTranscripts, titleIn, transcriptTitle } from "../src/claude/titles.ts";
import { findTranscript } from "../src/claude/transcripts.ts";
import { realFiles } from "../src/system/files.ts";

const system = { files: realFiles };
const A = sessionId("aaaaaaaa-1111-4111-8111-111111111111")!;
const B = sessionId("bbbbbbbb-2222-4222-8222-222222222222")!;

const USER = JSON.stringify({
  type: "user",
  message: { role: "user", content: "hi" },
  cwd: "/w",
  sessionId: A,
});
const custom = (customTitle: string) => JSON.stringify({ type: "custom-title", customTitle, sessionId: A });
const ai = (aiTitle: string) => JSON.stringify({ type: "ai-title", aiTitle, sessionId: A });
const summary = (text: string) => JSON.stringify({ type: "summary", summary: text, leafUuid: B });
const filler = (bytes: number) => JSON.stringify({ type: "attachment", text: "x".repeat(bytes) }) + "\n";

interface Config extends AsyncDisposable {
  root: string;
  write(project: string, name: string, text: string, modified?: number): string;
}

/** A config dir of its own. */
function makeConfig(): Config {
  const root = Deno.makeTempDirSync({ prefix: "tmuxclaude-" });
  return {
    root,
    write(project, name, text, modified) {
      const path = `${root}/projects/${project}/${name}`;
      Deno.mkdirSync(`${root}/projects/${project}`, { recursive: true });
      Deno.writeTextFileSync(path, text);
      if (modified !== undefined) Deno.utimeSync(path, modified, modified);
      return path;
    },
    [Symbol.asyncDispose]: () => Deno.remove(root, { recursive: true }),
  };
}

Deno.test("a transcript is found in whatever project folder it is, and only by its whole id", async () => {
  await using config = makeConfig();
  const path = config.write("-some-folder--nobody-would-compute", `${A}.jsonl`, USER);
  config.write("-w", `${B}.jsonl.bak`, USER);
  config.write("-w", `agent-${B}.jsonl`, USER);
  assert.deepEqual(findTranscript(system, config.root, A), { state: "present", path, reason: null });
  assert.deepEqual(findTranscript(system, config.root, B), { state: "missing", path: null, reason: null });
  assert.equal(findTranscript(system, `${config.root}/nowhere`, A).state, "missing");
});

const said = (content: string) => JSON.stringify({ type: "user", message: { role: "user", content } });
const command = (name: string) =>
  said(`<command-name>/${name}</command-name>\n<command-args></command-args>`);
const CAVEAT = said("<local-command-caveat>The command below was run directly");
const OUTPUT = said("<local-command-stdout>Bye!</local-command-stdout>");

Deno.test("a conversation with messages is told from one that has none", async () => {
  await using config = makeConfig();
  const cases: [string, string][] = [
    ["present", `${summary("x")}\n${custom("y")}\n${USER}\n`],
    ["present", USER.replace('"type":"user"', '"type" : "user"')],
    ["present", JSON.stringify({ type: "assistant", message: {} })],
    ["present", filler(200_000) + USER],
    ["present", filler(600_000) + USER + "\n"],
    ["present", filler(600_000) + filler(100_000)],
    ["empty", ""],
    ["empty", "\n"],
    ["empty", custom("x")],
    ["empty", `${custom('a "type":"user" title')}\n${ai("y")}`],
    ["empty", JSON.stringify({ type: "mode", mode: "normal" })],
    ["empty", filler(280_000)],
    ["empty", [CAVEAT, command("clear"), command("exit"), OUTPUT].join("\n")],
    ["present", [CAVEAT, command("clear"), OUTPUT, USER].join("\n")],
    ["present", [CAVEAT, command("rename"), OUTPUT].join("\n")],
    ["present", said("what does <command-name>/clear</command-name> mean?")],
    ["empty", "not json at all"],
  ];
  for (const [state, text] of cases) {
    config.write("-w", `${A}.jsonl`, text);
    assert.equal(findTranscript(system, config.root, A).state, state, text.slice(0, 80));
  }
});

Deno.test("the same id in two folders: the one with messages wins", async () => {
  await using config = makeConfig();
  config.write("-a", `${A}.jsonl`, custom("x"));
  const path = config.write("-b", `${A}.jsonl`, USER);
  assert.equal(findTranscript(system, config.root, A).path, path);
});

Deno.test("a folder, a pipe, a link to itself and a dangling link are no error and no wait", async () => {
  await using config = makeConfig();
  const path = config.write("-w", `${A}.jsonl`, "x");
  Deno.removeSync(path);
  const states: [() => unknown, string][] = [
    [() => Deno.mkdirSync(path), "unknown"],
    [() => new Deno.Command("mkfifo", { args: [path] }).outputSync(), "unknown"],
    [() => Deno.symlinkSync(path, path), "unknown"],
    [() => Deno.symlinkSync("/nowhere", path), "missing"],
  ];
  for (const [make, state] of states) {
    make();
    const found = findTranscript(system, config.root, A);
    assert.equal(found.state, state, make.toString());
    assert.equal(found.reason === null, state === "missing");
    assert.equal(transcriptTitle(system, path), null);
    Deno.removeSync(path, { recursive: true });
  }
});

Deno.test("what the system refuses to read is unknown, with the system's reason", () => {
  const refuse = (): never => {
    throw new Deno.errors.PermissionDenied("Permission denied (os error 13)");
  };
  const facts = { kind: "file" as const, size: 9, modified: 0, mode: 0, owner: 0, inode: 1 };
  const unreadable = { ...realFiles, list: () => ["-w"], stat: () => facts, open: refuse };
  assert.deepEqual(findTranscript({ files: unreadable }, "/c", A), {
    state: "unknown",
    path: `/c/projects/-w/${A}.jsonl`,
    reason: "Permission denied (os error 13)",
  });
  assert.equal(findTranscript({ files: { ...realFiles, list: refuse } }, "/c", A).state, "unknown");
  assert.equal(transcriptTitle({ files: unreadable }, "/c/x"), null);
  assert.deepEqual(listTranscripts({ files: { ...realFiles, list: refuse } }, "/c", { limit: 5 }), []);
});

Deno.test("a transcript of 500 MB costs a few bounded reads", async () => {
  await using config = makeConfig();
  const path = config.write("-w", `${A}.jsonl`, USER + "\n");
  Deno.truncateSync(path, 500_000_000);
  let bytes = 0;
  const counting = {
    ...realFiles,
    open(path: string, flags: { read?: boolean }) {
      const file = realFiles.open(path, flags);
      const read = (into: Uint8Array) => {
        const count = file.read(into);
        bytes += count;
        return count;
      };
      return { ...file, read, [Symbol.dispose]: () => file[Symbol.dispose]() };
    },
  };
  assert.equal(findTranscript({ files: counting }, config.root, A).state, "present");
  assert.equal(transcriptTitle({ files: counting }, path), null);
  assert.ok(bytes <= 700_000, `${bytes} bytes were read`);
});

Deno.test("finding costs one stat for each project folder, however many conversations there are", async () => {
  await using config = makeConfig();
  for (let project = 0; project < 7; project++) {
    for (let n = 0; n < 50; n++) config.write(`-p${project}`, `${crypto.randomUUID()}.jsonl`, USER);
  }
  config.write("-p3", `${A}.jsonl`, USER);
  const calls = { stat: 0, list: 0, open: 0 };
  const counted = {
    ...realFiles,
    stat: (path: string) => (calls.stat++, realFiles.stat(path)),
    list: (path: string) => (calls.list++, realFiles.list(path)),
    open: (path: string, flags: { read?: boolean }) => (calls.open++, realFiles.open(path, flags)),
  };
  assert.equal(findTranscript({ files: counted }, config.root, A).state, "present");
  assert.deepEqual(calls, { stat: 7, list: 1, open: 1 });
});

Deno.test("the title is the last custom one, else the last that Claude made", () => {
  const cases: [string[], [string, string] | null][] = [
    [[], null],
    [[USER], null],
    [[summary("s")], ["s", "summary"]],
    [[summary("s"), ai("a"), ai("b"), USER], ["b", "ai"]],
    [[custom("one"), ai("a"), custom("two"), summary("s")], ["two", "custom"]],
    [[custom("  padded ")], ["padded", "custom"]],
    [[custom(""), ai("a")], ["a", "ai"]],
    [[custom("cut").slice(5), ai("a")], ["a", "ai"]],
    [[custom("x").slice(0, -4)], null],
    [['{"type":"custom-title","customTitle":7}', "[]", "null", '"custom-title"'], null],
    [[custom("日本 🎉 `$(x)`")], ["日本 🎉 `$(x)`", "custom"]],
    [[JSON.stringify({ type: "user", message: { content: custom("quoted") } })], null],
  ];
  for (const [lines, expected] of cases) {
    const found = titleIn(lines.join("\n"));
    assert.deepEqual(found && [found.title, found.source], expected, lines.join("\n"));
  }
});

Deno.test("a title far from the end is found, one farther is not looked for", async () => {
  await using config = makeConfig();
  const read = (text: string) => transcriptTitle(system, config.write("-w", `${A}.jsonl`, text))?.title;
  assert.equal(read(custom("near") + "\n" + filler(1_000)), "near");
  assert.equal(read(custom("far") + "\n" + filler(200_000)), "far");
  assert.equal(read(custom("far") + "\n" + filler(100_000) + ai("near")), "far");
  assert.equal(read(custom("lost") + "\n" + filler(300_000)), undefined);
});

Deno.test("conversations of a folder come newest first, without those of a folder that is spelled alike", async () => {
  await using config = makeConfig();
  const in_ = (cwd: string) => USER.replace('"/w"', JSON.stringify(cwd));
  config.write("-a-b-c", `${A}.jsonl`, `${in_("/a/b c")}\n${custom("first")}\n`, 100);
  config.write("-a-b-c", `${B}.jsonl`, `${summary("s")}\n${in_("/a/b c")}\n`, 200);
  config.write("-a-b-c", `${crypto.randomUUID()}.jsonl`, in_("/a/b-c"), 300);
  config.write("-a-b-c", "agent-x.jsonl", in_("/a/b c"));
  config.write("-other", `${crypto.randomUUID()}.jsonl`, in_("/other"), 400);
  Deno.mkdirSync(`${config.root}/projects/-a-b-c/${crypto.randomUUID()}.jsonl`);
  const found = listTranscripts(system, config.root, { cwd: "/a/b c", limit: 10 });
  assert.deepEqual(found.map(({ id, title, cwd }) => [id, title?.title, cwd]), [
    [B, "s", "/a/b c"],
    [A, "first", "/a/b c"],
  ]);
  assert.equal(found[1].modified, 100_000);
  assert.equal(listTranscripts(system, config.root, { limit: 10 }).length, 4);
  assert.equal(listTranscripts(system, config.root, { limit: 2 }).length, 2);
});

Deno.test("a folder with a long name is found by what Claude keeps of it", async () => {
  await using config = makeConfig();
  const long = `/${"d".repeat(250)}`;
  config.write(`-${"d".repeat(199)}-abc123`, `${A}.jsonl`, USER.replace('"/w"', JSON.stringify(long)));
  assert.equal(listTranscripts(system, config.root, { cwd: long, limit: 5 }).length, 1);
});
