// The names a conversation had. Pure.
import { type Binding, HISTORY } from "../binding.ts";

/** The binding with a name it has now; the same binding when nothing changed. */
export function renamed(binding: Binding, name: string | null, at: string): Binding {
  if (name === null || name === "" || name === binding.name) return binding;
  return { ...binding, name, names: [...binding.names, { name, at }].slice(-HISTORY) };
}
