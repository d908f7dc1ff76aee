import { count } from "../format/format.ts";

/** The content of a message as a page can show it: text is always shown as text. */
export type Part =
  | { readonly kind: "text"; readonly text: string }
  /** An image that the message contains as data. */
  | { readonly kind: "image"; readonly source: string; readonly what: string }
  /** Content that is named but not shown: an image at an address, sound, a file. */
  | { readonly kind: "named"; readonly what: string };

/** A token that was logged with a choice. */
export interface Token {
  readonly token: string;
  /** Its bytes, where the log has them: a token may be a part of a character. */
  readonly bytes: readonly number[] | undefined;
  /** Not a number if the log does not say it. */
  readonly logprob: number;
}

/** One message or choice of a conversation. */
export interface Turn {
  readonly role: string;
  /** Whether it is a choice of the model that is trained. */
  readonly isChoice: boolean;
  readonly parts: readonly Part[];
  readonly reasoning: string;
  readonly calls: readonly Readonly<Record<"id" | "name" | "arguments", string>>[];
  /** The id of the call that it answers. */
  readonly answers: string;
  readonly tokens: readonly Token[];
  readonly finish: string;
}

type Json = Readonly<Record<string, unknown>>;

/** Reads a message or a choice. Anything that does not match the contract is left out. */
export function readTurn(value: unknown): Turn {
  const entry = record(value);
  const isChoice = typeof entry["message"] === "object" && entry["message"] !== null;
  const message = isChoice ? record(entry["message"]) : entry;
  const logprobs = record(entry["logprobs"]);
  const call = message["function_call"];
  const audio = text(record(message["audio"])["data"]);
  return {
    role: text(message["role"]),
    isChoice,
    parts: [
      ...partsOf(message["content"]),
      ...partsOf(text(message["refusal"])),
      ...(audio === "" ? [] : [{ kind: "named" as const, what: `audio, ${weight(audio)}` }]),
    ],
    reasoning: text(message["reasoning"]) || text(message["reasoning_content"]),
    calls: [...list(message["tool_calls"]), ...(call ? [{ function: call }] : [])].map((value) => {
      const { id, function: one, custom } = record(value);
      const called = record(one ?? custom);
      return {
        id: text(id),
        name: text(called["name"]),
        arguments: text(called["arguments"]) || text(called["input"]),
      };
    }),
    answers: text(message["tool_call_id"]),
    tokens: list(logprobs["content"]).flatMap((one) => {
      const { token, logprob, bytes } = record(one);
      const isByte = (byte: unknown) => Number.isInteger(byte) && Number(byte) >= 0 && Number(byte) < 256;
      const given = Array.isArray(bytes) && bytes.every(isByte) ? bytes.map(Number) : undefined;
      return typeof token === "string"
        ? [{ token, bytes: given, logprob: typeof logprob === "number" ? logprob : NaN }]
        : [];
    }),
    finish: text(entry["finish_reason"]),
  };
}

/** The messages and choices of a trajectory or of an additional history. Without a choice, messages of the assistant are. */
export function turnsOf(trajectory: unknown): Turn[] {
  const turns = list(record(trajectory)["messages_and_choices"]).map(readTurn);
  if (turns.some(({ isChoice }) => isChoice)) return turns;
  return turns.map((turn) => ({ ...turn, isChoice: turn.role === "assistant" }));
}

/** The number of messages at the start that all conversations share: the input of the model. */
export function commonTurns(conversations: readonly (readonly Turn[])[]): number {
  const [first, ...others] = conversations;
  if (first === undefined) return 0;
  let length = 0;
  for (const turn of first) {
    if (turn.isChoice) break;
    const same = JSON.stringify(turn);
    if (!others.every((other) => JSON.stringify(other[length]) === same)) break;
    length++;
  }
  return length;
}

/** The whole text, in one string. */
export function plainText({ parts }: Pick<Turn, "parts">): string {
  return parts.map((part) => (part.kind === "text" ? part.text : `[${part.what}]`)).join("\n");
}

export function record(value: unknown): Json {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Json) : {};
}

export function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function partsOf(content: unknown): Part[] {
  if (typeof content === "string") return content === "" ? [] : [{ kind: "text", text: content }];
  return list(content).map(partOf);
}

function partOf(value: unknown): Part {
  const part = record(value);
  const shown = part["text"] ?? part["refusal"];
  if (typeof shown === "string") return { kind: "text", text: shown };
  const url = text(record(part["image_url"])["url"]);
  const type = /^data:([^;,]*)/.exec(url)?.[1];
  // Only images as data, and only formats that cannot contain scripts: SVG is markup.
  if (/^data:image\/(png|jpeg|gif|webp|avif);base64,/.test(url))
    return { kind: "image", source: url, what: `image, ${weight(url)}` };
  if (type !== undefined) return { kind: "named", what: `${type || "data"}, ${weight(url)}` };
  if (url !== "") return { kind: "named", what: `image at ${url} (not fetched)` };
  const [audio, file] = [record(part["input_audio"]), record(part["file"])];
  if ("data" in audio)
    return { kind: "named", what: `audio, ${text(audio["format"])}, ${weight(text(audio["data"]))}` };
  const name = text(file["filename"]) || text(file["file_id"]);
  if (name !== "" || "file_data" in file)
    return { kind: "named", what: `file ${name}, ${weight(text(file["file_data"]))}` };
  return { kind: "named", what: text(part["type"]) || "unknown content" };
}

/** The size of base64 data after decoding. */
function weight(base64: string): string {
  const bytes = Math.floor((base64.slice(base64.indexOf(",") + 1).length * 3) / 4);
  return bytes < 1000 ? `${bytes} bytes` : `${count(bytes / 1000)} kB`;
}
