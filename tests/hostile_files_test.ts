// Every file that is read may have been cut off by a crash, damaged by a disk, or replaced by something that is no file:
// never an error that ends the program, never a wait, never more memory, and what is whole is read (H3).
import assert from "node:assert/strict";
import { damage, generateValue } from "./fixtures/generated.ts";
import { makePlace, READERS, readersSystem, teamsOf } from "./fixtures/readers.ts";
import { makeFifo, manifestOf, SOCKET } from "./fixtures/state_world.ts";
import { writeManifest } from "../src/state/manifest.ts";
import { statePaths } from "../src/state/paths.ts";
import { listHeads, readWhole } from "../src/state/snapshot_heads.ts";
import { saveOf } from "../src/survey/save.ts";
import { repairBytes, repairSave } from "../src/tmux/repair_save.ts";
import { makeScratch } from "./helpers/scratch.ts";
import { randomOf, seedOf } from "./helpers/seeded.ts";

const DAMAGES = 1_000;
const encoder = new TextEncoder();

for (const reader of READERS) {
  const { name, good, read } = reader;

  Deno.test(`H3: the ${name} cut off at every byte is read as far as it is whole`, () => {
    using place = makePlace(reader);
    place.write(good);
    const all = read(place.system);
    assert.ok(all.length > 0, name);
    const bytes = encoder.encode(good);
    for (let length = 0; length < bytes.length; length++) {
      place.write(bytes.subarray(0, length));
      const rows = read(place.system);
      if (!reader.byLine) continue;
      assert.ok(rows.every((row) => all.some((one) => one.startsWith(row))), `cut at ${length}: ${rows}`);
      const whole = new TextDecoder().decode(bytes.subarray(0, length)).split("\n").slice(0, -1).join("\n");
      place.write(whole === "" ? "" : `${whole}\n`);
      for (const row of read(place.system)) assert.ok(rows.includes(row), `cut at ${length}: ${row} is lost`);
    }
  });

  Deno.test(`H3: the ${name}, damaged in ${DAMAGES} ways, ends nothing`, () => {
    using place = makePlace(reader);
    const random = randomOf(seedOf(63));
    for (let n = 0; n < DAMAGES; n++) {
      const bytes = damage(random, encoder.encode(good));
      place.write(bytes);
      try {
        read(place.system);
      } catch (error) {
        assert.fail(`SEED=${random.seed}, damage ${n}: ${error}\n${new TextDecoder().decode(bytes)}`);
      }
    }
  });

  if (!reader.byLine) continue;
  Deno.test(`H3: a damaged line of the ${name} costs no other line`, () => {
    using place = makePlace(reader);
    place.write(good);
    const texts = good.trimEnd().split("\n");
    const random = randomOf(seedOf(64));
    for (let n = 0; n < DAMAGES; n++) {
      const at = random.below(texts.length);
      const broken = damage(random, encoder.encode(texts[at])).filter((byte) => byte !== 10);
      place.write(texts.filter((_text, index) => index !== at).map((text) => `${text}\n`).join(""));
      const others = read(place.system);
      const [head, tail] = [texts.slice(0, at), texts.slice(at + 1)].map((part) =>
        encoder.encode(part.map((text) => `${text}\n`).join(""))
      );
      place.write(Uint8Array.from([...head, ...broken, 10, ...tail]));
      const rows = read(place.system);
      for (const row of others) {
        assert.ok(rows.includes(row), `SEED=${random.seed}, damage ${n} of line ${at}: ${row} is lost`);
      }
    }
  });
}

Deno.test("H3: an entry of the teams file that is none costs no other entry", () => {
  const random = randomOf(seedOf(65));
  for (let n = 0; n < 5_000; n++) {
    const entries: unknown[] = ["A", "B", "C"].map((id) => ({ id, folders: ["/x"] }));
    entries.splice(random.below(4), 0, generateValue(random));
    const ids = teamsOf(entries);
    assert.ok(["A", "B", "C"].every((id) => ids.includes(id)), `SEED=${random.seed}, entry ${n}`);
  }
});

/** A reader in a process of its own, ended after five seconds. */
async function inProcess(name: string, folder: string): Promise<{ rows: string[] | string; peak: number }> {
  const script = new URL("fixtures/reader_process.ts", import.meta.url).pathname;
  const config = new URL("../deno.json", import.meta.url).pathname;
  const { stdout, stderr } = await new Deno.Command("timeout", {
    args: [
      "-s",
      "KILL",
      "10",
      Deno.execPath(),
      "run",
      "-A",
      "--no-check",
      "--config",
      config,
      script,
      name,
      folder,
    ],
    env: { NO_COLOR: "1" },
  }).output();
  const said = new TextDecoder().decode(stdout);
  assert.notEqual(said, "", `${name}: no answer\n${new TextDecoder().decode(stderr)}`);
  return JSON.parse(said);
}

const HUGE = 100 * 1024 * 1024;

const PLANTS: [string, (path: string, good: string) => void][] = [
  ["a FIFO", (path) => makeFifo(path)],
  ["a folder", (path) => Deno.mkdirSync(path)],
  ["a link to an endless device", (path) => Deno.symlinkSync("/dev/zero", path)],
  ["a link to itself", (path) => Deno.symlinkSync(path, path)],
  ["100 MB", (path, good) => {
    Deno.writeTextFileSync(path, good, { mode: 0o600 });
    Deno.truncateSync(path, HUGE);
  }],
  ["100 MB of blanks without a newline", (path, good) => {
    using file = Deno.openSync(path, { write: true, create: true, mode: 0o600 });
    file.writeSync(encoder.encode(good));
    const block = new Uint8Array(1024 * 1024).fill(32);
    for (let written = 0; written < HUGE; written += block.length) file.writeSync(block);
  }],
];

const SETTLED = READERS.filter(({ name }) => name !== "tmux save to be repaired");

Deno.test({
  name:
    `H3: ${PLANTS.length} things that are no such file, in the place of each: no wait, and at most 150 MB of memory`,
  ignore: Deno.build.os !== "linux",
  fn: async () => {
    for (const [what, plant] of PLANTS) {
      await Promise.all(SETTLED.map(async (reader) => {
        using place = makePlace(reader);
        plant(place.path, reader.good);
        const { peak } = await inProcess(reader.name, place.folder);
        assert.ok(peak < 150 * 1024, `${reader.name} as ${what}: ${peak} kB`);
      }));
    }
  },
});

Deno.test("H3: a manifest that is damaged behind its head is read from its twin in the history", async () => {
  const folder = Deno.makeTempDirSync({ prefix: "tmuxclaude-readers-" });
  try {
    const system = readersSystem(folder);
    await writeManifest(system, manifestOf());
    const { manifest } = statePaths(system).server(SOCKET);
    const text = Deno.readTextFileSync(manifest);
    Deno.writeTextFileSync(manifest, text.replace('"panes":[{', '"panes":[x'));
    const heads = listHeads(system, SOCKET);
    assert.deepEqual(heads.map((head) => readWhole(system, head)), [manifestOf()]);
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
});

Deno.test("H3: a line of a save that is no UTF-8 stays as it is, byte for byte, while others are repaired", () => {
  const odd = Uint8Array.from([...encoder.encode("pane\twork\t1\t1\t:*\t0\tt\t:/caf"), 0xe9, 9, 49, 10]);
  const line = "pane\twork\t0\t1\t:*\t0\t\t:/w\t1\tbash\t:";
  const repaired = repairBytes(
    Uint8Array.from([...odd, ...encoder.encode(line)]),
    (text) => repairSave(text, []),
  );
  assert.deepEqual(repaired, Uint8Array.from([...odd, ...encoder.encode(line.replace("\t\t", "\t \t"))]));
  assert.equal(repairBytes(odd, (text) => repairSave(text, [])), null);
});

Deno.test("H3: a `last` that a person has pointed at a file elsewhere is followed there", () => {
  const folder = Deno.realPathSync(Deno.makeTempDirSync({ prefix: "tmuxclaude-readers-" }));
  try {
    const system = readersSystem(folder);
    Deno.mkdirSync(`${folder}/.tmux/resurrect`, { recursive: true });
    Deno.mkdirSync(`${folder}/kept`);
    Deno.writeTextFileSync(`${folder}/kept/good.txt`, "pane\twork\t0\t1\t:*\t0\tt\t:/w\t1\tbash\t:\n");
    Deno.symlinkSync("../../kept/good.txt", `${folder}/.tmux/resurrect/last`);
    const { ref, saved } = saveOf(system, { resurrect_dir: "" });
    assert.deepEqual([ref.save, saved.map(({ cwd }) => cwd)], ["good.txt", ["/w"]]);
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
});

Deno.test("H3: doctor, install and uninstall do not wait for a FIFO in the place of any configuration", async () => {
  await using scratch = await makeScratch();
  for (
    const path of [
      ".claude/settings.json",
      ".tmux.conf",
      ".local/share/tmuxclaude/install.json",
      ".local/share/tmuxclaude/tmux.conf",
    ]
  ) {
    const whole = `${scratch.home}/${path}`;
    Deno.mkdirSync(whole.slice(0, whole.lastIndexOf("/")), { recursive: true });
    await Deno.remove(whole).catch(() => {});
    makeFifo(whole);
    for (const command of ["doctor", "install --yes", "uninstall --yes"]) {
      const child = new Deno.Command("timeout", {
        args: ["-s", "KILL", "15", scratch.program, ...command.split(" ")],
        env: scratch.env,
        clearEnv: true,
        stdin: "null",
      });
      const { code, stderr } = await child.output();
      assert.ok(
        [0, 1, 5].includes(code),
        `${command} with ${path}: ${code} ${new TextDecoder().decode(stderr)}`,
      );
    }
    await Deno.remove(whole).catch(() => {});
  }
});
