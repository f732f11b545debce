// No network at run time. Deno's permissions cannot say so (without all of them it refuses /proc), so it is shown on
// the built program: it holds no call that could open a connection, and it works where there is no network.
import { deepStrictEqual, match, strictEqual } from "node:assert/strict";
import { programUnderTest } from "./helpers/run_bin.ts";
import { makeScratch } from "./helpers/scratch.ts";

const [BIN] = programUnderTest();
const TEXT = programUnderTest().length === 1 ? await Deno.readTextFile(BIN) : "";
const ONE_FILE = TEXT.startsWith("#!/bin/sh\n");

/** Names of all that connects, listens, or loads code from elsewhere. */
const CALLS = new RegExp(
  "\\b(?:fetch|WebSocket|WebSocketStream|EventSource|XMLHttpRequest|WebTransport|importScripts|Worker|" +
    "connect(?:Tls|Quic)|listen(?:Tls|Datagram)?|serve|serveHttp|resolveDns|startTls|createHttpClient|" +
    "upgradeWebSocket|QuicEndpoint|openKv)\\b(?=\\s*[(.,;}\\]]|\\s*$)|\\bimport\\s*\\(|\\.connect\\s*\\(",
  "gm",
);

Deno.test({ name: "the built program holds no call that could open a connection", ignore: !ONE_FILE }, () => {
  const script = TEXT.slice(TEXT.indexOf("*/;"));
  const found = [...script.matchAll(CALLS)].map(({ index }) => script.slice(index - 30, index + 30));
  deepStrictEqual(found, []);
  for (const call of ["fetch(x)", "await Deno.connect({})", "new WebSocket(u)", "import(y)", "a=fetch;"]) {
    match(call, new RegExp(CALLS.source));
  }
});

/** A command in front that takes the network away, null where the system does not let us. */
async function withoutNetwork(): Promise<string[] | null> {
  for (const command of [["unshare", "-n"], ["unshare", "-r", "-n"]]) {
    const [program, ...args] = [...command, "true"];
    const ran = await new Deno.Command(program, { args, stdout: "null", stderr: "null" }).output()
      .catch(() => null);
    if (ran?.success) return command;
  }
  return null;
}

const UNSHARE = await withoutNetwork();

Deno.test({
  name: "the whole story works in a world without any network",
  ignore: UNSHARE === null || TEXT === "",
}, async () => {
  await using scratch = await makeScratch();
  await Deno.mkdir(`${scratch.root}/tmp`);
  const env = { ...scratch.env, TMPDIR: `${scratch.root}/tmp` };
  const [program, ...args] = [
    ...UNSHARE!,
    "sh",
    "-c",
    'ls /sys/class/net; cat /proc/net/route; exec "$0" demo',
    BIN,
  ];
  const child = new Deno.Command(program, { args, env, clearEnv: true, cwd: scratch.home, stdin: "null" });
  const { code, stdout, stderr } = await child.output();
  const said = new TextDecoder().decode(stdout);
  strictEqual(code, 0, said + new TextDecoder().decode(stderr));
  match(said, /Every pane has its own conversation again/);
  strictEqual(
    said.split("\n").filter((line) => /^\w+\t[0-9A-F]{8}\t/.test(line)).length,
    0,
    "there was a route",
  );
});
