// `deno task pictures`: records the pictures of the README, docs/*.svg, from a real tmux with the real tmux-resurrect.
// Options: --resurrect FOLDER (default ~/.tmux/plugins/tmux-resurrect), NAME… (only those).
// deno-lint-ignore-file no-console
import { Recorder } from "./recorder.ts";
import { SCENES } from "./scenes.ts";
import { toSvg } from "./svg.ts";

const SIZE = { columns: 84, rows: 13 };
const DOCS = decodeURIComponent(new URL("../../docs", import.meta.url).pathname);

async function main(args: string[]): Promise<void> {
  const at = args.indexOf("--resurrect");
  const [resurrect] = at < 0
    ? [`${Deno.env.get("HOME")}/.tmux/plugins/tmux-resurrect`]
    : args.splice(at, 2).slice(1);
  if (!await Deno.stat(`${resurrect}/resurrect.tmux`).catch(() => null)) {
    throw new Error(`There is no tmux-resurrect in "${resurrect}": name it with --resurrect FOLDER`);
  }
  for (const scene of SCENES.filter(({ name }) => args.length === 0 || args.includes(name))) {
    await using terminal = await Recorder.open({ size: SIZE, resurrect, conf: scene.conf });
    await scene.play(terminal);
    const picture = toSvg(terminal.frames, SIZE, scene.title);
    await Deno.writeTextFile(`${DOCS}/${scene.name}.svg`, picture);
    console.error(
      `docs/${scene.name}.svg: ${terminal.frames.length} frames, ${Math.round(picture.length / 1024)} KB`,
    );
  }
}

try {
  await main([...Deno.args]);
} catch (error) {
  console.error(`pictures: ${error instanceof Error ? error.message : error}`);
  Deno.exit(1);
}
