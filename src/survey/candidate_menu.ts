// The conversations a pane may have held, as a menu: choosing one binds the pane to it and types its line.
import { formatAge } from "../ladder/age.ts";
import { quote } from "../line/quote.ts";
import type { Candidate } from "../recover/candidates.ts";
import { type MenuItem, showMenu } from "../tmux/menu.ts";
import type { Tmux } from "../tmux/client.ts";
import { candidatesFor } from "./recover_candidates.ts";
import type { Survey } from "./survey.ts";

/** Columns of a label: a menu wider than the client is not shown at all. */
const LABEL = 60;

/** Shows the menu and tells how many candidates it holds; 0: nothing was shown. Throws TmuxError. */
export async function showCandidates(
  tmux: Tmux,
  seen: Survey,
  paneId: string,
  client?: string,
): Promise<number> {
  const found = candidatesFor(tmux.system, seen, paneId);
  if (found.length === 0) return 0;
  const items = found.map((candidate) => toItem(tmux.system.self(), paneId, client, candidate));
  await showMenu(tmux, { paneId, client }, "Which conversation?", items);
  return found.length;
}

function toItem(program: string, paneId: string, client: string | undefined, candidate: Candidate): MenuItem {
  const word = (text: string) => quote(text, "posix");
  const us = word(program);
  const on = client ? ["--client", word(client)] : [];
  const bind = [us, "recover", "--bind", word(`${paneId}=${candidate.session_id}`)];
  return { label: labelOf(candidate), words: [...bind, "&&", us, "revive", "--pane", word(paneId), ...on] };
}

function labelOf({ title, session_id, age_seconds, evidence }: Candidate): string {
  const age = age_seconds === null ? "" : `, ${formatAge(age_seconds * 1_000)} old`;
  const text = [...`${title ?? session_id.slice(0, 8)} (${evidence[0]}${age})`];
  return text.length > LABEL ? `${text.slice(0, LABEL - 1).join("")}…` : text.join("");
}
