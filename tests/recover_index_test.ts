// All transcripts at once: read from their ends, whatever state they are in, and in little memory.
import assert from "node:assert/strict";
import { sessionId } from "../src/binding.ts";
import { type IndexedTranscript, indexNearby, indexTranscripts } from "../src/claude/transcript_index.ts";
import { realFiles } from "../src/system/files.ts";

const system = { files: realFiles };
const ID = sessionId("aaaaaaaa-1111-4111-8111-111111111111")!;
const OTHER = sessionId("bbbbbbbb-2222-4222-8222-222222222222")!;
const ALL = { limit: 10_000 };

interface LineFacts {
  type?: string;
  cwd?: string;
  at?: string;
  entrypoint?: string;
  text?: string;
}

function message(
  { type = "user", cwd = "/w", at = "2026-09-27T10:00:00.000Z", entrypoint = "cli", text = "hi" }: LineFacts =
    {},
) {
  const fields = { parentUuid: null, isSidechain: false, type, message: { role: type, content: text } };
  return JSON.stringify({ ...fields, timestamp: at, userType: "external", entrypoint, cwd, sessionId: ID }) +
    "\n";
}

const title = (customTitle: string) =>
  JSON.stringify({ type: "custom-title", customTitle, sessionId: ID }) + "\n";
const blob = (bytes: number) => JSON.stringify({ type: "api-request-blob", data: "x".repeat(bytes) }) + "\n";

interface Config extends AsyncDisposable {
  root: string;
  write(project: string, name: string, text: string): void;
  only(text: string): IndexedTranscript | null;
}

function makeConfig(): Config {
  const root = Deno.makeTempDirSync({ prefix: "tmuxclaude-" });
  const write = (project: string, name: string, text: string) => {
    Deno.mkdirSync(`${root}/projects/${project}`, { recursive: true });
    Deno.writeTextFileSync(`${root}/projects/${project}/${name}`, text);
  };
  return {
    root,
    write,
    only: (text) => {
      write("-w", `${ID}.jsonl`, text);
      return indexTranscripts(system, [root], ALL).transcripts[0] ?? null;
    },
    [Symbol.asyncDispose]: () => Deno.remove(root, { recursive: true }),
  };
}

Deno.test("folder, times and title are read from the lines, never from the name of the project's folder", async () => {
  await using config = makeConfig();
  const later = message({ type: "assistant", cwd: "/elsewhere", at: "2026-09-28T10:00:00.000Z" });
  const found = config.only(message() + later + title("my title"))!;
  assert.deepEqual({ ...found, path: "", modified: 0 }, {
    id: ID,
    path: "",
    config_dir: config.root,
    title: "my title",
    folders: ["/w", "/elsewhere"],
    began: Date.parse("2026-09-27T10:00:00Z"),
    active: Date.parse("2026-09-28T10:00:00Z"),
    modified: 0,
  });
});

const ODD: [string, string, string[] | null][] = [
  [
    "odd first lines",
    `${JSON.stringify({ type: "summary", summary: "s", leafUuid: OTHER })}\n${title("t")}${message()}`,
    ["/w"],
  ],
  ["a byte order mark and blank lines", `\ufeff\n\n${message()}`, ["/w"]],
  ["no JSON at first", `garbage\n{"half":\n[1,2]\nnull\n"cwd"\n${message()}`, ["/w"]],
  ["a folder only in what was said", message({ text: '{"cwd":"/said"}' }), ["/w"]],
  [
    "a folder within a tool's input",
    message().replace('"content":"hi"', '"content":[{"input":{"cwd":"/input"}}]'),
    ["/w"],
  ],
  ["a folder that is none", message({ cwd: "relative" }) + message(), ["/w"]],
  ["the last line cut off", message() + message({ cwd: "/cut" }).slice(0, -40), ["/w"]],
  ["every line cut off", message().slice(0, -40), []],
  ["a first prompt of 50 KB", message({ text: "x".repeat(50_000) }) + message({ cwd: "/y" }), ["/w", "/y"]],
  ["a first prompt of 500 KB", message({ text: "x".repeat(500_000) }) + message({ cwd: "/y" }), ["/y"]],
  [
    "blobs at both ends",
    blob(60_000) + message() + blob(70_000).repeat(3) + message({ cwd: "/y" }) + blob(70_000),
    ["/w", "/y"],
  ],
  [
    "two bytes wide characters at every cut",
    message({ text: "é".repeat(9_000) }) + message({ text: "日本".repeat(9_000), cwd: "/y" }),
    ["/w", "/y"],
  ],
  [
    "a conversation nobody sat at",
    message({ entrypoint: "sdk-cli" }) + message({ entrypoint: "sdk-py" }),
    null,
  ],
  [
    "begun by a program, gone on with by a person",
    message({ entrypoint: "sdk-cli" }) + message({ type: "assistant" }),
    ["/w"],
  ],
  ["only a title", title("t"), null],
  ["nothing", "", null],
  ["only zeros", "\0".repeat(1_000), null],
];

Deno.test("odd and cut-off transcripts tell what they can", async () => {
  await using config = makeConfig();
  for (const [says, text, folders] of ODD) {
    assert.deepEqual(config.only(text)?.folders ?? null, folders, says);
  }
});

Deno.test("only conversations count: no agents beside them, no links to nowhere, no folders, no devices", async () => {
  await using config = makeConfig();
  config.write("-w", `agent-${ID}.jsonl`, message());
  config.write("-w", "notes.jsonl", message());
  config.write(`-w/${ID}/subagents`, `${OTHER}.jsonl`, message());
  Deno.mkdirSync(`${config.root}/projects/-w/${OTHER}.jsonl`);
  Deno.symlinkSync("/nowhere", `${config.root}/projects/-w/cccccccc-3333-4333-8333-333333333333.jsonl`);
  Deno.writeTextFileSync(`${config.root}/projects/file`, "x");
  assert.deepEqual(indexTranscripts(system, [config.root, "/nowhere"], ALL), {
    transcripts: [],
    total: 0,
    read: 0,
  });
});

Deno.test("of the same conversation in two config dirs the one that went on counts", async () => {
  await using one = makeConfig();
  await using two = makeConfig();
  one.write("-a", `${ID}.jsonl`, message({ at: "2026-09-28T10:00:00.000Z" }));
  two.write("-a", `${ID}.jsonl`, message({ at: "2026-09-27T10:00:00.000Z" }));
  for (const dirs of [[one.root, two.root], [two.root, one.root]]) {
    const { transcripts, total } = indexTranscripts(system, dirs, ALL);
    assert.deepEqual([transcripts.length, transcripts[0].config_dir, total], [1, one.root, 2]);
  }
});

Deno.test("a key press reads the pane's project and its worktrees, the newest of them", async () => {
  await using config = makeConfig();
  const id = (index: number) => `00000000-1111-4111-8111-${String(index).padStart(12, "0")}`;
  const projects = ["-w-a-b", "-w-a-b", "-w-a-b", "-w-a-b--claude-worktrees-x", "-w-a-b-c", "-other"];
  for (const [index, project] of projects.entries()) {
    config.write(project, `${id(index)}.jsonl`, message());
    Deno.utimeSync(`${config.root}/projects/${project}/${id(index)}.jsonl`, 1_000 + index, 1_000 + index);
  }
  const found = indexNearby(system, [config.root], { folders: ["/w/a.b"], limit: 3 });
  assert.deepEqual([found.total, found.read], [4, 3]);
  assert.deepEqual(found.transcripts.map((one) => one.id), [3, 2, 1].map(id));
});

/** 5,000 conversations of 400 KB and more, holes in their middle: 2 GB that take little room on disk. */
function writeMany(root: string): void {
  for (let index = 0; index < 5_000; index++) {
    const id = `00000000-1111-4111-8111-${String(index).padStart(12, "0")}`;
    const folder = `${root}/projects/-p-${index % 50}`;
    Deno.mkdirSync(folder, { recursive: true });
    using file = Deno.openSync(`${folder}/${id}.jsonl`, { write: true, create: true });
    const line = (type: string) => message({ type, cwd: `/p/${index % 50}`, text: "x".repeat(500) });
    file.writeSync(new TextEncoder().encode(line("user").repeat(8)));
    file.seekSync(430_000, Deno.SeekMode.Start);
    file.writeSync(new TextEncoder().encode(`\n${line("assistant").repeat(8)}${title(`title ${index}`)}`));
  }
}

Deno.test("5,000 transcripts, 2 GB in all, are looked at in less than 200 MB of memory", async () => {
  await using config = makeConfig();
  writeMany(config.root);
  const script = `
    import { indexTranscripts } from "${new URL("../src/claude/transcript_index.ts", import.meta.url)}";
    import { realFiles } from "${new URL("../src/system/files.ts", import.meta.url)}";
    const began = performance.now();
    const { transcripts, total } = indexTranscripts({ files: realFiles }, [Deno.args[0]], { limit: 10_000 });
    const ms = Math.round(performance.now() - began);
    const peak = /VmHWM:\\s+(\\d+)/.exec(Deno.readTextFileSync("/proc/self/status"))?.[1];
    console.log(JSON.stringify({ count: transcripts.length, total, title: transcripts[7].title, ms, peak: Number(peak) / 1024 }));
  `.replaceAll("\\\\\\\\", "\\\\");
  const path = `${config.root}/look.ts`;
  Deno.writeTextFileSync(path, script);
  const { stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--quiet", "--no-check", path, config.root],
  }).output();
  const text = new TextDecoder().decode(stdout);
  assert.ok(text.startsWith("{"), new TextDecoder().decode(stderr));
  const found = JSON.parse(text);
  assert.deepEqual([found.count, found.total], [5_000, 5_000]);
  assert.match(found.title, /^title \d+$/);
  assert.ok(found.peak < 200, `${found.peak} MB`);
});
