// One word of a command line, quoted for the shell that reads it. Pure. The line is typed, so no control character
// may stand in it: a tab would complete and a newline would run what is there.

export type Shell = "posix" | "bash" | "zsh" | "fish" | "nu";

export interface QuoteOptions {
  /** Also escape what is not ASCII: line editors in a C locale take those bytes for Meta keys. */
  ascii?: boolean;
}

/** Words that mean themselves everywhere. A leading "=", "%" or "@" means something in zsh, fish or nushell. */
const BARE = /^[A-Za-z0-9_./:+,-][A-Za-z0-9_./:=@%+,-]*$/;
/** nushell reads "..." as "../..", and "=", "%", "+", "," in some places. */
const BARE_NU = /^(?!.*\.\.\.)[A-Za-z0-9_./-][A-Za-z0-9_./:@-]*$/;

/** What cannot be typed or seen: controls, format characters, separators, blanks other than the space. */
const UNSEEN = String
  .raw`\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Co}\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000\ufe00-\ufe0f`;
const escapes = {
  seen: new RegExp(`[${UNSEEN}]`, "u"),
  /** zsh shows combining marks as <0301>, so they are escaped there. */
  zsh: new RegExp(`[${UNSEEN}\\p{M}]`, "u"),
  ascii: /[^ -~]/u,
};

/** The text as one word that the shell turns back into exactly this text. */
export function quote(text: string, shell: Shell, options: QuoteOptions = {}): string {
  if ((shell === "nu" ? BARE_NU : BARE).test(text)) return text;
  const hidden = options.ascii ? escapes.ascii : shell === "zsh" ? escapes.zsh : escapes.seen;
  const isHidden = (char: string) => hidden.test(char);
  return QUOTERS[shell](text, isHidden);
}

type Test = (char: string) => boolean;

const QUOTERS: Record<Shell, (text: string, isHidden: Test) => string> = {
  posix: (text, isHidden) => plainQuotes(text, isHidden) ?? posixQuotes(text, isHidden),
  bash: (text, isHidden) => plainQuotes(text, isHidden) ?? ansiQuotes(text, isHidden),
  zsh: (text, isHidden) => plainQuotes(text, isHidden) ?? ansiQuotes(text, isHidden),
  fish: fishQuotes,
  nu: nuQuotes,
};

const some = (text: string, test: Test) => [...text].some(test);

/** '…' or "…" when one of the two holds the text as it is, else null. */
function plainQuotes(text: string, isHidden: Test): string | null {
  if (some(text, isHidden)) return null;
  if (!text.includes("'")) return `'${text}'`;
  // "!" expands within "…" in an interactive bash or zsh.
  return /["$`\\!]/.test(text) ? null : `"${text}"`;
}

/** `$'…'` of bash and zsh. "'" and "!" go as octal: old versions end the quote or expand history at them. */
function ansiQuotes(text: string, isHidden: Test): string {
  const inner = [...text].map((char) => {
    if (char === "\\") return "\\\\";
    return char === "'" || char === "!" || isHidden(char) ? octal(char) : char;
  });
  return `$'${inner.join("")}'`;
}

/** The POSIX shell knows no escapes within quotes: printf makes them. */
function posixQuotes(text: string, isHidden: Test): string {
  if (!some(text, isHidden)) return `'${text.replaceAll("'", `'\\''`)}'`;
  const body = text.replace(/\n+$/, "");
  const inner = [...body].map((char, index) => {
    const special = /["'$`\\!%]/.test(char) || (char === "-" && index === 0); // dash: printf: Illegal option --
    return special || isHidden(char) ? octal(char) : char;
  });
  // $(…) drops newlines at the end; the third character of IFS is one.
  return `"${body && `$(printf '${inner.join("")}')`}${"${IFS#??}".repeat(text.length - body.length)}"`;
}

function octal(char: string): string {
  const bytes = new TextEncoder().encode(char);
  return Array.from(bytes, (byte) => "\\" + byte.toString(8).padStart(3, "0")).join("");
}

/** fish: within '…' only \' and \\ are escapes (so each backslash is doubled), others stand outside. */
function fishQuotes(text: string, isHidden: Test): string {
  const parts = runs(text, isHidden).map(({ hidden, run }) => {
    if (hidden) return [...run].map(fishEscape).join("");
    return `'${run.replaceAll(/['\\]/g, "\\$&")}'`;
  });
  return parts.join("") || "''";
}

function fishEscape(char: string): string {
  if (char === "\n") return "\\n";
  if (char === "\t") return "\\t";
  const code = char.codePointAt(0)!;
  return code < 0x80 ? `\\x${hex(code, 2)}` : code < 0x10000 ? `\\u${hex(code, 4)}` : `\\U${hex(code, 8)}`;
}

/**
 * nushell: only "…" has escapes (its book, working_with_strings). Its line editor expands "!" after a blank also
 * within quotes (seen on 0.115).
 */
function nuQuotes(text: string, isHidden: Test): string {
  const isEscaped = (char: string) => isHidden(char) || (char === "!" && text.includes(" !"));
  if (!some(text, isEscaped) && !text.includes("'")) return `'${text}'`;
  const inner = [...text].map((char) => {
    if (char === '"' || char === "\\") return `\\${char}`;
    return isEscaped(char) ? `\\u{${char.codePointAt(0)!.toString(16)}}` : char;
  });
  return `"${inner.join("")}"`;
}

const hex = (code: number, digits: number) => code.toString(16).padStart(digits, "0");

function runs(text: string, isHidden: Test): { hidden: boolean; run: string }[] {
  const found: { hidden: boolean; run: string }[] = [];
  for (const char of text) {
    const hidden = isHidden(char);
    const last = found.at(-1);
    if (last?.hidden === hidden) last.run += char;
    else found.push({ hidden, run: char });
  }
  return found;
}
