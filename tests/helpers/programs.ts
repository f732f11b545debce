// What is installed on this machine.

/** Whether a program is on the caller's PATH. */
export function hasProgram(name: string): boolean {
  return (Deno.env.get("PATH") ?? "").split(":").some((folder) => {
    try {
      return Deno.statSync(`${folder}/${name}`).isFile;
    } catch {
      return false;
    }
  });
}
