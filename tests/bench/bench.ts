// `deno task bench`: what the commands cost beside their floor, a start of the same build that does nothing.
// Options: --quick (a short run), --json, --against 'COMMAND' (run another hook command on the same events),
// WORD… (only those parts). On a busy machine run it ahead of everything else: chrt -r 5 deno task bench (as root).
// deno-lint-ignore-file no-console
import type { Part, Settings } from "./context.ts";
import { doctorPart } from "./doctor_part.ts";
import { growthPart } from "./growth_part.ts";
import { hookPart } from "./hook_part.ts";
import type { Line } from "./line.ts";
import { panesPart } from "./panes_part.ts";
import { revivePart } from "./revive_part.ts";
import { table } from "./table.ts";

const PARTS: Record<string, Part> = {
  hook: hookPart,
  revive: revivePart,
  panes: panesPart,
  growth: growthPart,
  doctor: doctorPart,
};

interface Wanted extends Settings {
  json: boolean;
  parts: string[];
}

function parse(args: string[]): Wanted {
  const wanted: Wanted = { quick: false, json: false, against: null, parts: [] };
  for (let index = 0; index < args.length; index++) {
    const word = args[index];
    if (word === "--quick") wanted.quick = true;
    else if (word === "--json") wanted.json = true;
    else if (word === "--against" && args[index + 1]) wanted.against = args[++index];
    else if (word in PARTS) wanted.parts.push(word);
    else refuse(word);
  }
  return wanted;
}

const COLUMNS =
  "over: median of the differences to the floor, round by round. least: the fastest run less the fastest of the\n" +
  "floor, what an idle machine would show. CPU: of the program and all it waited for, the tmux server's apart.";

function report(lines: Line[]): string {
  const load = Deno.loadavg()[0].toFixed(1);
  return `\n${
    table(lines)
  }\n\n${COLUMNS}\nLoad of this machine: ${load} on ${navigator.hardwareConcurrency} cores`;
}

function refuse(word: string): never {
  const parts = Object.keys(PARTS).join(", ");
  console.error(
    `bench: unknown argument "${word}"\nOptions: --quick, --json, --against COMMAND. Parts: ${parts}`,
  );
  Deno.exit(2);
}

async function main(): Promise<void> {
  const wanted = parse(Deno.args);
  const names = wanted.parts.length > 0 ? wanted.parts : Object.keys(PARTS);
  const lines: Line[] = [];
  for (const name of names) {
    for await (const line of PARTS[name](wanted)) {
      lines.push(line);
      console.error(`  ${line.title}: ${line.ours.wall.median.toFixed(0)} ms`);
    }
  }
  console.log(
    wanted.json ? JSON.stringify({ schema: 1, load: Deno.loadavg(), lines }, null, 2) : report(lines),
  );
}

await main();
Deno.exit(0);
