// Taking our bindings, hooks and options out of a running server: reloading a configuration does not remove what is
// gone from it.
import { type Command, runTmux, type Tmux } from "../tmux/client.ts";
import { readBindings } from "../tmux/key_bindings.ts";
import { nameCleaning } from "../tmux/name_conf.ts";
import { OPTION, unstampCommands } from "../tmux/options.ts";
import { listPanes } from "../tmux/panes.ts";
import { keyCommands } from "./key_commands.ts";
import { isOurBinding } from "./keys.ts";
import { CHAINED, chainMemory } from "./own_conf.ts";
import type { KeyReceipt } from "./receipt.ts";
import { ASK_MS } from "./request.ts";

/** A hook option as it is, as we had set it, and as it was before; "" for not set. */
export interface ChainState {
  option: string;
  now: string;
  ours: string;
  original: string;
}

/** Cleans one server, in a dry run only looks. Tells whether anything of ours was in it. Throws TmuxError. */
export async function cleanServer(tmux: Tmux, keys: KeyReceipt | null, purge: boolean): Promise<boolean> {
  const bindings = await readBindings(tmux, ASK_MS);
  const chains = await readChains(tmux);
  const isOurs = chains.some(({ ours }) => ours !== "") ||
    bindings.some(({ command }) => isOurBinding(command));
  if (tmux.system.dryRun || !(isOurs || purge)) return isOurs;
  const commands = [
    ...keyCommands(bindings, keys),
    ...chains.flatMap(chainCommands),
    ["set-option", "-gu", OPTION.reviveKey],
    ...await nameCleaning(tmux),
    ...(purge ? await stampCleaning(tmux) : []),
  ];
  await runTmux(tmux, commands, ASK_MS);
  return true;
}

async function stampCleaning(tmux: Tmux): Promise<Command[]> {
  const { panes } = await listPanes(tmux);
  return panes.filter((pane) => pane.stamp).flatMap((pane) => unstampCommands(pane.pane_id));
}

/** The hook options of tmux-resurrect on a server. Throws TmuxError. */
export async function readChains(tmux: Tmux): Promise<ChainState[]> {
  const options = CHAINED.flatMap(({ option }) => {
    const { original, ours } = chainMemory(option);
    return [option, ours, original];
  });
  const values = await readOptions(tmux, options);
  return CHAINED.map(({ option }, index) => {
    const [now, ours, original] = values.slice(index * 3, index * 3 + 3);
    return { option, now, ours, original };
  });
}

/** Values of global options, "" for those that are not set. A random mark parts them: values may hold newlines. */
export async function readOptions(tmux: Tmux, options: string[]): Promise<string[]> {
  const mark = tmux.system.randomHex(8);
  const commands = options.flatMap((option): Command[] => [
    ["show-options", "-gqv", option],
    ["display-message", "-p", mark],
  ]);
  const parts = (await runTmux(tmux, commands, ASK_MS)).split(`${mark}\n`).slice(0, options.length);
  return parts.map((part) => part.replace(/\n$/, ""));
}

/** The user's own command comes back, unless they have changed it since: then it is theirs already. */
function chainCommands({ option, now, ours, original }: ChainState): Command[] {
  const memory = chainMemory(option);
  const forget: Command[] = [memory.original, memory.ours].map((name) => ["set-option", "-gu", name]);
  if (ours === "" || now !== ours) return forget;
  const back: Command = original === ""
    ? ["set-option", "-gu", option]
    : ["set-option", "-g", option, original];
  return [back, ...forget];
}
