// Screens in a row as one moving SVG: a strip of frames behind a window. It has two sets of colours, and a viewer that
// does not move it shows the last frame. Pure.
import type { Run, Style } from "./screen.ts";

export interface Frame {
  rows: Run[][];
  /** Null when it is hidden. */
  cursor: { column: number; row: number } | null;
  /** What happens, below the screen. */
  caption: string;
  seconds: number;
}

export interface Size {
  columns: number;
  rows: number;
}

const CELL = { width: 8, height: 17 };
const MARGIN = 12;
const CAPTION = 34;
const FONT = "ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace";

interface Theme {
  paper: string;
  ink: string;
  /** Colours 0 to 7 of the palette, for letters and for what is behind letters. */
  letters: string[];
  grounds: string[];
}

const LIGHT: Theme = {
  paper: "#ffffff",
  ink: "#24292f",
  letters: ["#24292f", "#cf222e", "#1a7f37", "#9a6700", "#0969da", "#8250df", "#1b7c83", "#6e7781"],
  grounds: ["#afb8c1", "#ffcecb", "#aceebb", "#fae17d", "#b6e3ff", "#ecd8ff", "#a4ecf2", "#eaeef2"],
};
const DARK: Theme = {
  paper: "#0d1117",
  ink: "#c9d1d9",
  letters: ["#0d1117", "#ff7b72", "#3fb950", "#d29922", "#58a6ff", "#bc8cff", "#39c5cf", "#8b949e"],
  grounds: ["#30363d", "#ff7b72", "#3fb950", "#d29922", "#58a6ff", "#bc8cff", "#39c5cf", "#6e7681"],
};

/** The picture; `title` is read to those who cannot see it. */
export function toSvg(frames: Frame[], size: Size, title: string): string {
  const width = size.columns * CELL.width + 2 * MARGIN;
  const height = size.rows * CELL.height + 2 * MARGIN + CAPTION;
  const rows = new Rows();
  const groups = frames.map((frame, index) => frameGroup(frame, { x: index * width, width, height }, rows));
  const head = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" ` +
    `height="${height}" role="img" font-family="${FONT}" font-size="13">`;
  return [
    head,
    `<title>${escape(title)}</title>`,
    `<style>${colours(LIGHT)}@media(prefers-color-scheme:dark){${colours(DARK)}}${STYLE}${
      motion(frames, width)
    }</style>`,
    `<defs>${rows.definitions()}</defs>`,
    `<rect class="b l" x=".5" y=".5" width="${width - 1}" height="${height - 1}" rx="8"/>`,
    `<g class="strip" transform="translate(${-(frames.length - 1) * width})">${groups.join("")}</g>`,
    "</svg>\n",
  ].join("\n");
}

const STYLE = "text{white-space:pre}.o,.k{font-weight:bold}.d,.c{opacity:.5}";

/** Without variables: not every viewer knows them. Letters are f…, what is behind them is g…. */
function colours({ paper, ink, letters, grounds }: Theme): string {
  const fill = (name: string) => (colour: string, index: number) => `.${name}${index}{fill:${colour}}`;
  return `.b,.fb{fill:${paper}}text,.gf,.c{fill:${ink}}.l{stroke:${letters[7]};stroke-opacity:.4}` +
    `${letters.map(fill("f")).join("")}${grounds.map(fill("g")).join("")}.fb{fill:${paper}}`;
}

/** The strip jumps from frame to frame, each as long as it is meant to be read. */
function motion(frames: Frame[], width: number): string {
  const total = frames.reduce((sum, frame) => sum + frame.seconds, 0);
  let passed = 0;
  const steps = frames.map((frame, index) => {
    const step = `${percent(passed / total)}{transform:translateX(${-index * width}px)}`;
    passed += frame.seconds;
    return step;
  });
  return `.strip{animation:go ${total}s step-end infinite}@keyframes go{${steps.join("")}}` +
    "@media(prefers-reduced-motion:reduce){.strip{animation:none}}";
}

function percent(part: number): string {
  return `${Number((part * 100).toFixed(2))}%`;
}

interface Place {
  x: number;
  width: number;
  height: number;
}

function frameGroup({ rows, cursor, caption }: Frame, { x, width, height }: Place, known: Rows): string {
  const shown = rows.map((runs, index) => known.use(runs, MARGIN + index * CELL.height));
  const mark = cursor === null ? "" : rect("c", cursor.column, 1, MARGIN + cursor.row * CELL.height);
  const line = height - CAPTION;
  const text = `<path d="M0 ${line}H${width}" class="l"/>` +
    `<text class="k" x="${MARGIN}" y="${line + 22}">${escape(caption)}</text>`;
  return `<g transform="translate(${x})">${shown.join("")}${mark}${text}</g>`;
}

/** Rows that were drawn before are drawn once. */
class Rows {
  #known = new Map<string, string>();

  use(runs: Run[], y: number): string {
    const drawn = runs.map(drawRun).join("");
    if (drawn === "") return "";
    const id = this.#known.get(drawn) ?? `r${this.#known.size}`;
    this.#known.set(drawn, id);
    return `<use href="#${id}" y="${y}"/>`;
  }

  definitions(): string {
    return [...this.#known].map(([drawn, id]) => `<g id="${id}">${drawn}</g>`).join("");
  }
}

function drawRun({ column, text, style }: Run): string {
  const [ink, paper] = inks(style);
  const back = paper === null ? "" : rect(paper, column, text.length, 0);
  const lead = text.length - text.trimStart().length;
  const word = text.trim();
  if (word === "") return back;
  const classes = [ink, style.bold && "o", style.dim && "d"].filter(Boolean).join(" ");
  const width = [...word].length * CELL.width;
  return `${back}<text${classes ? ` class="${classes}"` : ""} x="${
    MARGIN + (column + lead) * CELL.width
  }" y="13" ` +
    `textLength="${width}" lengthAdjust="spacingAndGlyphs">${escape(word)}</text>`;
}

/** Classes for the letters and for what is behind them; null: nothing special. */
function inks({ foreground, background, reverse }: Style): [ink: string | null, paper: string | null] {
  const [front, back] = [base(foreground), base(background)];
  if (!reverse) return [front === null ? null : `f${front}`, back === null ? null : `g${back}`];
  return [back === null ? "fb" : `f${back}`, front === null ? "gf" : `g${front}`];
}

/** The bright half of the palette looks as the other one; shades of the cube as grey. */
function base(colour: number | null): number | null {
  if (colour === null) return null;
  return colour < 16 ? colour % 8 : 7;
}

function rect(name: string, column: number, columns: number, y: number): string {
  return `<rect class="${name}" x="${MARGIN + column * CELL.width}" y="${y}" width="${
    columns * CELL.width
  }" ` +
    `height="${CELL.height}"/>`;
}

/** Signs of Claude's that few fonts have, and what looks the same. */
const ALIKE: Record<string, string> = { "⏺": "●", "⎿": "└" };

function escape(text: string): string {
  return text.replaceAll(/[⏺⎿]/g, (sign) => ALIKE[sign])
    .replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
