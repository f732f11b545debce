// Coverage profiles of thousands of processes, most of which went the same ways.

interface Range {
  count: number;
}

interface Profile {
  scriptId: string;
  url: string;
  functions: { ranges: Range[] }[];
}

/** Copies the profiles of src/ that differ in which code ran, however often; gives how many there were. */
export async function keepDistinct(from: string, to: string): Promise<{ kept: number; all: number }> {
  await Deno.remove(to, { recursive: true }).catch(() => {});
  await Deno.mkdir(to, { recursive: true });
  const seen = new Set<string>();
  let all = 0;
  for await (const { name } of Deno.readDir(from)) {
    const text = name.endsWith(".json") ? distinctive(await Deno.readTextFile(`${from}/${name}`)) : null;
    if (text === null) continue;
    all++;
    if (seen.has(text)) continue;
    seen.add(text);
    await Deno.writeTextFile(`${to}/${name}`, text);
  }
  return { kept: seen.size, all };
}

/** Null for code that is not ours. */
function distinctive(text: string): string | null {
  const profile: Profile = JSON.parse(text);
  if (!profile.url.includes("/src/")) return null;
  for (const range of profile.functions.flatMap(({ ranges }) => ranges)) {
    range.count = Math.min(range.count, 1);
  }
  return JSON.stringify({ ...profile, scriptId: "0" });
}
