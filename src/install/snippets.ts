// What to paste where we may not or shall not write. Pure.
import { confBlock } from "./conf_edit.ts";
import { HOOK_EVENTS, HOOK_TIMEOUT, hookCommand, singleQuoted } from "./hook_command.ts";

/** The part of settings.json, as a whole file; merge its three lists with what is there. */
export function settingsSnippet(program: string): string {
  const hooks = HOOK_EVENTS.map((event) => [event, [{ hooks: [handler(event, program)] }]]);
  return JSON.stringify({ hooks: Object.fromEntries(hooks) }, null, 2) + "\n";
}

function handler(event: (typeof HOOK_EVENTS)[number], program: string) {
  return { type: "command", command: hookCommand(event, program), timeout: HOOK_TIMEOUT };
}

export interface SnippetFacts {
  program: string;
  settings: string;
  conf: string;
  /** The source-file line. */
  line: string;
  ownConf: string;
}

/** All snippets under headings that say where each of them goes. */
export function allSnippets(facts: SnippetFacts): string {
  return SECTIONS.map(({ heading, text }) => `# ${heading(facts)}\n\n${text(facts).trimEnd()}\n`).join("\n");
}

interface Section {
  heading: (facts: SnippetFacts) => string;
  text: (facts: SnippetFacts) => string;
}

const SECTIONS: Section[] = [
  {
    heading: ({ settings }) => `Claude's hooks: merge into ${settings}`,
    text: ({ program }) => settingsSnippet(program),
  },
  {
    heading: ({ conf }) => `tmux: at the end of ${conf}, after everything else`,
    text: ({ line }) => confBlock(line),
  },
  {
    heading: () =>
      "TPM: the same line after the one that runs tpm, because plugins set options when they load",
    text: ({ line }) => `run '~/.tmux/plugins/tpm/tpm'\n${line}`,
  },
  {
    heading: ({ ownConf }) => `Nix, home-manager (${ownConf} is made by: tmuxclaude install)`,
    text: ({ program, line }) => nixModule(program, line),
  },
  {
    heading: () => "chezmoi: run after every apply; it changes only what is missing",
    text: ({ program }) => chezmoiScript(program),
  },
];

/** home-manager writes settings.json as a whole from `programs.claude-code.settings`, so the entries go in there. */
function nixModule(program: string, line: string): string {
  const entries = HOOK_EVENTS.map((event) => {
    const command = nixString(hookCommand(event, program));
    return `  programs.claude-code.settings.hooks.${event} = [\n` +
      `    { hooks = [ { type = "command"; command = ${command}; timeout = ${HOOK_TIMEOUT}; } ]; }\n  ];`;
  });
  return `{ lib, ... }: {\n${entries.join("\n")}\n` +
    `  # mkAfter: after everything else, plugins included\n` +
    `  programs.tmux.extraConfig = lib.mkAfter ${nixString(line)};\n}`;
}

/** A Nix string: \\ " and \${ are escaped. */
function nixString(text: string): string {
  return `"${text.replaceAll(/[\\"]|\$\{/g, "\\$&")}"`;
}

function chezmoiScript(program: string): string {
  const word = singleQuoted(program);
  return `#!/bin/sh\n# ~/.local/share/chezmoi/run_after_tmuxclaude.sh\n` +
    `[ ! -x ${word} ] || ${word} install --yes\n` +
    `# then take the result over: chezmoi re-add ~/.claude/settings.json ~/.tmux.conf`;
}
