import { styleText } from "node:util";

const dim = (text: string): string => styleText("dim", text);

/** A value for people: indented JSON of at most `lines` lines. */
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
  /** The call as a program would contain it. */
  readonly call: string;
  readonly request?: unknown;
  readonly answer: unknown;
  /** The number of lines to show of the request and of the response. Default: 12. */
  readonly lines?: number;
}

/** Prints one call: the code, the request and the response. */
export function show({ title, call, request, answer, lines = 12 }: Exchange): void {
  console.log(
    `\n${styleText("bold", title)}  ${styleText("cyan", `await ${call}`)}`,
  );
  if (request !== undefined)
    console.log(`${dim("  → request")}\n${preview(request, lines)}`);
  console.log(`${dim("  ← response")}\n${preview(answer, lines)}`);
}
