// What years of use cost: long journals and many conversations, for the commands that look at them.
import { againstFloor, type Part } from "./context.ts";
import { writeConversations, writeJournal } from "./growth.ts";
import { makeWorld } from "./world.ts";

const LIST_BUDGET = { overFloor: 100 };

export const growthPart: Part = async function* (settings) {
  const counts = settings.quick ? { lines: 1_000, files: 500 } : { lines: 10_000, files: 5_000 };
  await using world = await makeWorld({ panes: 100, live: 50 });
  await world.stamp();
  const line = (title: string, command: string, budget?: { overFloor: number }) =>
    againstFloor(world, settings, { title: `${title}`, args: [command], rounds: 10, budget });
  yield await line("recover, 100 conversations", "recover");
  yield await line("list, 100 panes, 100 conversations", "list", LIST_BUDGET);
  const files = `${counts.files.toLocaleString("en")} conversations`;
  await writeConversations(world, counts.files);
  yield await line(`recover, ${files}`, "recover");
  yield await line(`list, 100 panes, ${files}`, "list", LIST_BUDGET);
  const lines = `journal of ${counts.lines.toLocaleString("en")} lines`;
  await writeJournal(world, counts.lines);
  yield await line(`list, 100 panes, ${lines}`, "list", LIST_BUDGET);
  yield await againstFloor(world, settings, {
    title: `manifest, 100 panes, ${lines}`,
    args: ["manifest"],
    rounds: 10,
    before: () => writeJournal(world, counts.lines),
  });
};
