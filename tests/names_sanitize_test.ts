// Names as text in, text out: the edge cases of sanitizing and of the suffix walk.
import assert from "node:assert/strict";
import { freeName, numbered, sameName } from "../src/names/free.ts";
import { NAME_LIMIT, sanitize } from "../src/names/sanitize.ts";

const NAMES: [why: string, text: string, name: string][] = [
  ["keeps letters, digits, dash and underscore", "Fix_login-2", "Fix_login-2"],
  ["turns blanks into one dash", "fix   login", "fix-login"],
  ["turns dots and colons into dashes", "v1.2:main", "v1-2-main"],
  ["collapses dashes", "a--b---c", "a-b-c"],
  ["collapses dashes with what is around them", "a - b", "a-b"],
  ["trims dashes at both ends", "--a--", "a"],
  ["trims what became a dash", "...a!!!", "a"],
  ["keeps scripts without case", "日本語のタイトル", "日本語のタイトル"],
  ["keeps Arabic from right to left", "إصلاح الدخول", "إصلاح-الدخول"],
  ["keeps a combining accent with its letter", "e\u0301te\u0301", "e\u0301te\u0301"],
  ["keeps vowel signs and viramas", "नमस्ते", "नमस्ते"],
  ["drops a mark that belongs to no letter", "\u0301a", "a"],
  ["drops a mark after a dash", "a-\u0301b", "a-b"],
  ["drops direction overrides", "a\u202eb", "a-b"],
  ["drops zero width joiners", "a\u200db", "a-b"],
  ["drops variation selectors", "a\ufe0fb", "a-b"],
  ["drops emoji", "party 🎉 time", "party-time"],
  ["drops lone surrogates", "a\ud800b", "a-b"],
  ["drops control characters", "a\u0000b\tc\nd\u001be", "a-b-c-d-e"],
  ["drops what tmux expands", "#(touch x) #{pane_id}", "touch-x-pane_id"],
  ["drops what shells expand", "$(id) `id` ; & | ' \"", "id-id"],
  ["drops a leading at sign", "@file", "file"],
  ["keeps an underscore alone", "_", "_"],
  ["keeps digits of other scripts", "٣ ४", "٣-४"],
];

for (const [why, text, name] of NAMES) {
  Deno.test(`sanitize() ${why}`, () => assert.deepEqual(sanitize(text), { name }));
}

for (const text of ["", " ", "---", "...", "🎉", "#()", "\u200b", "\u3164", "\u0301", "⠂ ✳"]) {
  Deno.test(`sanitize() refuses ${JSON.stringify(text)}, of which nothing is left`, () => {
    assert.ok("error" in sanitize(text));
  });
}

Deno.test("sanitize() cuts at 64 characters", () => {
  assert.deepEqual(sanitize("x".repeat(300)), { name: "x".repeat(64) });
  assert.deepEqual(sanitize("語".repeat(300)), { name: "語".repeat(64) });
});

Deno.test("sanitize() counts characters, not units of UTF-16", () => {
  assert.deepEqual(sanitize("𠮷".repeat(64)), { name: "𠮷".repeat(64) });
});

Deno.test("sanitize() trims again after the cut", () => {
  assert.deepEqual(sanitize(`${"x".repeat(63)} yy`), { name: "x".repeat(63) });
});

Deno.test("sanitize() never cuts an accent off its letter", () => {
  assert.deepEqual(sanitize(`${"x".repeat(63)}e\u0301`), { name: "x".repeat(63) });
});

const POOL = [
  ..."abcXYZ019_- .:#$()!日本語한국어",
  ..."각e\u0301a\u0308क्षत्रिनमस्तेกำทำລຳｶﾞشُكْرًاகொமലയാളംবংগ্রతెలుగుក្រុម".normalize("NFD"),
  "🎉",
  "\u200d",
  "\ud800",
];

/** The same sequence in every run: a failure can be repeated. */
function* numbers(seed: number): Generator<number> {
  for (let state = seed;;) {
    state = (state * 1664525 + 1013904223) % 4294967296;
    yield state / 4294967296;
  }
}

function* texts(count: number): Generator<string> {
  const next = numbers(7);
  const draw = () => next.next().value as number;
  for (let made = 0; made < count; made++) {
    const length = Math.floor(draw() * 150);
    yield Array.from({ length }, () => POOL[Math.floor(draw() * POOL.length)]).join("");
  }
}

Deno.test("sanitize() of 20,000 generated texts is well-formed, idempotent and never cuts a character", () => {
  const segmenter = new Intl.Segmenter("en", { granularity: "grapheme" });
  for (const text of texts(20_000)) {
    const result = sanitize(text);
    if ("error" in result) continue;
    const { name } = result;
    assert.match(name, /^(?!-)[\p{L}\p{M}\p{N}_-]+(?<!-)$/u);
    assert.ok([...name].length <= NAME_LIMIT && !name.includes("--"), text);
    assert.deepEqual(sanitize(name), { name });
    const whole = (text.match(/(?:[\p{L}\p{N}]\p{M}*|[_-])+/gu) ?? []).join("-").replaceAll(/-+/g, "-")
      .replace(/^-/, "");
    if (!whole.startsWith(name)) continue;
    const edges = [...segmenter.segment(whole)].map((segment) => segment.index);
    assert.ok(name.length === whole.length || edges.includes(name.length), JSON.stringify({ whole, name }));
  }
});

Deno.test("freeName() keeps a name that nobody has", () => {
  assert.equal(freeName("foo", []), "foo");
  assert.equal(freeName("foo", ["bar", "foo-2", "Foo"]), "foo");
});

Deno.test("freeName() takes the next free number from 2 on", () => {
  assert.equal(freeName("foo", ["foo"]), "foo-2");
  assert.equal(freeName("foo", ["foo", "foo-2", "foo-3"]), "foo-4");
  assert.equal(freeName("foo", ["foo", "foo-3"]), "foo-2");
});

Deno.test("freeName() leaves a number alone that the user gave", () => {
  assert.equal(freeName("v-2", ["v-2"]), "v-2-2");
});

Deno.test("freeName() sees that a composed and a decomposed name look the same", () => {
  assert.equal(freeName("été", ["e\u0301te\u0301"]), "été-2");
  assert.ok(sameName("été", "e\u0301te\u0301"));
  assert.ok(!sameName("foo", "Foo"));
});

Deno.test("freeName() stays within the limit and remains a name", () => {
  const long = "x".repeat(NAME_LIMIT);
  const free = freeName(long, [long]);
  assert.equal(free, `${"x".repeat(NAME_LIMIT - 2)}-2`);
  assert.deepEqual(sanitize(free), { name: free });
});

Deno.test("numbered() leaves no double dash where it cuts", () => {
  assert.equal(numbered(`${"x".repeat(61)}-yy`, 2), `${"x".repeat(61)}-2`);
});

Deno.test("freeName() walks past thousands of taken names", () => {
  const taken = ["foo", ...Array.from({ length: 5_000 }, (_, index) => `foo-${index + 2}`)];
  assert.equal(freeName("foo", taken), "foo-5002");
});
