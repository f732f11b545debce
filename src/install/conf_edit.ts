// Our block in the user's tmux.conf: one line between two marks, after everything else. A text goes in, a text or a
// refusal comes out.
import type { Edit, Made } from "./edit.ts";
import { stepBetween, undo } from "./steps.ts";

const FIRST_MARK = `# >>> tmuxclaude >>> written by "tmuxclaude install", removed by "tmuxclaude uninstall"`;
const LAST_MARK = "# <<< tmuxclaude <<<";

const IS_FIRST = /^\s*# >>> tmuxclaude >>>/;
const IS_LAST = /^\s*# <<< tmuxclaude <<</;

/** The block as it is pasted by hand. */
export function confBlock(line: string): string {
  return `${FIRST_MARK}\n${line}\n${LAST_MARK}\n`;
}

/** Exactly one block with this line; an existing one keeps its place. */
export function addBlock(text: string, line: string): Edit {
  const found = findBlock(text);
  if ("reason" in found) return { kind: "refused", reason: found.reason };
  const block = confBlock(line).trimEnd();
  return change(text, found.block ? replaceBlock(text, found.block, block) : appendBlock(text, block));
}

/** Takes the block out, the way it was put in if that can be found. */
export function removeBlock(text: string, made: Made | null): Edit {
  const found = findBlock(text);
  if ("reason" in found) return { kind: "refused", reason: found.reason };
  if (!found.block) return { kind: "unchanged" };
  const back = made && undo(text, made.steps);
  if (back !== null && isGone(back)) return { kind: "changed", text: back, steps: [], made: [] };
  const rest = text.slice(found.block.end);
  // A block without a newline behind it stands after a text that had none either.
  const start = rest === "" && !/\n$/.test(text)
    ? text.slice(0, found.block.start).replace(/\r?\n$/, "")
    : null;
  return { kind: "changed", text: (start ?? text.slice(0, found.block.start)) + rest, steps: [], made: [] };
}

function isGone(text: string): boolean {
  const found = findBlock(text);
  return "block" in found && found.block === null;
}

/** Where the block is: from the start of its first line to the end of its last one, newline included. */
interface Block {
  start: number;
  end: number;
}

/** The one block in the text, null for none, or why its marks cannot be trusted. */
export function findBlock(text: string): { block: Block | null } | { reason: string } {
  const marks: { first: boolean; start: number; end: number }[] = [];
  for (const match of text.matchAll(/[^\n]*(?:\n|$)/g)) {
    const [line] = match;
    const first = IS_FIRST.test(line);
    if (first || IS_LAST.test(line)) {
      marks.push({ first, start: match.index, end: match.index + line.length });
    }
  }
  if (marks.length === 0) return { block: null };
  if (marks.length === 2 && marks[0].first && !marks[1].first) {
    return { block: { start: marks[0].start, end: marks[1].end } };
  }
  return {
    reason: `the tmuxclaude marks in it are damaged (${marks.length} found, in line ${
      lineOf(text, marks[0].start)
    } first)`,
  };
}

function lineOf(text: string, index: number): number {
  return text.slice(0, index).split("\n").length;
}

/** The newline stays LF also in a file with CRLF: tmux takes a CR for a part of the path. */
function replaceBlock(text: string, { start, end }: Block, block: string): string {
  const ending = text.slice(start, end).endsWith("\n") ? "\n" : "";
  return text.slice(0, start) + block + ending + text.slice(end);
}

/** The last line of a text may go on in the next one (`\` at its end): an empty line ends it. */
function appendBlock(text: string, block: string): string {
  const isOpen = /(^|[^\\])(\\\\)*\\\r?\n?$/.test(text);
  const gap = isOpen ? "\n" : "";
  if (text === "" || text.endsWith("\n")) return `${text}${gap}${block}\n`;
  return `${text}\n${gap}${block}`;
}

function change(old: string, text: string): Edit {
  if (old === text) return { kind: "unchanged" };
  return { kind: "changed", text, steps: [stepBetween(old, text)], made: [] };
}
