// The shortest line that does it, in each shell's own words.
import assert from "node:assert/strict";
import { sessionId } from "../src/binding.ts";
import { type LineFacts, resumeLine } from "../src/line/resume.ts";

const ID = sessionId("8a1c0e7e-5b1f-4a54-9d0c-0f2f9be2d001")!;
const HERE: LineFacts = {
  id: ID,
  cwd: "/w/app",
  here: "/w/app",
  configDir: null,
  hereConfigDir: null,
  arguments: [],
  shell: "bash",
};
const RESUME = `claude --resume ${ID}`;

const CASES: [string, Partial<LineFacts>, string][] = [
  ["nothing more is needed", {}, RESUME],
  ["a slash at the end is the same folder", { cwd: "/w/app/" }, RESUME],
  ["the root is the root", { cwd: "/", here: "/" }, RESUME],
  ["another folder", { here: "/w" }, `cd /w/app && ${RESUME}`],
  ["another folder from the root", { here: "/" }, `cd /w/app && ${RESUME}`],
  ["to the root", { cwd: "/" }, `cd / && ${RESUME}`],
  ["a dead pane's folder is unknown", { here: "" }, `cd /w/app && ${RESUME}`],
  ["a folder with a blank", { cwd: "/w/my app" }, `cd '/w/my app' && ${RESUME}`],
  ["a folder that ends in a newline", { cwd: "/w/a\n" }, `cd $'/w/a\\012' && ${RESUME}`],
  ["a folder that is no path is no flag", { cwd: "-P" }, `cd ./-P && ${RESUME}`],
  ["a config dir", { configDir: "/c/work" }, `CLAUDE_CONFIG_DIR=/c/work ${RESUME}`],
  ["the shell's own config dir", { configDir: "/c/work", hereConfigDir: "/c/work" }, RESUME],
  [
    "another config dir than the shell's",
    { configDir: "/c/a", hereConfigDir: "/c/b" },
    `CLAUDE_CONFIG_DIR=/c/a ${RESUME}`,
  ],
  ["no config dir where the shell has one", { hereConfigDir: "/c/b" }, `env -u CLAUDE_CONFIG_DIR ${RESUME}`],
  ["an empty config dir is none", { configDir: "", hereConfigDir: "" }, RESUME],
  ["flags", { arguments: ["--add-dir", "/x y", "--model=opus"] }, `${RESUME} --add-dir '/x y' --model=opus`],
  [
    "an empty flag value",
    { arguments: ["--append-system-prompt", ""] },
    `${RESUME} --append-system-prompt ''`,
  ],
  ["a fresh start", { form: "fresh", arguments: ["--verbose"] }, "claude --verbose"],
  ["a start with this id", { form: "start" }, `claude --session-id ${ID}`],
  [
    "everything at once",
    { here: "/", configDir: "/c d", arguments: ["--add-dir", "it's"] },
    `cd /w/app && CLAUDE_CONFIG_DIR='/c d' ${RESUME} --add-dir "it's"`,
  ],
  [
    "fish",
    { shell: "fish", here: "/", cwd: "/w/it's", configDir: "/c\\d" },
    `cd '/w/it\\'s' && CLAUDE_CONFIG_DIR='/c\\\\d' ${RESUME}`,
  ],
  ["fish without a config dir", { shell: "fish", hereConfigDir: "/c" }, `env -u CLAUDE_CONFIG_DIR ${RESUME}`],
  [
    "nushell",
    { shell: "nu", here: "/", cwd: "/w/it's $x", configDir: "/c d", arguments: ["--a=b"] },
    `cd "/w/it's $x"; CLAUDE_CONFIG_DIR='/c d' ${RESUME} '--a=b'`,
  ],
  [
    "nushell without a config dir",
    { shell: "nu", hereConfigDir: "/c" },
    `^env -u CLAUDE_CONFIG_DIR ${RESUME}`,
  ],
  [
    "nushell, a config dir with escapes",
    { shell: "nu", configDir: "/c/it's \\" },
    `^env "CLAUDE_CONFIG_DIR=/c/it's \\\\" ${RESUME}`,
  ],
  [
    "nushell, a backslash in plain quotes",
    { shell: "nu", configDir: "/c\\d" },
    `CLAUDE_CONFIG_DIR='/c\\d' ${RESUME}`,
  ],
  [
    "nushell, a folder with control characters",
    { shell: "nu", cwd: "/w/a\u001b", hereConfigDir: "/c" },
    `^env -C "/w/a\\u{1b}" -u CLAUDE_CONFIG_DIR ${RESUME}`,
  ],
  ["sh", { shell: "posix", here: "/", cwd: "/w/a\tb" }, `cd "$(printf '/w/a\\011b')" && ${RESUME}`],
  ["a shell without UTF-8", { cwd: "/w/é", ascii: true }, `cd $'/w/\\303\\251' && ${RESUME}`],
];

for (const [name, facts, line] of CASES) {
  Deno.test(`the line: ${name}`, () => assert.equal(resumeLine({ ...HERE, ...facts }), line));
}
