// What each witness says of one pane of the past: ids, each with the reason in words. Pure.
import { type PaneAddress, sameAddress, sameLife, type SessionId } from "../binding.ts";
import { repositoryOf } from "../ladder/folder.ts";
import { isUsers, laterLine } from "../policy/later.ts";
import type { JournalLine } from "../state/journal.ts";
import { looseFolder, type PastPane, type PastRecord } from "./past.ts";
import { readCommand } from "./saved_command.ts";
import { matchedName } from "./named.ts";
import { type TranscriptFacts, type TranscriptTable } from "./transcripts.ts";
import { formatTime } from "./when.ts";

/** How much a hint weighs, the most first: what speaks of the pane itself, of its name, of its folder. */
export const TIER = {
  bound: 0,
  later: 1,
  record: 2,
  command: 3,
  earlier: 4,
  named: 5,
  folder: 6,
  related: 7,
  title: 8,
} as const;

export interface Hint {
  id: SessionId;
  tier: (typeof TIER)[keyof typeof TIER];
  why: string;
  /** When the conversation was last known to be active by this witness, milliseconds, null when it does not say. */
  active: number | null;
  /** The name the witness knows it by. */
  name: string | null;
}

/** The records and files all panes share. */
export interface Witnesses {
  record: PastRecord | null;
  /** Oldest first. */
  journal: JournalLine[];
  transcripts: TranscriptTable;
  /** One key for all spellings of a folder. */
  key: (folder: string) => string;
  /** How many panes of the past were in a folder, by its key. */
  sharing: (key: string) => number;
}

/** Everything the witnesses say of one pane; the same id may be named by several. */
export function hintsOf(pane: PastPane, witnesses: Witnesses): Hint[] {
  return [
    ...strongHints(pane, witnesses),
    ...fromJournalFolder(pane, witnesses),
    ...fromTranscripts(pane, witnesses),
    ...fromTitles(pane, witnesses),
  ];
}

/** What speaks of the pane itself, not of its folder or its name. */
export function strongHints(pane: PastPane, witnesses: Witnesses): Hint[] {
  return [...fromRow(pane, witnesses), ...fromCommand(pane, witnesses), ...fromJournalPane(pane, witnesses)];
}

function fromRow({ row }: PastPane, { record, journal }: Witnesses): Hint[] {
  if (!row || !record?.manifest) return [];
  const later = laterLine(row, record.manifest, journal);
  const hints: Hint[] = later
    ? [toHint(later, TIER.later, "journal: it began in this pane after the record")]
    : [];
  if (!row.binding || !isUsers(row.binding.claude)) return hints;
  const { binding } = row;
  const carried = row.inherited ? ", carried over from an earlier one" : "";
  const ended = binding.state === "exited" ? ", ended there by its user" : "";
  const held = `the record of ${formatTime(record.time)} has it in this pane${carried}${ended}`;
  const next = binding.candidate
    ? [toHint(binding.candidate, TIER.record, "announced in this pane before the record")]
    : [];
  const before = binding.chain.map((id) => ({
    ...toHint(binding, TIER.earlier, "was in this pane before /clear"),
    id,
    active: null,
    name: null,
  }));
  return [...hints, toHint(binding, TIER.record, held), ...next, ...before];
}

function toHint(
  binding: { session_id: SessionId; at: string; name: string | null },
  tier: Hint["tier"],
  why: string,
): Hint {
  const active = Date.parse(binding.at);
  return {
    id: binding.session_id,
    tier,
    why,
    active: Number.isNaN(active) ? null : active,
    name: binding.name,
  };
}

function plain(id: SessionId, tier: Hint["tier"], why: string): Hint {
  return { id, tier, why, active: null, name: null };
}

function fromCommand(pane: PastPane, { transcripts }: Witnesses): Hint[] {
  const { ids, forked, titles } = readCommand(pane.full_command);
  const named = titles.flatMap((title) => transcripts.titled(title).map((one) => ({ one, title })));
  return [
    ...ids.map((id) => plain(id, TIER.command, "tmux-resurrect saved a command that names it")),
    ...forked.map((id) => plain(id, TIER.earlier, "tmux-resurrect saved a command that forked it")),
    ...named.map(({ one, title }) => plain(one.id, TIER.command, `the saved command names "${title}"`)),
  ];
}

/** Lines of this very pane, and of its address and folder in other server lives. */
function fromJournalPane(pane: PastPane, { journal, key }: Witnesses): Hint[] {
  const folder = key(pane.cwd);
  const lines = journal.filter(({ tmux, claude }) => tmux && isUsers(claude));
  const own = lines.filter(({ tmux }) =>
    pane.life && sameLife(tmux!, pane.life) && tmux!.pane_id === pane.pane_id
  );
  const there = lines.filter(({ tmux, cwd }) =>
    !(pane.life && sameLife(tmux!, pane.life)) && isAt(pane, tmux!) && key(cwd) === folder
  );
  const last = pane.row ? null : own.at(-1);
  return [
    ...own.map((line) =>
      line === last
        ? toHint(line, TIER.record, "journal: it was the last in this pane")
        : toHint(line, TIER.earlier, "journal: it was in this pane")
    ),
    ...there.map((line) => toHint(line, TIER.earlier, "journal: it was at this address, in this folder")),
  ];
}

function isAt(pane: PastPane, address: PaneAddress): boolean {
  return pane.addresses.some((one) => sameAddress(one, address));
}

function fromJournalFolder(pane: PastPane, { journal, key }: Witnesses): Hint[] {
  const folder = key(pane.cwd);
  if (looseFolder(pane.cwd) === "") return [];
  return journal.filter((line) => isUsers(line.claude) && key(line.cwd) === folder)
    .map((line) => toHint(line, TIER.folder, "journal: last known in this folder"));
}

function fromTranscripts(pane: PastPane, witnesses: Witnesses): Hint[] {
  const { transcripts, key, sharing } = witnesses;
  const folder = key(pane.cwd);
  if (folder === "") return [];
  const panes = sharing(folder);
  const shared = panes > 1 ? ` (which ${panes} panes share: it cannot tell)` : "";
  const own = transcripts.in(folder).flatMap((one) => {
    const name = matchedName(pane, one.title);
    const hint = plain(one.id, TIER.folder, `transcript of this folder${shared}`);
    return name ? [hint, plain(one.id, TIER.named, name)] : [hint];
  });
  const related = transcripts.related(folder, repositoryOf(folder))
    .map((one) => plain(one.id, TIER.related, "transcript of this folder's repository or worktree"));
  return [...own, ...related];
}

function fromTitles(pane: PastPane, { transcripts, key }: Witnesses): Hint[] {
  const folder = key(pane.cwd);
  const elsewhere = (one: TranscriptFacts) => !one.folders.includes(folder);
  return [pane.window_name, pane.title].flatMap((name) => transcripts.titled(name)).filter(elsewhere)
    .flatMap((one) => {
      const name = matchedName(pane, one.title);
      return name ? [plain(one.id, TIER.title, `${name}, in another folder`)] : [];
    });
}

/**
 * Which pane has the best claim to a conversation: by a strong hint (the first such pane in the record's order), else
 * by its name when no other pane has it too.
 */
export function claims(panes: PastPane[], witnesses: Witnesses): Map<SessionId, PastPane> {
  const claimed = new Map<SessionId, { pane: PastPane; tier: number }>();
  const byName = new Map<SessionId, PastPane[]>();
  for (const pane of panes) {
    for (const { id, tier } of strongHints(pane, witnesses)) {
      const rival = claimed.get(id);
      if (!rival || tier < rival.tier) claimed.set(id, { pane, tier });
    }
    const named = fromTranscripts(pane, witnesses).filter(({ tier }) => tier === TIER.named);
    for (const { id } of named) byName.set(id, [...byName.get(id) ?? [], pane]);
  }
  const alone = [...byName].flatMap(([id, all]): [SessionId, PastPane][] =>
    all.length === 1 ? [[id, all[0]]] : []
  );
  return new Map([...alone, ...[...claimed].map(([id, { pane }]): [SessionId, PastPane] => [id, pane])]);
}
