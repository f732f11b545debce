// Texts that go to tmux and come back from it.

export interface Pane {
  id: string;
  session: string;
  windowId: string;
  window: number;
  windowName: string;
  pane: number;
  pid: number;
  folder: string;
  title: string;
  dead: boolean;
}

const PANE_FIELDS =
  "pane_id session_name window_id window_index window_name pane_index pane_pid pane_current_path pane_title pane_dead";

/** A format for list-panes that no content can break, and what reads its output. */
export function paneTable(): { format: string; parse: (output: string) => Pane[] } {
  const separator = `<${crypto.randomUUID()}>`;
  const end = `${separator}end`;
  return {
    format: PANE_FIELDS.split(" ").map((field) => `#{${field}}`).join(separator) + end,
    parse: (output) =>
      output.split(end).filter((row) => row.trim() !== "").map((row) =>
        toPane(row.replace(/^\n/, "").split(separator))
      ),
  };
}

/** Only plain blanks: the U+00A0 of Claude's input box stays. */
export function trimLines(text: string): string {
  return text.replaceAll(/ +$/gm, "").replace(/\n+$/, "");
}

/** As one argument: a semicolon at the end would otherwise end the command. */
export function literal(text: string): string {
  return text.endsWith(";") ? `${text.slice(0, -1)}\\;` : text;
}

function toPane(fields: string[]): Pane {
  const [id, session, windowId, window, windowName, pane, pid, folder, title, dead] = fields;
  return {
    id,
    session,
    windowId,
    window: Number(window),
    windowName,
    pane: Number(pane),
    pid: Number(pid),
    folder,
    title,
    dead: dead === "1",
  };
}
