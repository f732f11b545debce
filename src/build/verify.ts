// Proves that a built program answers, before it replaces anything.
import { errorText, run } from "./files.ts";

const EVENT = JSON.stringify({
  session_id: "00000000-0000-4000-8000-000000000000",
  transcript_path: "/nonexistent/00000000-0000-4000-8000-000000000000.jsonl",
  cwd: "/",
  hook_event_name: "SessionStart",
  source: "startup",
});

/** Why the program is not fit for use, or null when it is. Runs it in a scratch HOME, with `variables` set. */
export async function findFault(
  program: string,
  version: string,
  variables: Record<string, string> = {},
): Promise<string | null> {
  const home = await Deno.makeTempDir({ prefix: "tmuxclaude-verify-" });
  const env = { HOME: home, PATH: "/usr/bin:/bin", ...variables };
  try {
    return await versionFault(program, version, env) ??
      await hookFault(program, env) ??
      await hookFault(program, { ...env, TMUX: `${home}/no-server,1,0`, TMUX_PANE: "%0" });
  } catch (error) {
    return errorText(error);
  } finally {
    await Deno.remove(home, { recursive: true });
  }
}

async function versionFault(
  program: string,
  version: string,
  env: Record<string, string>,
): Promise<string | null> {
  const ran = await run(program, ["--version"], { env, clearEnv: true });
  const wanted = `tmuxclaude ${version} `;
  if (ran.code === 0 && ran.stdout.startsWith(wanted)) return null;
  return `--version ended with ${ran.code} and said "${(ran.stdout + ran.stderr).trim().slice(0, 500)}"`;
}

/** One SessionStart without tmux and one with a dead server: both have to end well and print nothing. */
async function hookFault(program: string, env: Record<string, string>): Promise<string | null> {
  const command = new Deno.Command("/bin/sh", {
    args: ["-c", 'printf %s "$2" | "$1" hook', "sh", program, EVENT],
    env,
    clearEnv: true,
    stdout: "piped",
    stderr: "piped",
  });
  const output = await command.output();
  if (output.code === 0 && output.stdout.length === 0) return null;
  const said = new TextDecoder().decode(output.stderr).trim().slice(0, 500);
  return `hook ended with ${output.code}, ${output.stdout.length} bytes on stdout, "${said}" on stderr`;
}
