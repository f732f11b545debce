// Many commands at once: as files on tmux's stdin, with every text as it is.
import { deepStrictEqual, rejects, strictEqual } from "node:assert/strict";
import { realSystem } from "../src/system/real.ts";
import type { System } from "../src/system/system.ts";
import { type Command, runManyTmux, TmuxError } from "../src/tmux/client.ts";
import { AWKWARD } from "./helpers/awkward.ts";
import { startServer, type TmuxServer } from "./helpers/tmux_server.ts";

/** The real system in a scratch world, and how often it ran a program. */
function countingSystem(server: TmuxServer): { system: System; runs: () => number } {
  const real = realSystem();
  let runs = 0;
  const run: System["run"] = (...args) => (runs++, real.run(...args));
  return { system: { ...real, environment: () => server.scratch.env, run }, runs: () => runs };
}

const set = (
  pane: string,
  n: number,
  value: string,
): Command => ["set-option", "-p", "-t", pane, `@option${n}`, value];

Deno.test("two thousand commands with awkward texts take a few calls, and each text arrives as it is", async () => {
  await using server = await startServer();
  const pane = await server.newSession();
  const { system, runs } = countingSystem(server);
  const texts = Array.from({ length: 2_000 }, (_, n) => `${AWKWARD[n % AWKWARD.length]}${n}`);
  await runManyTmux({ system, socket: server.socketPath }, texts.map((text, n) => set(pane, n, text)));
  strictEqual(runs(), 5);
  for (const n of [...AWKWARD.keys(), 1999]) {
    strictEqual(await server.run("show-options", "-pv", "-t", pane, `@option${n}`), texts[n]);
  }
});

Deno.test("a pane that is gone meanwhile is told of, and keeps nothing from the others", async () => {
  await using server = await startServer();
  const pane = await server.newSession();
  const { system } = countingSystem(server);
  const commands = Array.from({ length: 900 }, (_, n) => set(n === 50 ? "%99" : pane, n, "x".repeat(100)));
  await rejects(
    runManyTmux({ system, socket: server.socketPath }, commands),
    (error) => error instanceof TmuxError && error.kind === "failed" && /%99/.test(error.detail),
  );
  deepStrictEqual(
    [await server.paneFormat(pane, "#{@option49}"), await server.paneFormat(pane, "#{@option899}")],
    ["x".repeat(100), "x".repeat(100)],
  );
});

Deno.test("a few commands go as they always do", async () => {
  await using server = await startServer();
  const pane = await server.newSession();
  const { system, runs } = countingSystem(server);
  await runManyTmux({ system, socket: server.socketPath }, [set(pane, 1, "one"), set(pane, 2, "two;")]);
  strictEqual(runs(), 1);
  strictEqual(await server.paneFormat(pane, "#{@option1}#{@option2}"), "onetwo;");
});
