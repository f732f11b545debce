// Every pane with Claude: what it holds, what became of it, and what a revive would do there now.
import { listTable } from "../cli/list_table.ts";
import { printJson, say } from "../cli/output.ts";
import { hasColor, roomOf } from "../cli/terminal.ts";
import { ExitCode } from "../errors.ts";
import type { PaneState } from "../ladder/pane_state.ts";
import { inventory, type ListedPane } from "../survey/inventory.ts";
import { homeOf, survey } from "../survey/survey.ts";
import type { System } from "../system/system.ts";
import { connect, explain } from "../tmux/client.ts";
import type { Server } from "../tmux/panes.ts";

export interface ListFlags {
  team?: string;
  state?: PaneState;
  json?: boolean;
  socket?: string;
}

/** Lists the panes; one that never held a Claude is left out. */
export async function run(system: System, flags: ListFlags): Promise<number> {
  const tmux = connect(system, flags.socket);
  const seen = await survey(tmux).catch((error) => {
    throw explain(error, "Cannot list the panes");
  });
  const panes = (await inventory(tmux, seen)).filter((pane) => isWanted(pane, flags));
  if (flags.json) printJson(system, { server: serverOf(system, seen.server), panes: panes.map(toJson) });
  else if (panes.length === 0) say(system, nothingFound(flags));
  else print(system, panes);
  return ExitCode.done;
}

function isWanted(pane: ListedPane, { team, state }: ListFlags): boolean {
  return (team === undefined || pane.team?.id === team) && (state === undefined || pane.state === state);
}

function serverOf(system: System, { socket, pid, started, version }: Server) {
  return { socket, pid, started, version, host: system.hostname() };
}

/** The remark is for people; programs have the reason. */
function toJson({ remark: _remark, ...pane }: ListedPane) {
  return pane;
}

function nothingFound({ team, state }: ListFlags): string {
  const kind = state ? `a Claude that is ${state}` : "Claude";
  return `no pane with ${kind}${
    team === undefined ? "" : ` in team ${team}`
  } on this tmux server (tmuxclaude recover: what an earlier one held)`;
}

function print(system: System, panes: ListedPane[]): void {
  const lines = listTable(panes, { room: roomOf(system), home: homeOf(system), color: hasColor(system) });
  system.stdout(lines.map((line) => `${line}\n`).join(""));
}
