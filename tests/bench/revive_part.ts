// From the key to the line that stands at the prompt, in each shell there is. What the shell itself takes for it is
// measured beside it and not counted against us.
import { type Shell, SHELLS } from "../helpers/tmux_server.ts";
import { againstFloor, type Part } from "./context.ts";
import { attach, echoMs } from "./echo.ts";
import { makeWorld } from "./world.ts";

const OVER_FLOOR_MS = 60;

export const revivePart: Part = async function* (settings) {
  await using world = await makeWorld({ panes: 10 });
  const { server } = world;
  for (const [n, shell] of (await shells()).entries()) {
    const pane = await server.newSession({ shell, folder: `${server.scratch.home}/projects/p${n}` });
    await world.stampAs(pane, n);
    await using client = await attach(server, pane);
    const besides = await echoMs(client, pane, `claude --resume ${world.ids[n]} --model opus`);
    yield await againstFloor(world, settings, {
      title: `revive, key to line in ${shell}`,
      args: ["revive", "--pane", pane],
      rounds: 15,
      budget: { overFloor: OVER_FLOOR_MS, besides },
      doneAt: (name) => name === "ours" ? client.lastOutput() : null,
    });
  }
};

async function shells(): Promise<Shell[]> {
  const found: Shell[] = [];
  for (const shell of Object.keys(SHELLS) as Shell[]) {
    const look = new Deno.Command("sh", { args: ["-c", `command -v ${shell}`], stdout: "null" });
    if ((await look.output()).code === 0) found.push(shell);
  }
  return found;
}
