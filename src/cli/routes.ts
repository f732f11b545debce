// The table of all commands: names, flags, help. Behaviour is in src/commands/.
import { buildRouteMap } from "@stricli/core";
import { EXIT_CODES } from "./exit_codes.ts";
import { describe } from "./help.ts";
import { hook, list, manifest, name, restore, revive } from "./routes_panes.ts";
import { completions, doctor, install, uninstall } from "./routes_install.ts";
import { demo } from "./routes_setup.ts";
import { recover } from "./routes_recover.ts";
import { TMUX_OPTIONS, VARIABLES } from "./settings.ts";

export const routes = buildRouteMap({
  routes: {
    list,
    revive,
    restore,
    recover,
    name,
    manifest,
    doctor,
    install,
    uninstall,
    demo,
    completions,
    hook,
  },
  docs: {
    brief: "Binds Claude Code conversations to tmux panes",
    fullDescription: describe({
      examples: [
        ["demo", "see the whole story on a private tmux server"],
        ["doctor", "check that everything is in place"],
        ["list --state lost", "what was killed or crashed"],
        ["help revive", "examples, flags and settings of a command"],
      ],
      description: "tmuxclaude brings every tmux pane's Claude Code conversation back after a crash.\n" +
        `Exit codes:\n${EXIT_CODES.map(([code, meaning]) => `  ${code}`.padEnd(7) + meaning).join("\n")}`,
      settings: [...TMUX_OPTIONS, ...VARIABLES].map(({ name }) => name),
    }),
    hideRoute: { hook: true },
  },
});
