// A layout of tmux sessions, windows and panes with names that hurt, and the same layout again after a crash: the
// part of a restore that tmux-resurrect does.
import type { Scratch } from "./scratch.ts";
import type { TmuxServer } from "./tmux_server.ts";

export interface PlannedPane {
  session: string;
  windowName: string;
  folder: string;
  /** The first pane of its tmux session / of its window. */
  opens: "session" | "window" | "pane";
}

export interface LayoutSize {
  sessions: number;
  windows: number;
  panes: number;
  /** How many of the first panes share one folder; the others have one each. */
  sharing?: number;
}

const AWKWARD = [
  "plain",
  "with blanks in it",
  "dots.v1.2",
  "it's quoted",
  'say "hi"',
  "party 🎉",
  "日本 語",
  "hash #S #{pid}",
  "dollar $HOME `id`",
  "semi; colon: & amp",
  "-leading dash",
  "back\\slash",
  "trailing;",
];

/** Plans the layout and makes its folders. */
export async function planLayout(scratch: Scratch, size: LayoutSize): Promise<PlannedPane[]> {
  const plan: PlannedPane[] = [];
  const shared = await scratch.folder("projects/shared by some");
  for (let s = 0; s < size.sessions; s++) {
    for (let w = 0; w < size.windows; w++) {
      for (let p = 0; p < size.panes; p++) {
        const n = plan.length;
        const own = `projects/${n} ${AWKWARD[n % AWKWARD.length]}`;
        plan.push({
          session: `${AWKWARD[s % AWKWARD.length]} ${s}`.replace(/[#.:]/g, "_"),
          windowName: `w${w} ${AWKWARD[(s + w + 1) % AWKWARD.length]}`.replace(/#/g, "_"),
          folder: n < (size.sharing ?? 0) ? shared : await scratch.folder(own),
          opens: p > 0 ? "pane" : w > 0 ? "window" : "session",
        });
      }
    }
  }
  return plan;
}

/** Builds the layout on a server without sessions; gives the pane ids in the order of the plan. */
export async function buildLayout(server: TmuxServer, plan: PlannedPane[]): Promise<string[]> {
  const ids: string[] = [];
  for (const { session, windowName, folder, opens } of plan) {
    const last = ids.at(-1) ?? "";
    if (opens === "session") ids.push(await server.newSession({ session, name: windowName, folder }));
    else if (opens === "window") ids.push(await server.newWindow(last, { name: windowName, folder }));
    else ids.push(await server.split(last, { folder }));
  }
  return ids;
}

/** Crash and comeback: kills the server with -9 and builds the same layout on the same socket. */
export async function crashAndRebuild(server: TmuxServer, plan: PlannedPane[]): Promise<string[]> {
  await server.kill9();
  await server.restart();
  return await buildLayout(server, plan);
}
