// Bytes of foreign files. Texts that are not UTF-8 (a comment in Latin-1) keep every byte.

/** `bytes`: not UTF-8, so each character stands for one byte. */
export type TextKind = "utf-8" | "bytes";

/** The text in the bytes; a byte-order mark stays in it. */
export function decode(bytes: Uint8Array): { text: string; kind: TextKind } | { reason: string } {
  if (bytes.includes(0)) return { reason: "it holds NUL bytes, so it is no text file" };
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    return { text, kind: "utf-8" };
  } catch {
    return { text: Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""), kind: "bytes" };
  }
}

/** The bytes of a text, null when one of its characters has no byte. */
export function encode(text: string, kind: TextKind): Uint8Array | null {
  if (kind === "utf-8") return new TextEncoder().encode(text);
  const codes = Array.from({ length: text.length }, (_, index) => text.charCodeAt(index));
  return codes.every((code) => code < 256) ? Uint8Array.from(codes) : null;
}
