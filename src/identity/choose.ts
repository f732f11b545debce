// Which conversation a pane holds, when the stamp, Claude's registry and the transcripts are asked together.
// Pure: a table of cases in the tests.
import {
  type Binding,
  type ClaudeProcess,
  HISTORY,
  newBinding,
  sameProcess,
  type SessionId,
  UNASSIGNED,
} from "../binding.ts";
import { renamed } from "./name_history.ts";

/** What Claude's registry says of the process that is in the pane. */
export interface RegistryWitness {
  session_id: SessionId;
  cwd: string;
  /** The name when a person or a hook gave it, else null. */
  name: string | null;
  /** When the entry was last written, milliseconds since the epoch, null when unknown. */
  updated: number | null;
}

export interface Witnesses {
  stamp: Binding | null;
  /** The live Claude in the pane, null when there is none. */
  live: ClaudeProcess | null;
  registry: RegistryWitness | null;
  configDir: string | null;
  arguments: string[];
  /** ISO time. */
  at: string;
  owns: (id: SessionId) => boolean;
}

export interface Choice {
  binding: Binding | null;
  /** Why this one, in words a person understands. */
  evidence: string[];
}

/** Chooses the binding of a pane and says why. */
export function choose(witnesses: Witnesses): Choice {
  const { stamp, live, registry } = witnesses;
  if (!live || live.kind === "headless") return stampAlone(witnesses);
  if (!registry) {
    return stamp
      ? promoted(witnesses, ["stamp", "no registry entry"])
      : { binding: null, evidence: ["Claude without stamp and registry entry"] };
  }
  if (!stamp) return { binding: fromRegistry(witnesses, []), evidence: ["registry"] };
  if (stamp.session_id === registry.session_id) {
    const known = runningNow({ ...stamp, candidate: null }, witnesses);
    return { binding: renamed(known, registry.name, witnesses.at), evidence: ["stamp", "registry"] };
  }
  return disagreeing(witnesses, stamp, registry);
}

function stampAlone(witnesses: Witnesses): Choice {
  return witnesses.stamp ? promoted(witnesses, ["stamp"]) : { binding: null, evidence: [] };
}

/** A candidate that owns a transcript by now takes the stamp's place. */
function promoted({ stamp, owns }: Witnesses, evidence: string[]): Choice {
  const candidate = stamp?.candidate;
  if (!candidate || !owns(candidate.session_id)) return { binding: stamp, evidence };
  return { binding: candidate, evidence: ["later conversation with a transcript", ...evidence] };
}

/** Registry and stamp name different ids: the newer of the two that can be resumed wins. */
function disagreeing(witnesses: Witnesses, stamp: Binding, registry: RegistryWitness): Choice {
  const same = sameProcess(stamp.claude, witnesses.live);
  if (same && registry.updated !== null && Date.parse(stamp.at) > registry.updated) {
    return { binding: stamp, evidence: ["stamp, newer than the registry"] };
  }
  if (witnesses.owns(registry.session_id)) {
    const chain = same ? [stamp.session_id, ...stamp.chain] : [];
    return {
      binding: fromRegistry(witnesses, chain),
      evidence: ["registry, newer than the stamp", "transcript"],
    };
  }
  const candidate = fromRegistry(witnesses, []);
  return {
    binding: { ...stamp, candidate },
    evidence: ["stamp", "registry names a conversation without messages"],
  };
}

function fromRegistry(witnesses: Witnesses, chain: SessionId[]): Binding {
  const { stamp, registry, at } = witnesses;
  const known = stamp?.candidate?.session_id === registry!.session_id ? stamp.candidate : null;
  const binding: Binding = {
    ...(known ?? newBinding(registry!.session_id, registry!.cwd, at)),
    chain: chain.filter((id) => id !== registry!.session_id).slice(0, HISTORY),
    names: chain.length > 0 && stamp ? stamp.names : known?.names ?? [],
    team: stamp?.team ?? UNASSIGNED,
    episode: stamp?.episode ?? null,
  };
  return renamed(runningNow(binding, witnesses), registry!.name, at);
}

/** As its process is now: what was written down of an earlier one holds no more. */
function runningNow(binding: Binding, { live, configDir, arguments: given }: Witnesses): Binding {
  return {
    ...binding,
    config_dir: configDir,
    arguments: given,
    claude: live,
    state: "running",
    reason: null,
    restored_from: null,
  };
}
