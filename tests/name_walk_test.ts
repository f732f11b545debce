// A name that other live conversations hold, with a Claude that is slow to draw what it has done.
import { deepStrictEqual } from "node:assert/strict";
import { sessionId } from "../src/binding.ts";
import { deliverTyped } from "../src/push/deliver.ts";
import { realSystem } from "../src/system/real.ts";
import type { System } from "../src/system/system.ts";

const ID = sessionId("aaaaaaaa-0000-4000-8000-000000000000")!;
/** Screens on which a line that was sent still stands in the box. */
const LATE = 3;

/** A window with a Claude in it, as far as a push asks tmux: it answers at once and redraws late. */
class SlowClaude {
  windowName = "same";
  sent: string[] = [];
  #box = "";
  #late = 0;

  constructor(readonly transcript: string, readonly answers: Record<string, string>) {}

  run(args: string[]): string {
    const at = (word: string) => args.indexOf(word);
    if (at("capture-pane") > 0) return this.#screen(args[at("-p") + 3]);
    if (at("rename-window") >= 0) this.windowName = args[at("rename-window") + 3];
    else if (at("set-buffer") >= 0) this.#paste(args[at("set-buffer") + 3]);
    else if (at("display-message") >= 0) return this.#filled(args.at(-1)!) + "\n";
    return "";
  }

  #screen(format: string): string {
    if (this.#late > 0 && --this.#late === 0) this.#box = "";
    return `${this.#filled(format)}\n────\n❯\u00a0${this.#box}\n────\n`;
  }

  #filled(format: string): string {
    const cursor = this.#box === "" ? 2 : 2 + this.#box.length;
    const fields = {
      pane_id: "%1",
      window_id: "@1",
      window_name: this.windowName,
      cursor_x: cursor,
      cursor_y: 1,
    };
    const known: Record<string, unknown> = { ...fields, pane_title: "✳ Claude Code" };
    return format.replaceAll(/#\{(\w+)\}/g, (_, name) => String(known[name] ?? 0));
  }

  #paste(text: string): void {
    if (text !== "\n") this.#box = text;
    else this.#take(this.#box.replace("/rename ", ""));
  }

  #take(name: string): void {
    this.sent.push(name);
    this.#late = LATE;
    const title = { type: "custom-title", customTitle: this.answers[name] ?? name, sessionId: ID };
    Deno.writeTextFileSync(this.transcript, `${JSON.stringify(title)}\n`, { append: true });
  }
}

Deno.test("a Claude that redraws late after it refused a name gets the next one, and the window with it", async () => {
  const home = await Deno.makeTempDir({ prefix: "tmuxclaude-" });
  await Deno.mkdir(`${home}/.claude/projects/-p`, { recursive: true });
  const claude = new SlowClaude(`${home}/.claude/projects/-p/${ID}.jsonl`, {
    "same": "same-toasty-bentley",
    "same-2": "same-2-bright-nova",
  });
  const system: System = {
    ...realSystem(),
    env: (name) => name === "HOME" ? home : undefined,
    run: (_, args) => Promise.resolve({ code: 0, stdout: claude.run(args), stderr: "", timedOut: false }),
  };
  const target = {
    pane_id: "%1",
    configDir: `${home}/.claude`,
    pid: 0,
    id: ID,
    version: "2.1.332",
    titlesOff: false,
    known: null,
    foreground: true,
  };
  const push = { window_id: "@1", windowName: "same", target, name: "same", taken: [] };
  const { outcome, name } = await deliverTyped({ system, socket: null }, push);
  await Deno.remove(home, { recursive: true });
  deepStrictEqual([outcome, name, claude.windowName], ["landed", "same-3", "same-3"]);
  deepStrictEqual(claude.sent, ["same", "same-2", "same-3"]);
});
