import { formatLoc } from "@trainyard/core/validation";
import type { DocumentOperation, Validator } from "@trainyard/front";

/** An answer of the server that its own document does not allow. */
export interface Violation {
  /** `training models.create` */
  readonly operation: string;
  readonly status: number;
  readonly problem: string;
}

/** Tells what is wrong with answers. */
export interface AnswerCheck {
  json(operation: DocumentOperation, status: number, text: string): void;
  /** Passes a stream on, and judges each of its events. */
  stream(operation: DocumentOperation, stream: ReadableStream<Uint8Array>): ReadableStream<Uint8Array>;
}

export function createAnswerCheck(
  service: string,
  validator: Validator,
  report: (violation: Violation) => void,
): AnswerCheck {
  const judge = (operation: DocumentOperation, status: number, mediaType: string, text: string): void => {
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
  };
  return {
    json: (operation, status, text) => judge(operation, status, "application/json", text),
    stream: (operation, stream) => {
      const decoder = new TextDecoder();
      let rest = "";
      const events = new TransformStream<Uint8Array, Uint8Array>({
        transform: (part, controller) => {
          controller.enqueue(part);
          const blocks = (rest + decoder.decode(part, { stream: true })).split(/\r?\n\r?\n/);
          rest = blocks.pop() ?? "";
          for (const block of blocks) {
            const data = /^data: ?(.*)$/m.exec(block)?.[1];
            if (data !== undefined && data !== "[DONE]" && !data.startsWith('{"error"')) {
              judge(operation, 200, "text/event-stream", data);
            }
          }
        },
      });
      return stream.pipeThrough(events);
    },
  };
}
