// Several presses at once, and things that happen meanwhile: one line at the prompt, one Claude, or nothing.
import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { prompt, sessionOf, startClaude, waitForBox } from "./helpers/panes.ts";
import { untilText } from "./helpers/poll.ts";
import { exited, hooked, ours, revive } from "./helpers/revive.ts";
import { runBin } from "./helpers/run_bin.ts";

Deno.test("three presses at once leave the line once", async () => {
  await using server = await hooked();
  const { pane, id } = await exited(server);
  const revived = await Promise.all([1, 2, 3].map(() => revive(server, pane)));
  deepStrictEqual(revived.map(({ outcome }) => outcome), ["typed", "typed", "typed"]);
  const last = (await server.capture(pane)).trimEnd().split("\n").at(-1)!;
  match(last, new RegExp(`^[^ ]*[#$] claude --resume ${id}$`));
});

Deno.test("three presses at once with --enter start one Claude, and nothing is typed into it", async () => {
  await using server = await hooked();
  const { pane } = await exited(server);
  const before = (await server.scratch.claudeStarts()).length;
  const outcomes = (await Promise.all([1, 2, 3].map(() => revive(server, pane, "--enter")))).map((one) =>
    one.outcome
  );
  strictEqual(outcomes.filter((one) => one === "typed").length, 1, outcomes.join());
  await waitForBox(server, pane);
  strictEqual((await server.scratch.claudeStarts()).length, before + 1);
  await prompt(server, pane, "alone");
});

Deno.test("presses in many panes at once type each line in its own pane", async () => {
  await using server = await hooked();
  const panes = await Promise.all(Array.from({ length: 6 }, () => exited(server)));
  const revived = await Promise.all(panes.map(({ pane }) => revive(server, pane)));
  deepStrictEqual(revived.map(({ session_id }) => session_id), panes.map(({ id }) => id));
  for (const { pane, id } of panes) {
    match((await server.capture(pane)).trimEnd(), new RegExp(`claude --resume ${id}$`));
  }
});

/** Takes the keyboard as Claude does, and writes down whatever comes from there. */
const RECORDER = `import os, select, sys, termios, time, tty
before = termios.tcgetattr(0)
tty.setraw(0)
record = open(sys.argv[1], "ab", 0)
os.write(1, "❯\\u00a0".encode())
end = time.time() + 0.8
while time.time() < end:
    if select.select([0], [], [], 0.05)[0]: record.write(os.read(0, 4096))
record.write(b"END")
termios.tcsetattr(0, termios.TCSADRAIN, before)
`;

for (const kind of ["the program itself", "a script around it"]) {
  Deno.test(`a Claude that is started by hand at the same moment gets no key: ${kind}`, async () => {
    await using server = await hooked();
    const { pane } = await exited(server);
    const { root, bin } = server.scratch;
    await Deno.writeTextFile(`${root}/recorder.py`, RECORDER);
    await Deno.remove(`${bin}/claude`);
    if (kind === "the program itself") await Deno.copyFile("/usr/bin/python3", `${bin}/claude`);
    else await Deno.writeTextFile(`${bin}/claude`, '#!/bin/bash\npython3 "$@"\ntrue\n');
    await Deno.chmod(`${bin}/claude`, 0o755);
    for (let wait = 0; wait < 240; wait += 24) {
      const record = `${root}/record-${wait}`;
      const pressed = revive(server, pane, "--enter");
      await new Promise((resolve) => setTimeout(resolve, wait));
      await server.sendLine(pane, `claude ${root}/recorder.py ${record}`);
      await pressed;
      await untilText(
        "no Claude",
        async () => (await revive(server, pane, "--dry-run")).outcome,
        "would_type",
      );
      match(await Deno.readTextFile(record).catch(() => "END"), /^(END)?$/, `after ${wait} ms`);
      await server.press(pane, "C-c");
    }
  });
}

Deno.test("a pane that is killed meanwhile is no crash", async () => {
  await using server = await hooked();
  await server.newSession();
  for (let wait = 0; wait <= 120; wait += 40) {
    const { pane } = await exited(server);
    const pressed = ours(server, "revive", "--pane", pane);
    await new Promise((resolve) => setTimeout(resolve, wait));
    await server.run("kill-pane", "-t", pane);
    const { code, stderr } = await pressed;
    ok([0, 1, 3].includes(code), `${code}: ${stderr}`);
    ok(!stderr.includes("unexpected"), stderr);
  }
});

Deno.test("a server that hangs is given up, and nothing is typed when it goes on", async () => {
  await using server = await hooked();
  const { pane } = await exited(server);
  const [env, pid] = [await server.paneEnv(pane), await server.pid()];
  const before = await server.captureAll(pane);
  Deno.kill(pid, "SIGSTOP");
  const { code, stderr } = await runBin(["revive", "--pane", pane], { env });
  Deno.kill(pid, "SIGCONT");
  strictEqual(code, 1);
  match(stderr, /no answer within/);
  await startClaude(server, await server.newSession());
  strictEqual(await server.captureAll(pane), before);
});

Deno.test("a state folder that cannot be used costs the record, not the conversation", async () => {
  await using server = await hooked();
  const { pane, id } = await exited(server);
  await Deno.remove(server.scratch.state, { recursive: true });
  await Deno.writeTextFile(server.scratch.state, "in the way");
  const { outcome, line } = await revive(server, pane);
  deepStrictEqual([outcome, line], ["typed", `claude --resume ${id}`]);
});

Deno.test("a resume that fails, or is interrupted, costs no mapping", async () => {
  await using server = await hooked();
  const { pane, id } = await exited(server);
  strictEqual((await revive(server, pane, "--enter")).outcome, "typed");
  await server.press(pane, "C-c");
  await untilText("the prompt", () => server.capture(pane), /[#$] ?$/);
  strictEqual((await revive(server, pane)).session_id, id);
  const projects = `${server.scratch.config}/projects`;
  await Deno.rename(projects, `${projects}.away`);
  await server.press(pane, "Enter");
  await untilText("the failure", () => server.capture(pane), /No conversation found[^]*[#$] ?$/);
  await Deno.rename(`${projects}.away`, projects);
  strictEqual((await revive(server, pane, "--enter")).session_id, id);
  await waitForBox(server, pane);
  strictEqual(await sessionOf(server, pane), id);
});
