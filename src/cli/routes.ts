// The table of all commands: names, flags, help. Behaviour is in src/commands/.
import { buildRouteMap } from "@stricli/core";
import { hook, list, manifest, name, restore, revive } from "./routes_panes.ts";
import { completions, doctor, install, uninstall } from "./routes_install.ts";
import { demo } from "./routes_setup.ts";
import { recover } from "./routes_recover.ts";

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
    fullDescription: "tmuxclaude brings every tmux pane's Claude Code conversation back after a crash.\n" +
      "Exit codes: 0 done or nothing to do, 1 failed, 2 wrong usage, 3 nothing found,\n" +
      "4 no tmux server, 5 needs a step by hand, 130 interrupted.",
    hideRoute: { hook: true },
  },
});
