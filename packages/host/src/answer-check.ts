import { formatLoc } from "@trainyard/core/validation";
import { mediaFor, responseOf, type Operation } from "@trainyard/document";
import type { Validator } from "./validator.ts";

/** A response that violates its document. */
export interface Violation {
  /** `training models.create` */
  readonly operation: string;
  readonly status: number;
  readonly problem: string;
}

/** The request of a response that is checked. */
export interface Asked {
  readonly url: string;
  /** The values of the path parameters. */
  readonly params: Readonly<Record<string, string>>;
  /** The body if it is valid JSON. */
  readonly value: unknown;
}

/** A value of a response that matches its schema. */
export interface ValidValue {
  readonly service: string;
  readonly root: object;
  readonly operation: Operation;
  readonly asked: Asked;
  readonly status: number;
  /** The pointer of its schema. */
  readonly schema: string;
  readonly value: unknown;
  /** The value as it was written. */
  readonly text: string;
}

/** Checks what a schema cannot say, and returns what is wrong. */
export type RuleCheck = (value: ValidValue) => readonly string[];

/** Checks responses against the document. */
export interface AnswerCheck {
  json(operation: Operation, status: number, mediaType: string, text: string, asked?: Asked): void;
  /** Passes text on, and checks each of its lines if they have a schema. */
  text(operation: Operation, mediaType: string, text: ReadableStream<Uint8Array>): ReadableStream<Uint8Array>;
  /** Passes a stream on, and checks each of its events. */
  stream(operation: Operation, stream: ReadableStream<Uint8Array>, asked?: Asked): ReadableStream<Uint8Array>;
}

const unknown: Asked = { url: "http://unknown/", params: {}, value: undefined };

/** Creates the check for the responses of a document, which also checks its rules if there are any. */
export function createAnswerCheck(
  { name: service, root, rules }: { name: string; root: object; rules?: RuleCheck | undefined },
  validator: Validator,
  report: (violation: Violation) => void,
): AnswerCheck {
  const judge = (operation: Operation, status: number, mediaType: string, text: string, asked = unknown): void => {
    const violation = (problem: string) => report({ operation: `${service} ${operation.name}`, status, problem });
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      return violation("The answer is not JSON.");
    }
    const faults = validator.answer(operation, status, mediaType, value);
    if (faults === undefined) return violation(`The document declares no ${mediaType} for status ${status}.`);
    for (const { loc, msg } of faults) violation(`${formatLoc(loc) || "The answer"}: ${msg}`);
    const media = mediaFor(responseOf(operation, status)?.content ?? new Map(), mediaType);
    const schema = (media?.item ?? media?.schema)?.pointer;
    if (rules === undefined || faults.length > 0 || schema === undefined) return;
    for (const problem of rules({ service, root, operation, asked, status, schema, value, text })) violation(problem);
  };
  return {
    json: judge,
    text: (operation, mediaType, text) => {
      const media = mediaFor(responseOf(operation, 200)?.content ?? new Map(), mediaType);
      if (media === undefined) {
        const problem = `The document declares no ${mediaType} for status 200.`;
        report({ operation: `${service} ${operation.name}`, status: 200, problem });
      }
      if (media?.item === undefined) return text;
      return checked(text, "\n", (line) => judge(operation, 200, mediaType, line));
    },
    stream: (operation, stream, asked) =>
      checked(stream, /\r?\n\r?\n/, (block, isLast) => {
        // A stream that was cut ends in a part of an event.
        if (isLast) return;
        const data = /^data: ?(.*)$/m.exec(block)?.[1];
        const isError = /^event: ?error$/m.test(block) || data?.startsWith('{"error"');
        if (data !== undefined && data !== operation.stream?.end && !isError) {
          judge(operation, 200, "text/event-stream", data, asked);
        }
      }),
  };
}

/** Passes a stream on, and checks each part of it between separators. */
function checked(
  stream: ReadableStream<Uint8Array>,
  separator: string | RegExp,
  check: (part: string, isLast: boolean) => void,
): ReadableStream<Uint8Array> {
  const decoder = new TextDecoder();
  let rest = "";
  const parts = new TransformStream<Uint8Array, Uint8Array>({
    transform: (bytes, controller) => {
      controller.enqueue(bytes);
      const whole = (rest + decoder.decode(bytes, { stream: true })).split(separator);
      rest = whole.pop() ?? "";
      for (const part of whole) check(part, false);
    },
    flush: () => {
      if (rest !== "") check(rest, true);
    },
  });
  return stream.pipeThrough(parts);
}
