// What a person is told about an offer, in one short line. Pure.
import { formatAge } from "./age.ts";
import type { Offer } from "./offer.ts";

/** The notice of a typed line: exact ones in short, guesses with what they rest on and its age. */
export function notice(offer: Offer, note: string | null, now: number): string {
  const age = formatAge(now - Date.parse(offer.binding?.at ?? ""));
  const sure = {
    stamp: "typed: press Enter to resume",
    manifest: "typed: press Enter to resume",
    journal: `recorded after the last save, ${age} old: press Enter if it is the one`,
    folder: `matched by folder, ${age} old: press Enter if it is the one`,
    nothing: "no conversation was recorded for this pane: claude --resume",
  };
  return note ? `${note}. ${capital(sure[offer.rung])}` : sure[offer.rung];
}

function capital(text: string): string {
  return text[0].toUpperCase() + text.slice(1);
}
