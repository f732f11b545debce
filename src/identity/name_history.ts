// The names a conversation had. Pure.
import { type Binding, HISTORY } from "../binding.ts";

/** The binding with a name it has now; the same binding when nothing changed. */
export function renamed(binding: Binding, name: string | null, at: string): Binding {
  if (name === null || name === "" || name === binding.name) return binding;
  if (binding.names.at(-1)?.name === name) return { ...binding, name };
  return { ...binding, name, names: [...binding.names, { name, at }].slice(-HISTORY) };
}

/**
 * The binding after the titles it was given since the name it has. `titles`: oldest first, as its transcript has
 * them. No event tells of a /rename, so several may have passed unseen.
 */
export function renamedSince(binding: Binding, titles: string[], at: string): Binding {
  const known = binding.names.map(({ name }) => name);
  const current = binding.name === null ? -1 : titles.lastIndexOf(binding.name);
  const seen = current >= 0 ? current : titles.findLastIndex((title) => known.includes(title));
  return titles.slice(seen + 1).reduce((named, title) => renamed(named, title, at), binding);
}
