// The command for the time after a crash.
import type { RecoverFlags } from "../commands/recover.ts";
import { define } from "./context.ts";
import { json, pane, socket, text, toggle } from "./flags.ts";

export const recover = define<RecoverFlags>({
  brief: "After a crash, when nothing exact is left: which pane may have held what",
  examples: [
    ["recover", "all of it"],
    ['recover --at "2026-11-29 19:00"', "go by the last record before that time"],
    ["recover --pane %3 --since 2d", "one pane, only what was active lately"],
    ["recover --bind %3=SESSION-ID", "it is this one: revive then brings it back"],
  ],
  description:
    "Lists for each pane of the last record before the first crash the conversations it may have held, best first,\n" +
    "each with its evidence and age, and what differs from the panes there are now. They are guesses: you decide.\n" +
    "Works without a tmux server, and without any record of tmuxclaude (transcripts and tmux saves only).",
  settings: ["TMUXCLAUDE_STATE_DIR", "CLAUDE_CONFIG_DIR", "TMUX"],
  flags: {
    at: text("Go by the last record at or before this time", "TIME"),
    pane,
    session: text("Only this tmux session", "NAME"),
    folder: text("Only panes in this folder or below", "DIR"),
    since: text("Only conversations active since this time, or so long ago (2h, 3d)", "TIME"),
    bind: { ...text("Bind a pane to a conversation; may be given again", "%ID=UUID"), variadic: true },
    configDir: {
      ...text("Also look in this config dir of Claude; may be given again", "DIR"),
      variadic: true,
    },
    force: toggle("Bind also when the conversation is alive elsewhere, or has no transcript"),
    json,
    socket,
  },
  load: () => import("../commands/recover.ts"),
});
