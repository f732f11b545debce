// Why tmux-continuum does not save: it leaves status-right alone while another tmux server of the user runs.
import { match, strictEqual } from "node:assert/strict";
import { continuum } from "../src/doctor/continuum.ts";
import type { Facts } from "../src/doctor/facts.ts";
import type { ServerState } from "../src/doctor/server_state.ts";

const SERVER = { name: "tmux: server", argv: ["tmux", "new"], owner: 7 };
const state = {
  options: { "status-right": "a theme", status: "on", "@continuum-save-interval": "" },
  clients: 1,
} as unknown as ServerState;

/** The server that is looked at, process 1, among others; continuum is there. */
function factsWith(others: Partial<typeof SERVER>[]): Facts {
  const all = [SERVER, ...others.map((other) => ({ ...SERVER, ...other }))];
  return {
    system: {
      uid: 7,
      env: () => "/home/me",
      files: { stat: () => ({ kind: "file" }) },
      processes: {
        all: () => all.map(({ name }, index) => ({ pid: index + 1, name })),
        argv: (pid: number) => all[pid - 1].argv,
        owner: (pid: number) => all[pid - 1].owner,
      },
    },
    survey: () => Promise.resolve({ server: { pid: 1 } }),
  } as unknown as Facts;
}

const TABLE: [why: string, others: Partial<typeof SERVER>[], count: number][] = [
  ["alone", [], 0],
  ["two others, whatever their sockets", [{}, { argv: ["tmux", "-L", "other"] }], 2],
  ["a client", [{ name: "tmux: client" }], 0],
  ["somebody else's", [{ owner: 8 }], 0],
  ["started by its path, which tmux-continuum does not count", [{ argv: ["/usr/bin/tmux"] }], 0],
];

for (const [why, others, count] of TABLE) {
  Deno.test(`tmux-continuum is silent, other servers: ${why}`, async () => {
    const { level, message, fix } = await continuum(factsWith(others), state);
    strictEqual(level, "warn");
    match(message, count > 0 ? new RegExp(`while other tmux servers run \\(now ${count}\\)$`) : /by itself$/);
    match(fix!, count > 0 ? /^End the others/ : /after the theme/);
  });
}
