// A small mock of the Messages API on 127.0.0.1, so that the real Claude Code talks to nobody. What it answers is
// chosen by a directive in the newest prompt; the first that matches wins:
//
//   MOCK_SLOW <seconds>      streams for that long, then "MOCK-SLOW-DONE"
//   MOCK_BASH <command>      asks for one Bash call (to the end of the line), then "MOCK-TOOL-DONE"
//   MOCK_TOOL <name> <json>  asks for one call of that tool, then "MOCK-TOOL-DONE"
//   anything else            "MOCK-REPLY: <prompt>"
//
// The side call that asks for a title gets "Mock title".

/** One request, as far as tests ask about it. */
export interface ApiRequest {
  path: string;
  /** The conversation's id, as Claude sends it in a header. */
  session: string | null;
  /** The newest prompt, "" when the request has none. */
  prompt: string;
  /** True for the side call that asks for a title. */
  title: boolean;
}

export interface MockApi extends AsyncDisposable {
  url: string;
  /** Every request so far, oldest first; grows. */
  requests: ApiRequest[];
}

/** What Claude sends, of which only this much is looked at. */
interface Body {
  stream?: boolean;
  model?: string;
  system?: Content;
  tools?: unknown[];
  messages?: { role: string; content: Content }[];
}

type Content = string | Block[] | undefined;

interface Block {
  type: string;
  text?: string;
}

interface Answer {
  block: { type: "text"; text: string } | { type: "tool_use"; id: string; name: string; input: unknown };
  /** How long to keep streaming first. */
  seconds: number;
}

/** Claude puts its own remarks into user messages; they are no prompts. */
const REMARK = /^\s*<(system-reminder|local-command|command-)/;
const PULSE_MS = 250;

/** Starts the mock on a free port. Disposing of it cuts the answers that are still streaming. */
export function startMockApi(): MockApi {
  const requests: ApiRequest[] = [];
  const stop = new AbortController();
  const server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, signal: stop.signal, onListen: () => {} },
    (request) => handle(request, requests, stop.signal),
  );
  return {
    url: `http://127.0.0.1:${server.addr.port}`,
    requests,
    async [Symbol.asyncDispose]() {
      stop.abort();
      await server.finished;
    },
  };
}

async function handle(request: Request, requests: ApiRequest[], stop: AbortSignal): Promise<Response> {
  const path = new URL(request.url).pathname;
  const text = await request.text();
  if (request.method !== "POST" || !/\/v1\/messages(\/count_tokens)?$/.test(path)) {
    requests.push({ path, session: null, prompt: "", title: false });
    return error(404, "the mock has no such path");
  }
  if (path.endsWith("/count_tokens")) return Response.json({ input_tokens: 100 });
  const body: Body = JSON.parse(text);
  const { prompt, answered } = newestPrompt(body);
  const title = asksForTitle(body);
  requests.push({ path, session: request.headers.get("x-claude-code-session-id"), prompt, title });
  return reply(body, title ? say('{"title": "Mock title"}') : answerTo(prompt, answered), stop);
}

function error(status: number, message: string): Response {
  return Response.json({ type: "error", error: { type: "not_found_error", message } }, { status });
}

function blocks(content: Content): Block[] {
  return typeof content === "string" ? [{ type: "text", text: content }] : content ?? [];
}

function textOf(content: Content): string {
  return blocks(content).map((block) => block.text ?? "").join("\n");
}

/** The title's call carries no tools, and its instructions name what is wanted. */
function asksForTitle(body: Body): boolean {
  return (body.tools ?? []).length === 0 && /\btitle\b/i.test(textOf(body.system));
}

/** The newest prompt of the person, and whether a tool's result came after it. */
function newestPrompt(body: Body): { prompt: string; answered: boolean } {
  let answered = false;
  for (const { role, content } of (body.messages ?? []).toReversed()) {
    if (role !== "user") continue;
    const said = blocks(content).filter((block) => block.type === "text" && !REMARK.test(block.text ?? ""));
    if (said.length > 0) return { prompt: said.at(-1)!.text!.trim(), answered };
    answered ||= blocks(content).some((block) => block.type === "tool_result");
  }
  return { prompt: "", answered };
}

function answerTo(prompt: string, answered: boolean): Answer {
  if (answered) return say("MOCK-TOOL-DONE");
  const slow = /MOCK_SLOW\s+([\d.]+)/.exec(prompt);
  if (slow) return { ...say("MOCK-SLOW-DONE"), seconds: Number(slow[1]) };
  const bash = /MOCK_BASH\s+([^\n]+)/.exec(prompt);
  if (bash) return call("Bash", { command: bash[1], description: "a command of the test" });
  const tool = /MOCK_TOOL\s+(\w+)\s+(\{.*\})/.exec(prompt);
  return tool ? call(tool[1], JSON.parse(tool[2])) : say(`MOCK-REPLY: ${prompt}`);
}

function say(text: string): Answer {
  return { block: { type: "text", text }, seconds: 0 };
}

function call(name: string, input: unknown): Answer {
  return { block: { type: "tool_use", id: `toolu_${shortId()}`, name, input }, seconds: 0 };
}

function shortId(): string {
  return crypto.randomUUID().replaceAll("-", "").slice(0, 16);
}

async function reply(body: Body, answer: Answer, stop: AbortSignal): Promise<Response> {
  const message = {
    id: `msg_${shortId()}`,
    type: "message",
    role: "assistant",
    model: body.model ?? "mock",
    stop_sequence: null,
    usage: { input_tokens: 10, output_tokens: 5, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 },
  };
  if (body.stream) return stream(events(message, answer, stop));
  await pause(answer.seconds * 1000, stop);
  return Response.json({ ...message, content: [answer.block], stop_reason: reasonFor(answer) });
}

function reasonFor({ block }: Answer): string {
  return block.type === "text" ? "end_turn" : "tool_use";
}

function stream(source: AsyncIterable<{ type: string }>): Response {
  const lines = ReadableStream.from(source).pipeThrough(
    new TransformStream<{ type: string }, string>({
      transform: (event, out) => out.enqueue(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`),
    }),
  );
  return new Response(lines.pipeThrough(new TextEncoderStream()), {
    headers: { "content-type": "text/event-stream" },
  });
}

async function* events(message: { usage: unknown }, answer: Answer, stop: AbortSignal) {
  const { block } = answer;
  yield { type: "message_start", message: { ...message, content: [], stop_reason: null } };
  const empty = block.type === "text" ? { ...block, text: "" } : { ...block, input: {} };
  yield { type: "content_block_start", index: 0, content_block: empty };
  for (let left = answer.seconds * 1000; left > 0 && !stop.aborted; left -= PULSE_MS) {
    yield { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: ". " } };
    await pause(Math.min(left, PULSE_MS), stop);
  }
  const delta = block.type === "text"
    ? { type: "text_delta", text: block.text }
    : { type: "input_json_delta", partial_json: JSON.stringify(block.input) };
  yield { type: "content_block_delta", index: 0, delta };
  yield { type: "content_block_stop", index: 0 };
  yield {
    type: "message_delta",
    delta: { stop_reason: reasonFor(answer), stop_sequence: null },
    usage: message.usage,
  };
  yield { type: "message_stop" };
}

function pause(ms: number, stop: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, stop.aborted ? 0 : ms);
    stop.addEventListener("abort", () => (clearTimeout(timer), resolve()), { once: true });
  });
}
