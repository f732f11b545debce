// Commands that set the program up, look after it and take it away again.
import { buildRouteMap } from "@stricli/core";
import type { CompletionShell } from "../commands/completions.ts";
import type { DoctorFlags } from "../commands/doctor.ts";
import type { InstallFlags } from "../commands/install.ts";
import type { UninstallFlags } from "../commands/uninstall.ts";
import { define } from "./context.ts";
import { dryRun, json, key, text, toggle } from "./flags.ts";

const configDir = {
  ...text("A config folder of Claude's; may be given more than once", "DIR"),
  variadic: true,
} as const;
const tmuxConf = text("The tmux.conf to edit (default: the one your tmux reads last)", "FILE");
const yes = toggle("Do not ask");

export const install = define<InstallFlags>({
  brief: "Register with Claude and tmux: settings.json, tmux.conf, running servers",
  examples: [
    ["install", "shows the changes, asks, makes them"],
    ["install --dry-run", "only the changes, as a diff"],
    ["install --print", "snippets for dotfiles, Nix, chezmoi and TPM"],
    ["install --key g", "another key than r"],
    ["install --config-dir ~/.claude --config-dir ~/.claude-work", "two accounts"],
  ],
  description:
    "Adds three hooks to Claude's settings.json and one line to tmux.conf, shows what it changes, keeps a copy of\n" +
    "what was there, and tells running tmux servers. Files it may not write are left alone: then it shows what to\n" +
    "paste and ends with 5. prefix + r revives; a reload binding that was on r moves to R.",
  settings: ["CLAUDE_CONFIG_DIR", "TMUX"],
  flags: {
    dryRun,
    print: toggle("Print snippets to paste, change nothing"),
    yes,
    noTmux: toggle("Only Claude's hooks"),
    configDir,
    tmuxConf,
    key: key("The key behind the prefix (default: r, if that takes nothing of yours)"),
    program: text("The path to register (default: this program)", "FILE"),
    json,
  },
  load: () => import("../commands/install.ts"),
});

export const uninstall = define<UninstallFlags>({
  brief: "Take all of that back, byte for byte",
  examples: [
    ["uninstall --dry-run", "the changes as a diff"],
    ["uninstall", "shows the changes, asks, makes them"],
    ["uninstall --purge", "the records of conversations too"],
  ],
  description:
    "Takes our entries, and only ours, out of settings.json and tmux.conf, and our keys, hooks and options out of\n" +
    "running servers. The records of conversations stay, and so does the program: install.sh --uninstall removes it.",
  settings: ["TMUXCLAUDE_STATE_DIR", "CLAUDE_CONFIG_DIR"],
  flags: { dryRun, yes, purge: toggle("Remove the records of conversations too"), configDir, tmuxConf, json },
  load: () => import("../commands/uninstall.ts"),
});

export const doctor = define<DoctorFlags>({
  brief: "Check that everything is in place, and say what to do if not",
  examples: [
    ["doctor", "what is there, what is missing, what to do about it"],
    ["doctor --fix", "mend what is safe to mend"],
    ["doctor --deep", "also survive a crash on a tmux server of its own"],
    ["doctor --report", "without names and folders, to paste into an issue"],
  ],
  description:
    "Runs the hook as Claude runs it, asks the running tmux server for its keys and hooks, and looks at saves,\n" +
    "records and permissions. Ends with 0 when nothing is broken.",
  settings: ["TMUXCLAUDE_STATE_DIR", "CLAUDE_CONFIG_DIR", "TMUX", "NO_COLOR"],
  flags: {
    json,
    fix: toggle("Mend what is safe to mend, then look again"),
    yes,
    deep: toggle("Also make a round trip on a private tmux server"),
    report: toggle("Text without anything private"),
    strict: toggle("End with 1 for warnings too"),
    configDir,
  },
  load: () => import("../commands/doctor.ts"),
});

function completionsOf(shell: CompletionShell) {
  return define<Record<never, never>>({
    brief: `Completions for ${shell}`,
    examples: [[`completions ${shell}`, "the lines"]],
    description: `Prints the lines that let ${shell} complete tmuxclaude; the first line says where they go.`,
    flags: {},
    load: async () => {
      const { run } = await import("../commands/completions.ts");
      return { run: (system) => run(system, { shell }) };
    },
  });
}

export const completions = buildRouteMap({
  routes: { bash: completionsOf("bash"), zsh: completionsOf("zsh"), fish: completionsOf("fish") },
  docs: { brief: "Completions for your shell: bash, zsh, fish" },
});
