// Entry point: reads the arguments once, dispatches, sets the exit code. `hook` comes first and loads
// nothing else, because Claude waits for it.
import { hook } from "./src/commands/hook.ts";
import { realSystem } from "./src/system/real.ts";

const system = realSystem();
const [command] = Deno.args;

if (command === "hook" && Deno.args.length === 1) {
  await hook(system);
  // A stdin that was left open must not keep the process, and with it Claude, waiting.
  Deno.exit(0);
} else if (command !== "--noop") {
  const { runCli } = await import("./src/cli/run.ts");
  Deno.exit(await runCli(system, Deno.args));
}
