import { styleText } from "node:util";

const dim = (text: string): string => styleText("dim", text);

/** A value as a person reads it: indented JSON, at most `lines` lines of it. */
function preview(value: unknown, lines: number): string {
  const all = JSON.stringify(value, null, 2).split("\n");
  const shown =
    all.length > lines
      ? [...all.slice(0, lines), `… ${all.length - lines} more lines`]
      : all;
  return shown.map((line) => `      ${line}`).join("\n");
}

export interface Exchange {
  /** What happens, in a sentence. */
  readonly title: string;
  /** The call as it stands in a program. */
  readonly call: string;
  readonly request?: unknown;
  readonly answer: unknown;
  /** Lines shown of each side; 12 unless told. */
  readonly lines?: number;
}

/** Prints one call: what was written, what was sent, what came back. */
export function show({ title, call, request, answer, lines = 12 }: Exchange): void {
  console.log(
    `\n${styleText("bold", title)}  ${styleText("cyan", `await ${call}`)}`,
  );
  if (request !== undefined)
    console.log(`${dim("  → request")}\n${preview(request, lines)}`);
  console.log(`${dim("  ← answer")}\n${preview(answer, lines)}`);
}
