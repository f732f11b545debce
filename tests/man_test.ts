// The man page: made from the table of commands, and without a fault in the eyes of groff.
import { match, ok, strictEqual } from "node:assert/strict";
import { manPage } from "../src/cli/man.ts";
import { routes } from "../src/cli/routes.ts";
import { hasProgram } from "./helpers/programs.ts";

const PAGE = manPage({ version: "1.2.3", date: "2026-01-02" });

Deno.test("the man page has every command with its flags", () => {
  for (const { name, hidden, target } of routes.getAllEntries()) {
    strictEqual(PAGE.includes(`\n.SS ${name.original}\n`), !hidden, name.original);
    const flags = "parameters" in target ? Object.keys(target.parameters.flags ?? {}) : [];
    const text = PAGE.split(`\n.SS ${name.original}\n`)[1]?.split(/\n\.S[SH] /)[0];
    for (const flag of hidden ? [] : flags) {
      const dashed = flag.replaceAll(/[A-Z]/g, (letter) => `\\-${letter.toLowerCase()}`);
      ok(text.includes(`\\fB\\-\\-${dashed}\\fR`), `${name.original} --${flag}`);
    }
  }
});

Deno.test("the man page uses only requests of the man macros", () => {
  const requests = [...PAGE.matchAll(/^\.\S*/gm)].map(([request]) => request);
  for (const request of requests) match(request, /^\.(TH|SH|SS|PP|TP|B|BR|nf|fi)$/);
});

Deno.test({
  name: "groff has nothing to complain about, and shows quotes and dashes as they are typed",
  ignore: !hasProgram("groff"),
}, async () => {
  const groff = async (...args: string[]) => {
    const child = new Deno.Command("groff", { args, stdin: "piped", stdout: "piped", stderr: "piped" })
      .spawn();
    const writer = child.stdin.getWriter();
    await writer.write(new TextEncoder().encode(PAGE));
    await writer.close();
    const { code, stdout, stderr } = await child.output();
    return { code, stdout: new TextDecoder().decode(stdout), stderr: new TextDecoder().decode(stderr) };
  };
  const lint = await groff("-man", "-ww", "-z", "-Tutf8");
  strictEqual(lint.stderr, "");
  strictEqual(lint.code, 0);
  const shown = (await groff("-man", "-Tutf8", "-P-c", "-P-b", "-P-u")).stdout;
  match(shown, /tmuxclaude name --sanitize 'fix: login'/);
  match(shown, /tmuxclaude 1\.2\.3 +2026-01-02 +TMUXCLAUDE\(1\)/);
});
