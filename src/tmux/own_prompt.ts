// When this program itself has the pane's keyboard, because somebody typed its name there.
import { ancestors } from "../claude/process.ts";
import type { Process, System } from "../system/system.ts";
import type { Pane } from "./panes.ts";
import { frontShell, type PromptState } from "./prompt.ts";

type PaneFacts = Pick<Pane, "pid" | "tty" | "dead" | "input_off">;

/** Whether this very program has the pane's keyboard. */
export function isOurs(system: System, all: Process[], pane: { pid: number }): boolean {
  const self = all.find(({ pid }) => pid === system.pid);
  const top = all.find(({ pid }) => pid === pane.pid);
  return self !== undefined && top !== undefined && self.terminal === top.terminal &&
    self.group === top.foreground;
}

/** The prompt as it will be when we have ended: that of the shell that started us. */
export function promptBehindUs(system: System, pane: PaneFacts, all: Process[]): PromptState {
  const self = all.find(({ pid }) => pid === system.pid)!;
  const shell = ancestors(all, self.pid).find(({ group }) => group !== self.group);
  const others = all.filter(({ group, terminal }) => group !== self.group || terminal !== self.terminal);
  const foreground = shell?.group ?? self.group;
  const then = others.map((one) => one.terminal === self.terminal ? { ...one, foreground } : one);
  return frontShell(system, pane, then);
}
