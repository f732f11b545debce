// What `tmuxclaude` alone prints.
import { ExitCode } from "../errors.ts";
import type { System } from "../system/system.ts";

const TEXT =
  `tmuxclaude brings every tmux pane's Claude Code conversation back after a crash, in one keypress.

  tmuxclaude demo              see the whole story on a private tmux server, in a few seconds
  tmuxclaude doctor            check that everything is in place
  prefix + r                   in a restored pane: type the line that resumes its conversation

Commands: list, revive, restore, recover, name, manifest, doctor, install, uninstall, demo, completions
More:     tmuxclaude help COMMAND
`;

/** Prints the short help. */
export function intro(system: System): number {
  system.stdout(TEXT);
  return ExitCode.done;
}
