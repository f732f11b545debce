// Who plays in the demo: four panes, three of them in one tmux session, two of them in one folder.
import type { SessionId } from "../binding.ts";
import type { NewPane } from "../tmux/private_server.ts";

export interface Role extends Pick<NewPane, "tmux_session" | "window" | "opens"> {
  /** Below HOME. */
  folder: string;
  /** What is asked before the crash, and has to be on the screen after it. */
  question: string;
}

/** A role with its pane of the moment; the conversation is known once its hook has written it down. */
export interface Actor extends Role {
  paneId: string;
  session: SessionId | null;
}

export const ROLES: Role[] = [
  { tmux_session: "shop", window: "web", opens: "session", folder: "shop", question: "why is the cart slow" },
  {
    tmux_session: "shop",
    window: "web",
    opens: "pane",
    folder: "shop",
    question: "add a test for the login",
  },
  { tmux_session: "shop", window: "api", opens: "window", folder: "shop/api", question: "rename the orders" },
  { tmux_session: "talk", window: "slides", opens: "session", folder: "talk", question: "draft the opening" },
];
