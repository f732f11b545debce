// A row that tmux captured with its escape sequences, as characters and how they are drawn. Pure.

/** One character of a row. */
export interface Cell {
  char: string;
  dim: boolean;
  /** Claude draws its cursor as an inverse cell. */
  inverse: boolean;
}

type Attributes = Omit<Cell, "char">;

const NONE: Attributes = { dim: false, inverse: false };

// CSI … final byte, OSC … BEL or ST, and the character set switches that tmux prints.
const ESCAPE =
  // deno-lint-ignore no-control-regex
  /\x1b\[([0-9;:]*)([A-Za-z])|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b[()][A-Z0-9]|[\x0e\x0f]/y;

/** The characters of a captured row, escape sequences taken out. */
export function readCells(row: string): Cell[] {
  const cells: Cell[] = [];
  let now = NONE;
  for (let at = 0; at < row.length;) {
    ESCAPE.lastIndex = at;
    const escape = ESCAPE.exec(row);
    if (escape?.[2] === "m") now = after(escape[1], now);
    if (escape) {
      at += escape[0].length;
      continue;
    }
    const char = String.fromCodePoint(row.codePointAt(at) as number);
    cells.push({ char, ...now });
    at += char.length;
  }
  return cells;
}

/** SGR 2 is dim, 7 inverse, 22, 27 and 0 end them; the numbers of a colour (38;5;2, 48;2;r;g;b) are no attributes. */
function after(parameters: string, before: Attributes): Attributes {
  const codes = parameters.split(";").map((code) => code.includes(":") ? -1 : Number(code));
  let now = before;
  for (let index = 0; index < codes.length; index++) {
    const code = codes[index];
    if (code === 38 || code === 48 || code === 58) index += codes[index + 1] === 5 ? 2 : 4;
    else if (code === 0) now = NONE;
    else if (code === 2 || code === 22) now = { ...now, dim: code === 2 };
    else if (code === 7 || code === 27) now = { ...now, inverse: code === 7 };
  }
  return now;
}
