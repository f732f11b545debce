// What a person is told about an offer, in one line of a status bar. Pure.
import { formatOld } from "./age.ts";
import type { Offer } from "./offer.ts";
import { MESSAGE_COLUMNS, shortPath } from "./short.ts";

/** What was done with the line, or would be. */
export type Deed = "typed" | "entered" | "respawned" | "would-type" | "would-respawn";

/** The line, as far as the notice goes. */
export interface Told {
  deed: Deed;
  /** `fresh` and `start`: nobody ever prompted the conversation, so a new one is begun. */
  form: "resume" | "fresh" | "start";
  /** An id from before a /clear: nothing was said since. */
  earlier: boolean;
  /** Where it is resumed when its own folder is gone, else null. */
  folder: string | null;
  /** Milliseconds since the epoch. */
  now: number;
  home: string;
}

/** The notice of a line: exact ones in short, guesses with what they rest on and their age. */
export function notice(offer: Offer, told: Told): string {
  const why = whyOf(offer, told);
  switch (told.deed) {
    case "typed":
      return within(`${why ?? "typed"}: ${offer.exact ? nextStep(told) : "Enter if it is the one"}`, told);
    case "entered":
      return "resuming the conversation";
    case "respawned":
      return within(`the pane was dead: started again${where(told)}`, told);
    case "would-type":
      return why ? `would be typed (${why})` : "would be typed";
    case "would-respawn":
      return why
        ? `the pane is dead: would be started again (${why})`
        : "the pane is dead: would be started again";
  }
}

/** What is not as usual, null when nothing is. */
function whyOf({ rung, exact, binding }: Offer, told: Told): string | null {
  const unusual = [
    ...(told.form === "resume" ? [] : ["never prompted"]),
    ...(told.earlier && exact ? ["nothing said since /clear"] : []),
    ...(told.folder === null ? [] : ["folder gone"]),
  ];
  if (exact) return unusual.join(", ") || null;
  const basis = rung === "journal" ? "recorded after the last save" : "matched by folder";
  return `${basis}, ${unusual[0] ?? formatOld(told.now - Date.parse(binding?.at ?? ""))}`;
}

function nextStep(told: Told): string {
  return `${told.form === "resume" ? "press Enter to resume" : "press Enter for a new one"}${where(told)}`;
}

/** A place for the folder, which takes what room is left. */
const FOLDER = "\0";

function where({ folder }: Told): string {
  return folder === null ? "" : ` in ${FOLDER}`;
}

function within(text: string, { folder, home }: Told): string {
  return text.replace(FOLDER, () => shortPath(folder ?? "", home, MESSAGE_COLUMNS - text.length + 1));
}
