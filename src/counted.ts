// Numbers of things, for people. Pure.

/** "1 pane", "2 panes". */
export function counted(number: number, word: string): string {
  return `${number} ${word}${number === 1 ? "" : "s"}`;
}
