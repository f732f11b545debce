// A tmux server whose panes hold conversations, without the cost of running Claudes: what a hook event does to a pane is
// done by the program's own functions, in this process. Knows the truth about every pane, to compare with.
import { type SessionId, sessionId } from "../../src/binding.ts";
import { givenTitles } from "../../src/claude/titles.ts";
import type { HookEvent } from "../../src/claude/hook_event.ts";
import { run as runList } from "../../src/commands/list.ts";
import { run as runManifest } from "../../src/commands/manifest.ts";
import { run as runRestore } from "../../src/commands/restore.ts";
import { decide, partOf } from "../../src/identity/decide.ts";
import { appendJournal } from "../../src/state/journal.ts";
import { realSystem } from "../../src/system/real.ts";
import type { System } from "../../src/system/system.ts";
import { runTmux, type Tmux } from "../../src/tmux/client.ts";
import { stampCommands } from "../../src/tmux/options.ts";
import { readOwnPane } from "../../src/tmux/own_pane.ts";
import { findTranscript } from "../../src/claude/transcripts.ts";
import { until } from "./poll.ts";
import type { TmuxServer } from "./tmux_server.ts";

/** What a pane really holds. */
export interface Truth {
  /** The conversation a person would look for here. */
  last: SessionId | null;
  /** What it may be taken to hold as well: a pane that a person made again at an address of the save. */
  also?: SessionId | null;
  /** The Claude that started last, as its process id. */
  claude: number;
}

export interface Row {
  pane_id: string | null;
  tmux_session: string;
  window_index: number;
  pane_index: number;
  session_id: string;
  action: string;
  reason: string | null;
}

export interface Restored {
  outcome: string;
  panes: Row[];
  snapshot: { save: string | null; why: string } | null;
}

export interface Listed {
  pane_id: string;
  session_id: string | null;
  revive: { outcome: string; rung: string; line: string | null; reason: string | null };
}

export class TrialWorld {
  readonly tmux: Tmux;
  /** The panes of the present life. */
  panes = new Map<string, Truth>();
  /** Where each conversation went on last. */
  readonly owner = new Map<SessionId, Truth>();
  #printed = "";
  #count = 0;
  #claudes = 0;

  constructor(readonly server: TmuxServer, readonly state: string) {
    const env: Record<string, string> = { ...server.scratch.env, TMUXCLAUDE_STATE_DIR: state };
    const system: System = {
      ...realSystem(),
      env: (name) => env[name],
      environment: () => env,
      stdout: (text) => void (this.#printed += text),
      stderr: () => {},
      isTerminal: () => false,
    };
    this.tmux = { system, socket: server.socketPath };
  }

  truthOf(paneId: string): Truth {
    const truth = this.panes.get(paneId) ?? { last: null, claude: 0 };
    this.panes.set(paneId, truth);
    return truth;
  }

  /** A new conversation by a new Claude: startup, a prompt, and nothing more that a hook would tell. */
  async start(paneId: string): Promise<SessionId> {
    const id = this.#newId();
    this.truthOf(paneId).claude = ++this.#claudes;
    await this.#event(paneId, "SessionStart", id, "startup");
    await this.#prompted(paneId, id);
    return id;
  }

  /** `claude --resume ID` typed in a pane. */
  async resume(paneId: string, id: SessionId): Promise<void> {
    this.truthOf(paneId).claude = ++this.#claudes;
    await this.#event(paneId, "SessionStart", id, "resume");
    await this.#prompted(paneId, id);
  }

  /** /clear and a prompt in the pane's running Claude. */
  async clear(paneId: string): Promise<void> {
    const { last } = this.truthOf(paneId);
    const id = this.#newId();
    await this.#event(paneId, "SessionEnd", last!, "clear");
    await this.#event(paneId, "SessionStart", id, "clear");
    await this.#prompted(paneId, id);
  }

  async exit(paneId: string): Promise<void> {
    await this.#event(paneId, "SessionEnd", this.truthOf(paneId).last!, "prompt_input_exit");
  }

  async manifest(): Promise<number> {
    return await runManifest(this.tmux.system, { socket: this.server.socketPath });
  }

  async restore(flags: Record<string, unknown> = {}): Promise<Restored> {
    return await this.#json(() => runRestore(this.tmux.system, { ...this.#flags, ...flags }));
  }

  async list(): Promise<Listed[]> {
    return (await this.#json(() => runList(this.tmux.system, this.#flags))).panes;
  }

  get #flags() {
    return { socket: this.server.socketPath, json: true };
  }

  // deno-lint-ignore no-explicit-any -- the caller knows the shape
  async #json(run: () => Promise<number>): Promise<any> {
    this.#printed = "";
    await run();
    return JSON.parse(this.#printed);
  }

  #newId(): SessionId {
    const number = String(++this.#count).padStart(12, "0");
    return sessionId(`00000000-0000-4000-8000-${number}`)!;
  }

  async #prompted(paneId: string, id: SessionId): Promise<void> {
    const folder = `${this.server.scratch.config}/projects/all`;
    await Deno.mkdir(folder, { recursive: true });
    await Deno.writeTextFile(`${folder}/${id}.jsonl`, '{"type":"user"}\n');
    const truth = this.truthOf(paneId);
    truth.last = id;
    this.owner.set(id, truth);
  }

  async #event(paneId: string, name: HookEvent["name"], id: SessionId, word: string): Promise<void> {
    const { system } = this.tmux;
    const pane = await readOwnPane(this.tmux, paneId);
    if (!pane) throw new Error(`There is no pane ${paneId}`);
    const look = () => this.server.paneFormat(paneId, "#{pane_current_path}");
    const cwd = await until(`the folder of ${paneId}`, look);
    const isEnd = name === "SessionEnd";
    const number = this.truthOf(paneId).claude;
    const decision = decide({
      event: {
        name,
        sessionId: id,
        transcriptPath: null,
        cwd,
        source: isEnd ? null : word,
        reason: isEnd ? word : null,
        sessionTitle: null,
        agentType: null,
      },
      stamp: pane.stamp,
      claude: {
        pid: 4_200_000 + number,
        started: `${number}`,
        version: null,
        kind: "interactive",
        wrapper: null,
      },
      configDir: null,
      arguments: [],
      transcript: null,
      at: new Date().toISOString(),
      owns: (one) => findTranscript(system, this.server.scratch.config, one).state === "present",
      titles: (one) => givenTitles(system, findTranscript(system, this.server.scratch.config, one).path),
    });
    if (decision.act === "ignore") return;
    const { binding, event, source, previous, left } = decision;
    await runTmux(this.tmux, stampCommands(paneId, binding));
    const { tmux_session, window_index, pane_index } = pane;
    const tmux = { ...pane.server, tmux_session, window_index, pane_index, pane_id: paneId };
    const line = (of: typeof binding) => ({ ...of, tmux });
    if (left) {
      await appendJournal(system, { ...line(left), event: "end", source: left.reason, previous_id: null });
    }
    await appendJournal(system, { ...line(partOf(binding, id)), event, source, previous_id: previous });
  }
}
