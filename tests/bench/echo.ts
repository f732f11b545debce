// What a pane shows and when, told by a client in tmux's control mode as it comes; and with it how long a shell itself
// takes to answer C-c with a prompt and to show a pasted line.
import type { TmuxServer } from "../helpers/tmux_server.ts";
import { median } from "./stats.ts";

const RUNS = 7;
/** A pane that has said nothing for so long has said all. */
const QUIET_MS = 80;

/** Median milliseconds from C-c to the last of the prompt, plus from the paste to the last of the line. */
export async function echoMs(client: ControlClient, pane: string, line: string): Promise<number> {
  const times: number[] = [];
  for (let run = 0; run < RUNS; run++) {
    const prompt = await client.answer(`send-keys -t ${pane} C-c`);
    const echo = await client.answer(`set-buffer -b echo '${line}' ; paste-buffer -d -b echo -t ${pane}`);
    times.push(prompt + echo);
  }
  await client.answer(`send-keys -t ${pane} C-c`);
  return median(times);
}

export interface ControlClient extends AsyncDisposable {
  /** When the pane last said something, as performance.now. */
  lastOutput(): number;
  /** Sends a command; milliseconds until the pane's last output after it. */
  answer(command: string): Promise<number>;
}

/** Attaches a client that watches one pane. */
export async function attach({ socketPath, scratch }: TmuxServer, pane: string): Promise<ControlClient> {
  const child = new Deno.Command("tmux", {
    args: ["-C", "-S", socketPath, "attach-session", "-f", "ignore-size", "-t", pane],
    env: scratch.env,
    clearEnv: true,
    stdin: "piped",
    stdout: "piped",
    stderr: "null",
  }).spawn();
  const writer = child.stdin.getWriter();
  let last = performance.now();
  const reading = watch(child.stdout, `%output ${pane} `, () => last = performance.now());
  const client: ControlClient = {
    lastOutput: () => last,
    async answer(command) {
      const begin = performance.now();
      last = begin;
      await writer.write(new TextEncoder().encode(`${command}\n`));
      while (performance.now() - last < QUIET_MS) {
        await new Promise((resolve) => setTimeout(resolve, QUIET_MS / 4));
      }
      return last - begin;
    },
    async [Symbol.asyncDispose]() {
      await writer.close();
      await reading;
      await child.status;
    },
  };
  await client.answer("display-message -p attached");
  return client;
}

async function watch(stream: ReadableStream<Uint8Array>, wanted: string, seen: () => void): Promise<void> {
  for await (const text of stream.pipeThrough(new TextDecoderStream())) if (text.includes(wanted)) seen();
}
