// What a hook of ours may say to Claude: a title, and nothing else ever. Pure.

/** The answer to SessionStart or UserPromptSubmit that gives the conversation a title, without a visible line. */
export function titleOutput(event: "SessionStart" | "UserPromptSubmit", title: string): string {
  return JSON.stringify({ hookSpecificOutput: { hookEventName: event, sessionTitle: title } });
}
