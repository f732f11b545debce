// The pictures of the README: how a screen becomes one, and that those in docs/ are complete.
import { deepStrictEqual, doesNotMatch, match, ok, strictEqual } from "node:assert/strict";
import { parseScreen } from "./pictures/screen.ts";
import { SCENES } from "./pictures/scenes.ts";
import { toSvg } from "./pictures/svg.ts";

const ROOT = decodeURIComponent(new URL("..", import.meta.url).pathname);

Deno.test("a screen is taken apart into runs of one style, ASCII apart from other characters", () => {
  const [first, second] = parseScreen(
    "a \x1b[1;32mb──c\x1b[0m\n\x1b[30m\x1b[42m x\x1b[49m\x1b[38;5;208my\x1b[39m",
  );
  deepStrictEqual(first.map(({ column, text }) => [column, text]), [[0, "a "], [2, "b"], [3, "──"], [
    5,
    "c",
  ]]);
  deepStrictEqual(first.map(({ style }) => [style.foreground, style.bold]), [
    [null, false],
    [2, true],
    [2, true],
    [2, true],
  ]);
  deepStrictEqual(second.map(({ text, style }) => [text, style.foreground, style.background]), [
    [" x", 0, 2],
    ["y", 208, null],
  ]);
});

Deno.test("frames become one SVG that jumps between them, and without motion shows the last", () => {
  const frame = (text: string) => ({ rows: parseScreen(text), cursor: null, caption: "<&>", seconds: 1 });
  const svg = toSvg([frame("one\nsame"), frame("two\nsame")], { columns: 10, rows: 2 }, "a > b");
  match(svg, /^<svg [^]*<title>a &gt; b<\/title>[^]*<\/svg>\n$/);
  match(svg, /class="strip" transform="translate\(-104\)"/);
  match(svg, /@keyframes go\{0%\{transform:translateX\(0px\)\}50%\{transform:translateX\(-104px\)\}\}/);
  match(svg, /prefers-color-scheme:dark/);
  strictEqual(svg.split(">same<").length, 2, "what stays is drawn once");
  doesNotMatch(svg, /<&>/);
});

Deno.test("the README shows every picture; each is small, has its last frame and nothing of a machine", async () => {
  const readme = await Deno.readTextFile(`${ROOT}README.md`);
  for (const { name, title } of SCENES) {
    ok(new RegExp(`!\\[[^\\]]{20,}\\]\\(docs/${name}\\.svg\\)`).test(readme), name);
    const svg = await Deno.readTextFile(`${ROOT}docs/${name}.svg`);
    ok(svg.length < 40_000 && svg.endsWith("</svg>\n") && svg.includes(`<title>${title}</title>`), name);
    ok(!/\/(tmp|home|root)\b|root@/.test(svg), `${name} shows the machine it was made on`);
  }
});
