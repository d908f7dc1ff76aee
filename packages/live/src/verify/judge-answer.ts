import { joinPointer } from "@trainyard/core/validation";
import { isJson, responseOf, type Operation } from "@trainyard/document";
import { cut } from "../text.ts";
import { judgeJson, judgeStream } from "./judge-body.ts";
import { judgeHeaders, judgeRequestId } from "./judge-headers.ts";
import { judgeMedia } from "./judge-media.ts";
import type { Run } from "./run.ts";
import type { Exchange } from "./wire.ts";

/** Checks one response of an operation against its document: status, headers, media type, body. */
export function judgeAnswer(run: Run, exchange: Exchange): void {
  const { operation, answer } = exchange;
  if (operation === undefined) return;
  const responses = joinPointer(operation.pointer, "responses");
  if (answer.broken !== undefined) {
    run.report(exchange, {
      pointer: operation.pointer,
      says: "The operation returns a response.",
      seen: answer.broken,
    });
    if (answer.status === 0) return;
  }
  judgeRequestId(run, exchange);
  const response = responseOf(operation, answer.status);
  if (response === undefined) {
    if (belongsToNoOperation.has(answer.status)) return judgeError(run, exchange);
    // An unexpected status is reported by the probe that expected another one.
    if (exchange.expected?.includes(answer.status) === false && !answer.isExample) return;
    run.report(exchange, {
      pointer: responses,
      certainty: "not declared",
      says: `The operation returns ${[...operation.responses.keys()].join(", ")}.`,
      seen: `status ${answer.status}${excerpt(exchange)}`,
    });
    return;
  }
  judgeHeaders(run, exchange, response);
  if (exchange.sent.method === "HEAD") return;
  const media = judgeMedia(run, exchange, response);
  if (media === undefined || answer.broken !== undefined) return;
  if (media.mediaType === "text/event-stream") judgeStream(run, exchange, media);
  else if (isJson(media.mediaType)) judgeJson(run, exchange, media);
}

/** HTTP statuses that no operation declares: for an unknown path, another method, a media type, or headers that are too large. */
const belongsToNoOperation = new Set([404, 405, 415, 431]);

/** Checks an error outside of any operation: it must have the format of the service's other errors. */
export function judgeError(run: Run, exchange: Exchange): void {
  const { answer, service } = exchange;
  const validator = run.validator(service);
  if (exchange.sent.method === "HEAD") return;
  const forms = errorForms(service.document.operations);
  const fits = answer.json !== undefined && forms.some((form) => validator.at(form, answer.json?.value).length === 0);
  if (fits || forms.length === 0) return;
  run.report(exchange, {
    pointer: forms[0] ?? "#",
    says: `An error of the service has the schema ${forms.map((form) => form.split("/").at(-1)).join(" or ")}.`,
    seen: `status ${answer.status}${excerpt(exchange) || " with another body"}`,
  });
}

/** The schemas of the service's errors, except those for invalid requests, which list the invalid fields. */
function errorForms(operations: readonly Operation[]): string[] {
  const pointers = operations.flatMap(({ responses }) =>
    [...responses].flatMap(([status, { content }]) =>
      /^(4\d\d|500)$/.test(status) && status !== "422"
        ? [...content.values()].flatMap(({ schema }) => (schema ? [schema.pointer] : []))
        : [],
    ),
  );
  return [...new Set(pointers)];
}

/** The start of an error's body. A success is not quoted, because only its schema says which values are sensitive. */
export function excerpt({ answer }: Exchange): string {
  return answer.status >= 400 && answer.text !== "" ? `, ${cut(answer.text)}` : "";
}
