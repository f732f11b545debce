// What this program says about its own making. The build writes another file of this shape in its place.

export interface BuildInfo {
  version: string;
  /** Short commit id, with "+" when the checkout had changes; "unknown" without git. */
  commit: string;
  kind: "source" | "one-file" | "compiled";
  /** The platform it was built on, as Deno names it (`x86_64-unknown-linux-gnu`). */
  target: string;
}

export const BUILD: BuildInfo = {
  version: "0.1.0",
  commit: "unknown",
  kind: "source",
  target: Deno.build.target,
};
