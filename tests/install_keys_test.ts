// Which key revives, and what happens to the bindings that were there: tables.
import assert from "node:assert/strict";
import { isKey } from "../src/install/key_names.ts";
import { isOurBinding, isOurJob, type KeyFacts, planKeys, programOfJob } from "../src/install/keys.ts";
import { bindingsInConf, isReload, parseBindings } from "../src/tmux/key_bindings.ts";
import { startServer } from "./helpers/tmux_server.ts";

const RELOAD = "source-file ~/.tmux.conf \\; display-message ok";
const OURS =
  "run-shell -b \"'/a/tmuxclaude' revive --pane #{pane_id} --client #{q:client_name} >/dev/null 2>&1 || true\"";

function facts(bound: Record<string, string>, more: Partial<KeyFacts> = {}): KeyFacts {
  const bindings = Object.entries(bound).map(([key, command]) => ({ key, command, repeat: false }));
  return { bindings, wanted: null, known: null, ...more };
}

const known = { key: "g", menu_key: "M-g", moved_to: null, moved: null, before: null, repeat: false };

const PLANS: [why: string, facts: KeyFacts, key: string, movedTo: string | null, menu: string | null][] = [
  ["nothing is bound", facts({}), "r", null, "M-r"],
  ["r is tmux's own", facts({ r: "refresh-client" }), "r", null, "M-r"],
  ["r reloads: it moves to R", facts({ r: RELOAD }), "r", "R", "M-r"],
  ["r and R reload: R stays as it is", facts({ r: RELOAD, R: RELOAD }), "r", "R", "M-r"],
  ["r reloads and R is taken: another key", facts({ r: RELOAD, R: "resize-pane -Z" }), "g", null, "M-g"],
  ["r is something else: another key", facts({ r: "resize-pane -Z" }), "R", null, "M-R"],
  ["r and R are something else", facts({ r: "rotate-window", R: "rotate-window -D" }), "g", null, "M-g"],
  ["R and g are taken too", facts({ r: "x", R: "y", g: "z" }), "v", null, "M-v"],
  ["the menu's key is taken: it has none", facts({ "M-r": "resize-pane" }), "r", null, null],
  ["r is ours already", facts({ r: OURS, "M-r": OURS }), "r", null, "M-r"],
  ["r is ours, R reloads, nothing was written down", facts({ r: OURS, R: RELOAD }), "r", "R", "M-r"],
  ["it was decided before", facts({ r: "x" }, { known }), "g", null, "M-g"],
  ["a key is wanted", facts({}, { wanted: "v" }), "v", null, "M-v"],
  [
    "a wanted key is taken: it is taken over",
    facts({ v: "split-window" }, { wanted: "v" }),
    "v",
    null,
    "M-v",
  ],
  ["a wanted key reloads: it moves", facts({ e: RELOAD }, { wanted: "e" }), "e", "E", "M-e"],
  ["another key is wanted than before", facts({}, { wanted: "v", known }), "v", null, "M-v"],
  ["the wanted key is the one from before", facts({ g: OURS }, { wanted: "g", known }), "g", null, "M-g"],
  ["a wanted key with a name has no menu beside it", facts({}, { wanted: "F5" }), "F5", null, null],
];

for (const [why, given, key, movedTo, menu] of PLANS) {
  Deno.test(`planKeys(): ${why}`, () => {
    const plan = planKeys(given);
    assert.deepEqual([plan.key, plan.moved_to, plan.menu_key], [key, movedTo, menu]);
    assert.ok(plan.notes.some((note) => note.includes(`prefix + ${key} brings`)), plan.notes.join("; "));
  });
}

Deno.test("planKeys() keeps what a key did before, to give it back", () => {
  assert.equal(planKeys(facts({ v: "split-window -h" }, { wanted: "v" })).before, "split-window -h");
  assert.equal(planKeys(facts({ r: RELOAD })).moved, RELOAD);
  assert.equal(planKeys(facts({ r: RELOAD })).before, null);
});

Deno.test("planKeys() says when a key of the user's is why it chose another", () => {
  assert.match(
    planKeys(facts({ r: "resize-pane -Z" })).notes.join("\n"),
    /prefix \+ r is yours \(resize-pane -Z\)/,
  );
  assert.match(planKeys(facts({ r: RELOAD })).notes.join("\n"), /moved from prefix \+ r to prefix \+ R/);
});

Deno.test("parseBindings() reads what list-keys prints", () => {
  const printed = [
    'bind-key    -T prefix r       source-file /root/.tmux.conf \\; display-message "re;loaded \\"q\\" \'s\'"',
    "bind-key -r -T prefix M-Up    resize-pane -U 5",
    "bind-key    -T prefix \\;      last-pane",
    "bind-key    -T copy-mode r    send-keys -X x",
    "something else",
    "",
  ].join("\n");
  assert.deepEqual(parseBindings(printed), [
    {
      key: "r",
      repeat: false,
      command: 'source-file /root/.tmux.conf \\; display-message "re;loaded \\"q\\" \'s\'"',
    },
    { key: "M-Up", repeat: true, command: "resize-pane -U 5" },
    { key: "\\;", repeat: false, command: "last-pane" },
  ]);
});

const WRITTEN: [line: string, found: [key: string, command: string] | null][] = [
  ["bind r source-file ~/.tmux.conf", ["r", "source-file ~/.tmux.conf"]],
  ["  bind-key   r   source ~/.tmux.conf  ", ["r", "source ~/.tmux.conf"]],
  ["bind -r h resize-pane -L", ["h", "resize-pane -L"]],
  ["bind -N 'a note' r display x", ["r", "display x"]],
  ['bind -N "a note" -T prefix r display x', ["r", "display x"]],
  ["bind -Tprefix r display x", ["r", "display x"]],
  ["bind -T copy-mode-vi r display x", null],
  ["bind -Tcopy-mode r display x", null],
  ["bind -n r display x", null],
  ["bind -rn r display x", null],
  ['bind "r" display x', ["r", "display x"]],
  ["bind - split-window", ["-", "split-window"]],
  ["bind r", null],
  ["# bind r display x", null],
  ["bindings r display x", null],
  ["bind r source-file a.conf \\\n  \\; display x", ["r", "source-file a.conf   \\; display x"]],
  ["bind r {\n  source-file a.conf\n}", ["r", "{\n  source-file a.conf\n}"]],
  ["bind r display x\nunbind r", null],
  ["unbind r\nbind r display x", ["r", "display x"]],
  ["bind r display x\nbind r display y", ["r", "display y"]],
];

for (const [line, found] of WRITTEN) {
  Deno.test(`bindingsInConf() reads ${JSON.stringify(line)}`, () => {
    assert.deepEqual(bindingsInConf(line).map(({ key, command }) => [key, command]), found ? [found] : []);
  });
}

Deno.test("isReload() knows a reload by itself and through a shell, and nothing else", () => {
  const reloads = [
    RELOAD,
    "source ~/.config/tmux/tmux.conf",
    "run-shell 'tmux source-file ~/.tmux.conf'",
    `run '"$TMUX_PROGRAM" source "$TMUX_CONF"' \\; display sourced`,
    "{\n  source-file ~/.tmux.conf\n}",
  ];
  for (const command of reloads) assert.ok(isReload(command), command);
  for (
    const command of [
      "refresh-client",
      "display source",
      "new-window vim tmux.conf",
      "command-prompt 'resource %%'",
    ]
  ) {
    assert.ok(!isReload(command), command);
  }
});

Deno.test("our own bindings and jobs are known, and the program in them", () => {
  assert.ok(isOurBinding(OURS));
  assert.ok(!isOurBinding("run-shell 'tmuxclaude-like revive --pane x'"));
  assert.equal(programOfJob(OURS), "/a/tmuxclaude");
  assert.equal(
    programOfJob("touch 'x' & # c\n'/b ##/tmuxclaude' manifest >/dev/null 2>&1 || true"),
    "/b #/tmuxclaude",
  );
  assert.equal(programOfJob("echo saved"), null);
  assert.ok(isOurJob("echo 'a'; '/b/it'\\''s/tmuxclaude' restore >/dev/null"));
  assert.ok(!isOurJob("echo tmuxclaude manifest"));
});

const KEYS = [
  "g",
  "G",
  "é",
  ",",
  ";",
  "#",
  '"',
  "\\",
  "~",
  "^a",
  "^",
  "M-r",
  "C-M-x",
  "C-Space",
  "m-F5",
  "F12",
  "enter",
  "-",
];
const NO_KEYS = ["", "F99x", "F0", "rr", "M-", "C-M-", "Entr", "prefix r", " ", "\t", "0x"];

Deno.test("a key is what tmux takes for one", async () => {
  await using server = await startServer();
  await server.newSession();
  for (const key of [...KEYS, ...NO_KEYS]) {
    assert.equal(isKey(key), KEYS.includes(key), JSON.stringify(key));
    const bound = server.run("bind-key", "-T", "test", "--", key.replace(/;$/, "\\;"), "refresh-client");
    const taken = await bound.then(() => true, () => false);
    // tmux takes blanks, which nobody can tell apart on a line.
    if (/\S/.test(key)) assert.equal(taken, isKey(key), JSON.stringify(key));
  }
});
