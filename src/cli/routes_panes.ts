// Commands about panes and conversations.
import type { ListFlags } from "../commands/list.ts";
import type { ManifestFlags } from "../commands/manifest.ts";
import type { NameFlags } from "../commands/name.ts";
import type { RestoreFlags } from "../commands/restore.ts";
import type { ReviveFlags } from "../commands/revive.ts";
import { PANE_STATES } from "../ladder/pane_state.ts";
import { define } from "./context.ts";
import { choice, count, dryRun, force, json, pane, size, socket, text, toggle } from "./flags.ts";

export const revive = define<ReviveFlags>({
  brief: "Bring the conversation of one pane back, typed at its prompt",
  description:
    "Types the line that resumes the conversation this pane held, without Enter. Refuses in a pane where\n" +
    "Claude or another program runs. What is a guess is called a guess.\n\n" +
    "  tmuxclaude revive --pane %3          type it in pane %3\n" +
    "  tmuxclaude revive --dry-run --json   what would be typed here, and why",
  flags: {
    pane,
    client: text("Show the message on this client", "NAME"),
    menu: toggle("Show what the pane may have held, and let me choose"),
    enter: toggle("Press Enter as well, when the conversation is certain"),
    force,
    dryRun,
    json,
    socket,
  },
  load: () => import("../commands/revive.ts"),
});

export const restore = define<RestoreFlags>({
  brief: "After tmux came back: give all panes their conversations again",
  description:
    "Stamps the restored panes with the conversations they held, then acts by policy: lazy (nothing more;\n" +
    "the key revives), type (types each line), run (starts again what was running). Once for each start of the\n" +
    "tmux server. The policy's default is the tmux option @tmuxclaude-restore.\n\n" +
    "  tmuxclaude restore --dry-run                 what would happen in each pane\n" +
    '  tmuxclaude restore --at "2026-11-30 09:00"   go by the last record before that time',
  flags: {
    policy: choice("What to do after stamping", ["lazy", "type", "run"] as const),
    dryRun,
    force,
    spacing: count("Time between two starts (default 10)", "SECONDS"),
    minMemory: size("Start nothing more when less memory is available (default 16G or a quarter)"),
    limit: count("Start at most so many"),
    at: text("Go by the last record with conversations before this time", "TIME"),
    background: toggle("Stamp now, and let a tmux job type and start the rest (for tmux-resurrect's hook)"),
    json,
    socket,
  },
  load: () => import("../commands/restore.ts"),
});

export const manifest = define<ManifestFlags>({
  brief: "Write down what every pane holds now",
  description: "Called by tmux-resurrect after each save. Prints nothing then.\n\n" +
    "  tmuxclaude manifest --print    show it, write nothing",
  flags: { print: toggle("Print it, write nothing"), json, socket },
  load: () => import("../commands/manifest.ts"),
});

export const list = define<ListFlags>({
  brief: "List every pane with Claude, and what a revive would do there",
  description:
    "States: running (also suspended), exited (you ended it), lost (it ended in another way: killed, crashed, the\n" +
    "tmux server went away), restored (put back by a restore, not revived yet).\n\n" +
    "  tmuxclaude list --state lost        what a crash took\n" +
    "  tmuxclaude list --json              for scripts, from outside tmux too",
  flags: {
    team: text("Only the panes of this team (unassigned: those of none)", "TEAM"),
    state: choice("Only the panes in this state", PANE_STATES),
    json,
    socket,
  },
  load: () => import("../commands/list.ts"),
});

export const name = define<NameFlags>({
  brief: "Give a window's conversation the window's name",
  description:
    "Called by tmux when a window with a conversation is renamed. The name goes in at once when Claude's input box\n" +
    "is empty, else with your next prompt; nothing is typed into a dialog or over a draft. A name that another\n" +
    "conversation of the project has gets a number.\n\n" +
    "  tmuxclaude name --window @3                  push the name of window @3\n" +
    "  tmuxclaude name --sanitize 'fix: login'      only show what a text becomes\n" +
    "  tmuxclaude name --free api --taken api       only show the next free name",
  flags: {
    window: text("The window, by its id", "@ID"),
    pane,
    sanitize: text("Print the text as a name, without tmux", "TEXT"),
    free: text("Print the first form of this name that is not taken, without tmux", "NAME"),
    taken: { ...text("A name that is taken; may be given again", "NAME"), variadic: true },
    json,
    socket,
  },
  load: () => import("../commands/name.ts"),
});

export const hook = define<Record<never, never>>({
  brief: "Called by Claude Code: binds its conversation to the pane",
  description:
    "Claude Code calls it at SessionStart, UserPromptSubmit and SessionEnd, with the event on stdin.\n" +
    "It prints nothing, never fails and changes nothing outside tmux. tmuxclaude install registers it;\n" +
    "tmuxclaude doctor proves that it works.",
  flags: {},
  load: async () => {
    const { hook } = await import("../commands/hook.ts");
    return { run: (system) => hook(system).then(() => 0) };
  },
});
