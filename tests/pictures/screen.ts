// A terminal's screen as text with its colours: what `capture-pane -e` prints, taken apart. Pure.

/** How text looks; colours are numbers of the palette of 256, null for the terminal's own. */
export interface Style {
  foreground: number | null;
  background: number | null;
  bold: boolean;
  dim: boolean;
  reverse: boolean;
}

/** Text of one style; `column` is where it begins. Runs hold ASCII, or one other character again and again. */
export interface Run {
  column: number;
  text: string;
  style: Style;
}

const PLAIN: Style = { foreground: null, background: null, bold: false, dim: false, reverse: false };
/** A colour or style sequence, or one character. */
// deno-lint-ignore no-control-regex
const PIECE = /\x1b\[([\d;]*)m|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x0e|\x0f|([^])/gu;

/** The runs of each row. */
export function parseScreen(captured: string): Run[][] {
  let style = PLAIN;
  return captured.split("\n").map((row) => {
    const runs: Run[] = [];
    let column = 0;
    for (const [, codes, char] of row.matchAll(PIECE)) {
      if (codes !== undefined) style = restyle(style, codes);
      if (char === undefined) continue;
      append(runs, { column, text: char, style });
      column++;
    }
    return runs;
  });
}

function append(runs: Run[], run: Run): void {
  const last = runs.at(-1);
  const isAlike = last && (last.text.endsWith(run.text) || (isAscii(last.text) && isAscii(run.text)));
  if (isAlike && last.style === run.style) last.text += run.text;
  else runs.push(run);
}

function isAscii(text: string): boolean {
  return /^[ -~]+$/.test(text);
}

function restyle(before: Style, codes: string): Style {
  const style = { ...before };
  const numbers = codes.split(";").map(Number);
  while (numbers.length > 0) apply(style, numbers.shift()!, numbers);
  return style;
}

function apply(style: Style, code: number, rest: number[]): void {
  if (code === 0) Object.assign(style, PLAIN);
  else if (code === 1) style.bold = true;
  else if (code === 2) style.dim = true;
  else if (code === 22) style.bold = style.dim = false;
  else if (code === 7) style.reverse = true;
  else if (code === 27) style.reverse = false;
  else if (code >= 30 && code <= 37) style.foreground = code - 30;
  else if (code >= 90 && code <= 97) style.foreground = code - 82;
  else if (code === 39) style.foreground = null;
  else if (code >= 40 && code <= 47) style.background = code - 40;
  else if (code >= 100 && code <= 107) style.background = code - 92;
  else if (code === 49) style.background = null;
  else if (code === 38 && rest[0] === 5) [, style.foreground] = rest.splice(0, 2);
  else if (code === 48 && rest[0] === 5) [, style.background] = rest.splice(0, 2);
}
