// The System of a dry run: reads are real, writes are only noted.
import type { Files, OpenFile, OpenFlags, System } from "./system.ts";

export type DryRunSystem = System & { planned: string[] };

/** The same world, in which nothing is written; `planned` tells what would have been, in order. */
export function dryRunSystem(system: System): DryRunSystem {
  const planned: string[] = [];
  return { ...system, dryRun: true, planned, files: dryRunFiles(system.files, planned) };
}

/** Notes a write that a dry run leaves out. */
export function plan(system: System, step: string): void {
  if ("planned" in system) (system as DryRunSystem).planned.push(step);
}

function dryRunFiles(files: Files, planned: string[]): Files {
  const note = (step: string) => void planned.push(step);
  return {
    ...files,
    open: (path, flags) => isWrite(flags) ? noteWrites(path, note) : files.open(path, flags),
    makeDir: (path) => note(`make the folder ${path}`),
    rename: (from, to) => note(`rename ${from} to ${to}`),
    remove: (path) => note(`remove ${path}`),
    chmod: (path, mode) => note(`set the mode of ${path} to ${mode.toString(8)}`),
    symlink: (target, path) => note(`link ${path} to ${target}`),
    makeTempDir: (prefix) => `/nonexistent/${prefix}dry-run`,
  };
}

function isWrite(flags: OpenFlags): boolean {
  return Boolean(flags.write || flags.append || flags.create || flags.createNew);
}

function noteWrites(path: string, note: (step: string) => void): OpenFile {
  return {
    read: () => 0,
    write: () => note(`write ${path}`),
    seek: () => {},
    size: () => 0,
    sync: () => {},
    tryLock: () => true,
    unlock: () => {},
    [Symbol.dispose]: () => {},
  };
}
