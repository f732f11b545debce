// The health check of an installed program, which runs the registered hook and asks the server for its keys.
import { againstFloor, type Part } from "./context.ts";
import { makeWorld } from "./world.ts";

export const doctorPart: Part = async function* (settings) {
  await using world = await makeWorld({ panes: 20, live: 10 });
  const { env, server: { scratch } } = world;
  await world.stamp();
  const install = new Deno.Command(scratch.program, { args: ["install", "--yes"], env, clearEnv: true });
  const { success, stderr } = await install.output();
  if (!success) throw new Error(`install failed: ${new TextDecoder().decode(stderr)}`);
  yield await againstFloor(world, settings, {
    title: "doctor",
    args: ["doctor"],
    rounds: 8,
    budget: { total: 1500 },
  });
};
