import { arrow, label, type Drawing } from "./svg.ts";

/** A chunk of a stream, with the fields that are drawn. */
interface Chunk {
  readonly choices?: readonly {
    readonly delta?: { readonly role?: string; readonly content?: string };
    readonly finish_reason?: string | null;
  }[];
  readonly usage?: { readonly total_tokens?: number } | null;
}

/** The events of a stream, from the document's example of one: text/event-stream. */
export function streamOf(example: string): Drawing {
  const events = example
    .split(/\n\n+/)
    .map((event) => event.replace(/^data: /, "").trim())
    .filter((event) => event !== "");
  const rows = events.map((event) => {
    if (event === "[DONE]") return { text: "[DONE]", what: "the end of the stream" };
    const { choices = [], usage }: Chunk = JSON.parse(event);
    const [choice] = choices;
    if (choice === undefined)
      return { text: `${usage?.total_tokens ?? 0} tokens`, what: "usage, because include_usage was set" };
    const { content, role } = choice.delta ?? {};
    if (choice.finish_reason) return { text: choice.finish_reason, what: "finish_reason" };
    return content
      ? { text: `“${content}”`, what: "delta.content" }
      : { text: role ?? "", what: "delta.role: the answer begins" };
  });
  const answer = rows
    .filter(({ what }) => what === "delta.content")
    .map(({ text }) => text.slice(1, -1))
    .join("");
  const bottom = 60 + rows.length * 30;
  return {
    title: "A stream, event by event",
    text: `The example of the document has ${rows.length} events: ${rows.map(({ text, what }) => `${text} (${what})`).join("; ")}. final() combines them into one answer: ${answer}`,
    width: 680,
    height: bottom + 70,
    parts: [
      label(20, 24, "service", { anchor: "start", kind: "note" }),
      label(660, 24, "your program", { anchor: "end", kind: "note" }),
      ...rows.map(({ text, what }, index) => {
        const y = 56 + index * 30;
        return (
          arrow(`M20 ${y}H656`) +
          label(30, y - 7, text, { anchor: "start" }) +
          label(640, y - 7, what, { anchor: "end", kind: "note" })
        );
      }),
      `<rect x="20" y="${bottom}" width="640" height="56" rx="8" class="box strong"/>`,
      label(340, bottom + 23, ["`(await stream.final()).choices[0].message.content`", answer]),
    ],
  };
}
