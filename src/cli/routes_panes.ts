// Commands about panes and conversations.
import type { ListFlags } from "../commands/list.ts";
import type { ManifestFlags } from "../commands/manifest.ts";
import type { NameFlags } from "../commands/name.ts";
import type { RestoreFlags } from "../commands/restore.ts";
import type { ReviveFlags } from "../commands/revive.ts";
import { PANE_STATES } from "../ladder/pane_state.ts";
import { define } from "./context.ts";
import { choice, count, dryRun, json, pane, size, socket, text, toggle } from "./flags.ts";

export const revive = define<ReviveFlags>({
  brief: "Bring the conversation of one pane back, typed at its prompt",
  examples: [
    ["revive", "what prefix + r does, for the pane you are in"],
    ["revive --dry-run", "what would be typed here"],
    ["revive --pane %3 --json", "type it in pane %3, tell what was done and why"],
    ["revive --menu", "choose from what this pane may have held"],
  ],
  description:
    "Types the line that resumes the conversation this pane held, without Enter, and tells how certain it is.\n" +
    "Nothing is typed where Claude or another program runs. A dead pane is respawned with the conversation in it.",
  settings: ["@tmuxclaude-revive-enter", "TMUXCLAUDE_STATE_DIR", "TMUX", "TMUX_PANE"],
  flags: {
    pane,
    client: text("Show the message on this client", "NAME"),
    menu: toggle("Show what the pane may have held, and let me choose"),
    enter: toggle("Press Enter as well, when the conversation is certain"),
    force: toggle("Also when the conversation is alive elsewhere, or went on in another pane"),
    dryRun,
    json,
    socket,
  },
  load: () => import("../commands/revive.ts"),
});

export const restore = define<RestoreFlags>({
  brief: "After tmux came back: give all panes their conversations again",
  examples: [
    ["restore --dry-run", "what would happen in each pane, and why not in others"],
    ["restore --policy type", "put the conversations back, type each line"],
    ["restore --policy run --limit 5", "start the five that were active last"],
    ['restore --force --at "2026-11-30 09:00"', "once more, by the last record before that time"],
  ],
  description:
    "Called by tmux-resurrect after a restore. Stamps the panes with the conversations they held, then acts by\n" +
    "policy: lazy (nothing more; the key revives), type (types each line), run (starts again what was running;\n" +
    "what you had ended is only typed). Once for each start of the tmux server.",
  settings: ["@tmuxclaude-restore", "TMUXCLAUDE_STATE_DIR", "TMUX"],
  flags: {
    policy: choice("What to do after stamping", ["lazy", "type", "run"] as const),
    dryRun,
    force: toggle("Again, although it was done since this tmux server started"),
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
  examples: [
    ["manifest", "what tmux-resurrect's hook calls; for other savers: call it after a save"],
    ["manifest --print", "show it, write nothing"],
    ["manifest --json", "the same as JSON"],
  ],
  description:
    "Called by tmux-resurrect after each save, and silent then. The record has every pane, and is kept as a snapshot\n" +
    "for 7 days when it differs from the one before.",
  settings: ["TMUXCLAUDE_STATE_DIR", "TMUX"],
  flags: { print: toggle("Print it, write nothing"), json, socket },
  load: () => import("../commands/manifest.ts"),
});

export const list = define<ListFlags>({
  brief: "List every pane with Claude, and what a revive would do there",
  examples: [
    ["list", "all of them"],
    ["list --state lost", "what was killed or crashed"],
    ["list --team api --json", "for scripts, from outside tmux too"],
  ],
  description:
    "States: running (also suspended), exited (you ended it), lost (it ended in another way: killed, crashed, the\n" +
    "tmux server went away), restored (put back by a restore, not revived yet).",
  settings: ["@tmuxclaude-team", "TMUXCLAUDE_STATE_DIR", "TMUX", "NO_COLOR"],
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
  examples: [
    ["name", "push the name of the window you are in"],
    ["name --window @3 --json", "that of window @3, tell what came of it"],
    ["name --sanitize 'fix: login'", "only show what a text becomes"],
    ["name --free api --taken api", "only show the next free name"],
  ],
  description:
    "Called by tmux when a window with a conversation is renamed. The name goes in at once when Claude's input box\n" +
    "is empty, else with your next prompt; nothing is typed into a dialog or over a draft. A name that another\n" +
    "conversation of the project has gets a number.",
  settings: ["TMUXCLAUDE_STATE_DIR", "TMUX", "TMUX_PANE"],
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
  examples: [["hook", "with the event on stdin; install writes the whole command into settings.json"]],
  description:
    "Claude Code calls it at SessionStart, UserPromptSubmit and SessionEnd, with the event on stdin.\n" +
    "It prints nothing, never fails and changes nothing outside tmux. tmuxclaude install registers it;\n" +
    "tmuxclaude doctor proves that it works.",
  settings: [
    "@tmuxclaude-team",
    "TMUXCLAUDE_STATE_DIR",
    "TMUXCLAUDE_TEAM",
    "TMUXCLAUDE_TEAMS_FILE",
    "TMUXCLAUDE_EPISODES",
    "TMUXCLAUDE_EPISODE",
    "CLAUDE_CONFIG_DIR",
  ],
  flags: {},
  load: async () => {
    const { hook } = await import("../commands/hook.ts");
    return { run: (system) => hook(system).then(() => 0) };
  },
});
