// The conversations a pane may have held, as a menu: choosing one binds the pane to it and types its line.
import { formatOld } from "../ladder/age.ts";
import { quote } from "../line/quote.ts";
import type { Candidate } from "../recover/candidates.ts";
import { labelColumns, type MenuItem, showMenu } from "../tmux/menu.ts";
import type { Tmux } from "../tmux/client.ts";
import { candidatesFor } from "./recover_candidates.ts";
import type { Survey } from "./survey.ts";

/** Columns of a label on a wide client. */
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
  const columns = Math.min(LABEL, await labelColumns(tmux, client));
  const items = found.map((candidate) => ({
    label: labelOf(candidate, columns),
    words: wordsOf(tmux.system.self(), paneId, client, candidate),
  }));
  await showMenu(tmux, { paneId, client }, "Which conversation?", items);
  return found.length;
}

function wordsOf(
  program: string,
  paneId: string,
  client: string | undefined,
  candidate: Candidate,
): MenuItem["words"] {
  const word = (text: string) => quote(text, "posix");
  const us = word(program);
  const on = client ? ["--client", word(client)] : [];
  const bind = [us, "recover", "--bind", word(`${paneId}=${candidate.session_id}`)];
  return [...bind, "&&", us, "revive", "--pane", word(paneId), ...on];
}

function labelOf({ title, session_id, age_seconds, evidence }: Candidate, columns: number): string {
  const age = age_seconds === null ? "" : `, ${formatOld(age_seconds * 1_000)}`;
  const text = [...`${title ?? session_id.slice(0, 8)}${age} (${evidence[0]})`];
  return text.length > columns ? `${text.slice(0, columns - 1).join("")}…` : text.join("");
}
