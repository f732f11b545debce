// The one place that knows jsonc-morph (loaded when it is needed: it is large). A JSON text that is edited in place:
// each edit changes one place, and is kept as a step that can be taken back.
import { type Step, stepBetween } from "./steps.ts";

export type Path = (string | number)[];

// What we use of the library, whose own declarations say `any`.
interface JsonNode {
  asArray(): JsonArray | undefined;
  asObject(): JsonObject | undefined;
  remove(): void;
}
interface JsonArray {
  elements(): JsonNode[];
  append(value: unknown): void;
}
interface JsonProperty {
  decodedName(): string | undefined;
  value(): JsonNode | undefined;
  setValue(value: string | number): void;
  remove(): void;
}
interface JsonObject {
  properties(): JsonProperty[];
  get(key: string): JsonProperty | undefined;
  append(key: string, value: unknown): void;
  getIfObjectOrForce(key: string): JsonObject;
  getIfArrayOrForce(key: string): JsonArray;
}
interface JsonRoot {
  value(): JsonNode | undefined;
  asObjectOrForce(): JsonObject;
  toString(): string;
}

export class JsonText {
  readonly steps: Step[] = [];
  #text: string;

  private constructor(readonly root: JsonRoot, text: string) {
    this.#text = text;
  }

  /** Throws when the text is no JSON. A blank text counts as an empty object. */
  static async parse(text: string): Promise<JsonText> {
    const { parseStrict } = await import("jsonc-morph");
    return new JsonText(parseStrict(text), text);
  }

  get text(): string {
    return this.#text;
  }

  has(path: Path): boolean {
    return this.#find(path) !== undefined;
  }

  /** Whether the list or object at the path is there and holds nothing. */
  isEmpty(path: Path): boolean {
    const node = this.#find(path);
    const inside = node?.asArray()?.elements() ?? node?.asObject()?.properties();
    return inside?.length === 0;
  }

  /** The first key that one of these objects holds more than once, else null. */
  duplicateKey(paths: Path[]): string | null {
    for (const path of paths) {
      const names = this.#find(path)?.asObject()?.properties().map((property) =>
        property.decodedName() ?? ""
      ) ?? [];
      const twice = names.find((name, index) => names.indexOf(name) !== index);
      if (twice !== undefined) return twice;
    }
    return null;
  }

  /** Sets a key of an existing object. */
  set(path: Path, value: string | number): void {
    const key = String(path.at(-1));
    const owner = this.#object(path.slice(0, -1));
    const property = owner.get(key);
    if (property) property.setValue(value);
    else owner.append(key, value);
    this.#note();
  }

  /** Puts a value at the end of the list at the path; missing containers are made. */
  append(path: Path, value: unknown): void {
    let owner = this.root.asObjectOrForce();
    for (const key of path.slice(0, -1)) owner = owner.getIfObjectOrForce(String(key));
    owner.getIfArrayOrForce(String(path.at(-1))).append(value);
    this.#note();
  }

  /** Removes the element or the key at the path. */
  remove(path: Path): void {
    const last = path.at(-1)!;
    if (typeof last === "string") this.#object(path.slice(0, -1)).get(last)?.remove();
    else (this.#find(path) as JsonNode).remove();
    this.#note();
  }

  #note(): void {
    const text = this.root.toString();
    this.steps.push(stepBetween(this.#text, text));
    this.#text = text;
  }

  #object(path: Path): JsonObject {
    const found = this.#find(path)?.asObject();
    if (!found) throw new Error(`there is no object at "${path.join(".")}"`);
    return found;
  }

  #find(path: Path): JsonNode | undefined {
    let node: JsonNode | undefined = this.root.value();
    for (const key of path) {
      node = typeof key === "number" ? node?.asArray()?.elements()[key] : node?.asObject()?.get(key)?.value();
    }
    return node;
  }
}
