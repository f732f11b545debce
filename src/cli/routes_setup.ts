// Commands for the first day: trying it out and setting it up.
import type { DemoFlags } from "../commands/demo.ts";
import { define } from "./context.ts";
import { toggle } from "./flags.ts";

export const demo = define<DemoFlags>({
  brief: "Show the whole story on a private tmux server",
  examples: [
    ["demo", "the whole story"],
    ["demo --keep", "leave the scratch folder for a look"],
  ],
  description:
    "Starts a tmux server of its own with a stand-in for Claude in a scratch folder, kills it with -9, brings the\n" +
    "layout back, restores and revives. Takes a few seconds, touches nothing of yours, and ends with 0 only when\n" +
    "every step was verified.",
  flags: { keep: toggle("Do not remove the scratch folder") },
  load: () => import("../commands/demo.ts"),
});
