// What a command line that resurrect saved tells of a conversation. Its words were joined with blanks, so quoting is
// lost: an id is certain, a title is what stands up to the next flag. Pure.
import { type SessionId, sessionId } from "../binding.ts";

export interface SavedCommand {
  /** Ids given to --resume, -r or --session-id. */
  ids: SessionId[];
  /** Ids that were the start of a fork, so the conversation itself has another. */
  forked: SessionId[];
  /** Titles given to --resume, --name or -n. */
  titles: string[];
}

const ID = /(?:^|\s)(?:--resume|-r|--session-id)(?:\s+|=)(\S+)/g;
const TITLE = /(?:^|\s)(?:--resume|-r|--name|-n)(?:\s+|=)(?!-)(.+?)(?=\s+-{1,2}[A-Za-z]|$)/g;

/** Reads all command lines of a pane. */
export function readCommand(text: string): SavedCommand {
  const found: SavedCommand = { ids: [], forked: [], titles: [] };
  for (const line of text.split("\n")) readLine(line, found);
  return found;
}

function readLine(line: string, found: SavedCommand): void {
  const ids = [...line.matchAll(ID)].flatMap(([, word]) => sessionId(unquoted(word)) ?? []);
  (/(^|\s)--fork-session(\s|$)/.test(line) ? found.forked : found.ids).push(...ids);
  if (!/claude|cli\.js/.test(line)) return;
  for (const [, words] of line.matchAll(TITLE)) {
    const title = unquoted(words.trim());
    if (title !== "" && !sessionId(title.split(/\s/)[0])) found.titles.push(title);
  }
}

function unquoted(word: string): string {
  return word.replace(/^(['"])(.*)\1$/, "$2");
}
