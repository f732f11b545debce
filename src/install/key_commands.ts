// Giving keys back in a running server. Pure.
import type { Command } from "../tmux/client.ts";
import { isReload, type KeyBinding } from "../tmux/key_bindings.ts";
import { isOurBinding } from "./keys.ts";
import type { KeyReceipt } from "./receipt.ts";

/** What was ours goes; what it had replaced comes back. What the user bound since stays. */
export function keyCommands(bindings: KeyBinding[], keys: KeyReceipt | null): Command[] {
  const ours = bindings.filter((binding) => isOurBinding(binding.command)).map((binding) => binding.key);
  const moved = bindings.find((binding) => binding.key === keys?.moved_to && isReload(binding.command));
  const commands: Command[] = [...ours, ...(moved ? [moved.key] : [])].map((
    key,
  ) => ["unbind-key", "-T", "prefix", key]);
  for (const key of ours) {
    const before = key === keys?.key ? keys.moved ?? keys.before : null;
    if (before !== null && !isDefault(key, before)) commands.push(bindAgain(key, before, keys!));
    else if (key === "r") commands.push(DEFAULT_OF_R);
  }
  return commands;
}

const DEFAULT_OF_R: Command = [
  "bind-key",
  "-N",
  "Redraw the current client",
  "-T",
  "prefix",
  "r",
  "refresh-client",
];

function isDefault(key: string, command: string): boolean {
  return key === "r" && command === "refresh-client";
}

/** if-shell takes the command as one text in tmux's own quoting, which is what list-keys printed. */
function bindAgain(key: string, command: string, { repeat }: KeyReceipt): Command {
  return ["if-shell", "-F", "1", `bind-key ${repeat ? "-r " : ""}-T prefix ${key} ${command}`];
}
