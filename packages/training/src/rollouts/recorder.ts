import { foldChat, type ChatChunk } from "@trainyard/core/chat";
import type { Choice, FunctionTool, Message } from "../generated/schema.ts";
import type { Exchange } from "./conversations.ts";

interface RequestBody {
  readonly messages: readonly Message[];
  readonly tools: readonly FunctionTool[];
}

/** Records requests and their responses. */
export class Recorder {
  readonly exchanges: Exchange[] = [];

  /** Records a copy of a request. Returns a function that records its response. */
  request(body: unknown): (answer: unknown) => void {
    const { messages = [], tools } = asSent<RequestBody>(body);
    // A trajectory permits only functions; the `openai` package has other tools, too.
    const functions = tools?.filter(({ type }) => type === "function");
    const exchange: Exchange = { messages, tools: functions?.length ? functions : undefined };
    this.exchanges.push(exchange);
    return (answer) => {
      if (isStream(answer)) watch(answer, (choices) => (exchange.choices ??= choices));
      else exchange.choices ??= choicesOf(answer);
    };
  }
}

/** What a stream is made of: ours also gives the whole answer, and what the `openai` package splits reads `iterator`. */
interface Stream extends AsyncIterable<ChatChunk> {
  iterator?: () => AsyncIterator<ChatChunk>;
  final?: () => Promise<unknown>;
}

function isStream(value: unknown): value is Stream {
  return typeof value === "object" && value !== null && Symbol.asyncIterator in value;
}

/** Looks on while a stream is read: it belongs to this call alone, so that its own members can be replaced. */
function watch(stream: Stream, keep: (choices: readonly (Choice | Message)[]) => void): void {
  const name = typeof stream.iterator === "function" ? "iterator" : Symbol.asyncIterator;
  const original = (stream[name] ?? stream[Symbol.asyncIterator]).bind(stream);
  async function* read(): AsyncGenerator<ChatChunk, undefined> {
    const folding = foldChat();
    let broke = false;
    try {
      for await (const chunk of { [Symbol.asyncIterator]: original }) {
        folding.add(chunk);
        yield chunk;
      }
    } catch (error) {
      broke = true;
      throw error;
    } finally {
      try {
        keep(choicesOf(folding.value()));
      } catch {
        // After a broken stream, the program repeats the request. If it abandoned the stream, it worked with the text so far.
        if (!broke) keep(leftOf(folding.partial()));
      }
    }
  }
  stream[name] = read;
  const final = stream.final?.bind(stream);
  if (final)
    stream.final = async () => {
      const answer = await final();
      keep(choicesOf(answer));
      return answer;
    };
}

/** The text so far of each choice of an abandoned stream, as a message. */
function leftOf(answer: unknown): readonly Message[] {
  return choicesOf(answer).flatMap(({ message: { content } }) => (content ? [{ role: "assistant", content }] : []));
}

function choicesOf(answer: unknown): readonly Choice[] {
  return asSent<{ readonly choices: readonly Choice[] }>(answer).choices ?? [];
}

/** A copy as JSON, which later changes do not affect, and without functions, which messages and tools may contain. */
function asSent<Shape extends object>(value: unknown): Partial<Shape> {
  const copy: Partial<Shape> | null = JSON.parse(JSON.stringify(value ?? null));
  return copy ?? {};
}
