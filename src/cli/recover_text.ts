// A recovery for people: a block for each tmux session, the newest first, and the command for each decision. Pure.
import { formatAddress, type PaneAddress, sameAddress } from "../binding.ts";
import { formatAge } from "../ladder/age.ts";
import { resumeCommand } from "../recover/advice.ts";
import type { Candidate } from "../recover/candidates.ts";
import { ranSomethingElse } from "../recover/past.ts";
import { chooseCommand, type Report, type ReportedPane } from "../recover/report.ts";
import { formatTime } from "../recover/when.ts";
import { differenceText, type TextOptions } from "./recover_difference.ts";
import { fit, printable } from "./width.ts";
import { counted } from "../counted.ts";

export interface RecoverText extends Omit<TextOptions, "isListed"> {
  /** Candidates shown of each pane. */
  most: number;
  /** Where a conversation is resumed without tmux. */
  place: (id: Candidate["session_id"]) => { cwd: string | null; configDir: string | null };
  hasServer: boolean;
  /** The record is of an earlier life of the running server, so that a restore can go by it. */
  isEarlier: boolean;
  others: { time: number; panes: number; conversations: number }[];
  now: number;
}

const GUESSES =
  "These are candidates: guesses, best first. A shared folder cannot tell which pane held which conversation.";

/** Lines for a person; [] when there is nothing to tell. */
export function recoverText(report: Report, options: RecoverText): string[] {
  const shown = report.panes.filter(isTold);
  const body = [
    ...sessions(shown).flatMap((panes) => sessionText(report, panes, options)),
    ...differenceText(report.difference, {
      ...options,
      isListed: (pane) => shown.some((one) => isAt(one, pane)),
    }),
  ];
  if (body.length === 0) return [];
  const quiet = report.panes.length - shown.length;
  return [
    ...headText(report, options),
    ...(shown.length > 0 ? [GUESSES] : []),
    ...body,
    ...(quiet > 0
      ? ["", `${counted(quiet, "pane")} without a likely conversation: not listed (--json lists all)`]
      : []),
    ...othersText(options),
  ];
}

function headText({ record, why }: Report, options: RecoverText): string[] {
  if (!record) return ["No record of the past was found: the panes there are now, by folder and name alone."];
  const age = options.now - record.time;
  const kind = record.manifest ? "the record" : record.save ? `the tmux save ${record.save}` : "the journal";
  const held = record.panes.filter(({ row }) => row?.binding).length;
  const whole = options.isEarlier && held > 0
    ? [
      `Put back at once what of its ${counted(held, "conversation")} is certain:`,
      `    tmuxclaude restore --force --dry-run --at ${new Date(record.time + 1).toISOString()}`,
    ]
    : [];
  return [
    `Going by ${kind} of ${formatTime(record.time)} (${
      age < 1_000 ? "just now" : `${formatAge(age)} ago`
    }), which ${why}.`,
    ...whole,
  ];
}

/** A pane in which another program ran is told of only when more than its folder speaks for a conversation. */
function isTold({ pane, candidates, isKnown }: ReportedPane): boolean {
  return candidates.length > 0 && (isKnown || !ranSomethingElse(pane));
}

function isAt({ pane }: ReportedPane, address: PaneAddress): boolean {
  return sameAddress(pane, address);
}

/** By tmux session, and in each the panes: those with the newest conversation first. */
function sessions(panes: ReportedPane[]): ReportedPane[][] {
  const age = ({ candidates }: ReportedPane) => candidates[0].age_seconds ?? Infinity;
  const sorted = panes.toSorted((a, b) => age(a) - age(b));
  return [...Map.groupBy(sorted, ({ pane }) => pane.tmux_session).values()];
}

function sessionText(report: Report, panes: ReportedPane[], options: RecoverText): string[] {
  const name = printable(panes[0].pane.tmux_session);
  const head = `${name}  ${counted(panes.length, "pane")}`;
  return ["", fit(head, options.room), ...panes.flatMap((one) => paneText(report, one, options))];
}

function paneText(report: Report, one: ReportedPane, options: RecoverText): string[] {
  const { pane, here, candidates } = one;
  const shown = candidates.slice(0, options.most);
  const more = candidates.length - shown.length;
  const narrow = here ? ` --pane ${here.pane_id}` : ` --json`;
  return [
    fit(`  ${paneHead(pane, one, options)}`, options.room),
    ...shown.flatMap((candidate) => candidateText(report, one, candidate, options)),
    ...(more > 0 ? [`    ${more} more: tmuxclaude recover${narrow}`] : []),
  ];
}

function paneHead(
  pane: PaneAddress & { window_name: string; cwd: string },
  { here }: ReportedPane,
  options: RecoverText,
) {
  const place = here ? here.pane_id : options.hasServer ? "missing now" : "";
  const parts = [formatAddress(pane), pane.window_name, options.tilde(pane.cwd), place];
  return printable(parts.filter((part) => part !== "").join("  "));
}

function candidateText(
  report: Report,
  one: ReportedPane,
  candidate: Candidate,
  options: RecoverText,
): string[] {
  const age = candidate.age_seconds === null ? "age unknown" : formatAge(candidate.age_seconds * 1_000);
  const title = candidate.title ?? candidate.session_id.slice(0, 8);
  const line = printable(`${title}  ${age}  ${candidate.evidence.join("; ")}`);
  const command = options.hasServer
    ? chooseCommand(one, candidate.session_id, report.difference, options)
    : resumeCommand(one.pane, candidate.session_id, options.place(candidate.session_id));
  return [fit(`    ${line}`, options.room), `      ${command}`];
}

function othersText({ others, socket }: RecoverText): string[] {
  if (others.length === 0) return [];
  const given = socket === null ? "" : `--socket ${socket} `;
  return [
    "",
    "Other records:",
    ...others.map(({ time, panes, conversations }) =>
      `  ${formatTime(time)}  ${counted(panes, "pane")}, ${counted(conversations, "conversation")}` +
      `  tmuxclaude recover ${given}--at ${new Date(time).toISOString()}`
    ),
  ];
}
