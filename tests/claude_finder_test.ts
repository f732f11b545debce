// Finding many transcripts in one look gives what finding each of them alone gives, with less to do.
import assert from "node:assert/strict";
import { type SessionId, sessionId } from "../src/binding.ts";
import { transcriptFinder, type Whereabouts } from "../src/claude/finder.ts";
import { findTranscript } from "../src/claude/transcripts.ts";
import { realFiles } from "../src/system/files.ts";

const id = (number: number): SessionId =>
  sessionId(`aaaaaaaa-0000-4000-8000-${String(number).padStart(12, "0")}`)!;
const MESSAGE = `{"type":"user"}\n`;
const TITLE = `{"type":"custom-title"}\n`;

interface Config extends Disposable {
  root: string;
  /** How many stats and listings there were since it was asked last. */
  calls(): { stats: number; lists: number };
  system: { files: typeof realFiles };
}

/** A config dir with conversations: `[folder, number, text]`. */
function makeConfig(files: [string, number, string][]): Config {
  const root = Deno.makeTempDirSync({ prefix: "tmuxclaude-" });
  for (const [folder, number, text] of files) {
    Deno.mkdirSync(`${root}/projects/${folder}`, { recursive: true });
    Deno.writeTextFileSync(`${root}/projects/${folder}/${id(number)}.jsonl`, text);
  }
  let [stats, lists] = [0, 0];
  const stat = (path: string) => (stats++, realFiles.stat(path));
  const list = (path: string) => (lists++, realFiles.list(path));
  return {
    root,
    system: { files: { ...realFiles, stat, list } },
    calls: () => {
      const calls = { stats, lists };
      [stats, lists] = [0, 0];
      return calls;
    },
    [Symbol.dispose]: () => Deno.removeSync(root, { recursive: true }),
  };
}

const FOLDERS = Array.from({ length: 40 }, (_, n) => `-work-p${n}`);
const EACH = FOLDERS.map((folder, n): [string, number, string] => [folder, n, n % 5 === 0 ? TITLE : MESSAGE]);

Deno.test("every conversation is found as findTranscript finds it, whatever is believed of its place", () => {
  using config = makeConfig([...EACH, ["-elsewhere", 0, MESSAGE], ["-work-p39", 38, TITLE]]);
  const { root } = config;
  const places: (n: number) => (Whereabouts | null)[] = (n) => [
    null,
    { transcript: null, cwd: `/work/p${n}` },
    { transcript: `${root}/projects/-work-p${n}/${id(n)}.jsonl`, cwd: "/gone" },
    { transcript: `${root}/projects/-nowhere/${id(n)}.jsonl`, cwd: "/work/p1" },
    { transcript: "/etc/passwd", cwd: "" },
    { transcript: `${root}/projects/../elsewhere/${id(n)}.jsonl`, cwd: "relative" },
  ];
  for (const which of places(0).keys()) {
    const find = transcriptFinder(config.system);
    for (let n = 0; n < 45; n++) {
      const expected = findTranscript(config.system, root, id(n));
      assert.deepEqual(find(root, id(n), places(n)[which]), expected, `conversation ${n}, place ${which}`);
    }
  }
});

Deno.test("a conversation that is where it was last seen, or where Claude puts it, costs one or two stats", () => {
  using config = makeConfig(EACH);
  const find = transcriptFinder(config.system);
  assert.equal(find(config.root, id(7), { transcript: null, cwd: "/work/p7" }).state, "present");
  assert.deepEqual(config.calls(), { stats: 1, lists: 0 });
  const moved = { transcript: `${config.root}/projects/-work-p8/${id(8)}.jsonl`, cwd: "/moved" };
  assert.equal(find(config.root, id(8), moved).state, "present");
  assert.deepEqual(config.calls(), { stats: 2, lists: 0 });
});

Deno.test("conversations and folders do not multiply: from the fourth search on the names are known", () => {
  using config = makeConfig(EACH);
  const find = transcriptFinder(config.system);
  for (let n = 100; n < 300; n++) assert.equal(find(config.root, id(n), null).state, "missing");
  const { stats, lists } = config.calls();
  assert.deepEqual([stats, lists], [3 * FOLDERS.length, 1 + FOLDERS.length]);
});

Deno.test("a folder whose names cannot be listed is asked for each conversation", () => {
  using config = makeConfig([...EACH, ["-locked", 50, MESSAGE]]);
  const locked = (path: string) => {
    if (path.endsWith("/-locked")) throw new Deno.errors.PermissionDenied("locked");
    return realFiles.list(path);
  };
  const find = transcriptFinder({ files: { ...realFiles, list: locked } });
  for (let n = 100; n < 110; n++) find(config.root, id(n), null);
  assert.equal(find(config.root, id(50), null).state, "present");
});

Deno.test("projects that cannot be listed are unknown, with the reason", () => {
  using config = makeConfig(EACH);
  const list = () => {
    throw new Deno.errors.PermissionDenied("locked");
  };
  const found = transcriptFinder({ files: { ...realFiles, list } })(config.root, id(1), null);
  assert.deepEqual([found.state, found.path, /locked/.test(found.reason ?? "")], ["unknown", null, true]);
});
