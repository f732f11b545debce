// The round trip of `--deep`. (placeholder until the private server's parts are there)
import type { Check } from "./check.ts";

export const deepChecks: Check[] = [];
