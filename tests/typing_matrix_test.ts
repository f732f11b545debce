// The typed line, when Enter is pressed, gives Claude exactly the folder, the config dir and the flags: real shells
// on a real tmux, each awkward text in all three places at once.
import assert from "node:assert/strict";
import { sessionId } from "../src/binding.ts";
import { resumeLine } from "../src/line/resume.ts";
import { realSystem } from "../src/system/real.ts";
import { listPanes } from "../src/tmux/panes.ts";
import { promptState } from "../src/tmux/prompt.ts";
import { type Typed, typeLine } from "../src/tmux/typing.ts";
import { AWKWARD } from "./helpers/awkward.ts";
import { until } from "./helpers/poll.ts";
import { wideSession } from "./helpers/typing.ts";
import { startServer, type TmuxServer } from "./helpers/tmux_server.ts";

const ID = sessionId("8a1c0e7e-5b1f-4a54-9d0c-0f2f9be2d001")!;
const system = realSystem();
/** The others are written in a C locale as they are elsewhere. */
const NOT_ASCII = AWKWARD.filter((text) => /[^ -~]/.test(text));
/** The others are written for sh as they are for bash. */
const FOR_SH = AWKWARD.filter((text) => /[^ -~]|'|^-/.test(text));

const LOGGER = `#!/bin/sh
for word in "$PWD" "\${CLAUDE_CONFIG_DIR-unset}" "$@"; do printf '%s\\0' "$word"; done >"$LOG_OF_CLAUDE.new"
mv "$LOG_OF_CLAUDE.new" "$LOG_OF_CLAUDE"
`;

interface Started {
  cwd: string;
  configDir: string;
  argv: string[];
}

async function startLogging(): Promise<{ server: TmuxServer; log: string }> {
  const server = await startServer();
  const log = `${server.scratch.root}/started`;
  await Deno.writeTextFile(`${server.scratch.bin}/claude`, LOGGER, { mode: 0o755 });
  await server.run("set-environment", "-g", "LOG_OF_CLAUDE", log);
  return { server, log };
}

async function readyPane(server: TmuxServer, id: string) {
  const tmux = { system, socket: server.socketPath };
  return await until(`a prompt in ${id}`, async () => {
    const pane = (await listPanes(tmux)).panes.find((pane) => pane.pane_id === id)!;
    const state = await promptState(system, pane, system.processes.all());
    return state.ready && { pane, state };
  });
}

async function started(log: string): Promise<Started> {
  const text = await until("the start of Claude", () => Deno.readTextFile(log).catch(() => ""));
  await Deno.remove(log);
  const [cwd, configDir, ...argv] = text.split("\0").slice(0, -1);
  return { cwd, configDir, argv };
}

const CASES = [
  { name: "bash", command: "bash --norc --noprofile", locale: "C.UTF-8", texts: AWKWARD },
  { name: "bash in a C locale", command: "bash --norc --noprofile", locale: "C", texts: NOT_ASCII },
  { name: "bash as sh", command: "exec -a sh bash --norc --noprofile", locale: "C.UTF-8", texts: FOR_SH },
  { name: "zsh", command: "zsh -f", locale: "C.UTF-8", texts: AWKWARD },
  { name: "zsh in a C locale", command: "zsh -f", locale: "C", texts: NOT_ASCII },
  { name: "fish", command: "fish --no-config", locale: "C.UTF-8", texts: AWKWARD },
  { name: "fish in a C locale", command: "fish --no-config", locale: "C", texts: NOT_ASCII },
  { name: "nushell", command: "nu --no-config-file", locale: "C.UTF-8", texts: AWKWARD },
  { name: "dash", command: "dash", locale: "C.UTF-8", texts: AWKWARD },
  { name: "dash in a C locale", command: "dash", locale: "C", texts: NOT_ASCII },
];

function isThere(program: string): boolean {
  try {
    return new Deno.Command(program, { args: ["--version"] }).outputSync().success;
  } catch {
    return false;
  }
}

function isMeanwhile(typed: Typed): boolean {
  return !typed.typed && typed.reason.includes("came to the front meanwhile");
}

for (const { name, command, locale, texts } of CASES) {
  const ignore = name === "nushell" && !isThere("nu");
  Deno.test(`${name} runs each awkward line as it was meant`, { ignore }, async () => {
    const { server, log } = await startLogging();
    await using _ = server;
    const tmux = { system, socket: server.socketPath };
    await server.run("set-environment", "-g", "LANG", locale);
    const id = await wideSession(server, { command: `exec bash -c 'exec ${command.replace(/^exec /, "")}'` });
    const wrong: string[] = [];
    for (const text of texts) {
      const cwd = await server.scratch.folder(`p/${text}`);
      const configDir = `/config/${text}`;
      const { pane, state } = await readyPane(server, id);
      const line = resumeLine({
        id: ID,
        cwd,
        here: pane.cwd,
        configDir,
        hereConfigDir: null,
        arguments: ["--add-dir", text, `--settings=${text}`],
        shell: state.shell,
        ascii: state.ascii,
      });
      // deno-lint-ignore no-control-regex
      assert.doesNotMatch(line, /[\x00-\x1f\x7f]/);
      const type = () => typeLine(tmux, pane, line, { enter: true, shell: state.shell });
      let typed = await type();
      // The shell's own helpers may come to the front on a busy machine: then the line is refused, as it should be.
      for (let again = 0; again < 3 && isMeanwhile(typed); again++) {
        await readyPane(server, id);
        typed = await type();
      }
      if (!typed.typed) {
        wrong.push(`${JSON.stringify(text)}: ${typed.reason}`);
        continue;
      }
      const got = await started(log);
      const want = { cwd, configDir, argv: ["--resume", ID, "--add-dir", text, `--settings=${text}`] };
      if (JSON.stringify(got) !== JSON.stringify(want)) {
        wrong.push(`${JSON.stringify(text)}: ${line}\ngot ${JSON.stringify(got)}`);
      }
    }
    assert.deepEqual(wrong, []);
  });
}
