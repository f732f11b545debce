/** Folders of src/ that only decide: pure functions, each with its table of cases. */
export const PURE = ["identity", "ladder", "names", "labels", "line", "policy", "recover"].map((name) =>
  `src/${name}/`
);
