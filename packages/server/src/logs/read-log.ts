import { createRequire } from "node:module";
import { readDocument } from "@trainyard/document";
import { createValidator, parseBody, type BodyLimits } from "@trainyard/host";
import type { LogRequest } from "@trainyard/training";
import { logMetrics, type LogMetrics } from "./log-metrics.ts";

/** What is kept of a log beside its body. */
export interface ReadLog extends LogMetrics {
  readonly split: string;
}

let judge: ((value: unknown) => value is LogRequest) | undefined;

/** Reads the body of a log; gives undefined for one that must not be kept, whatever is wrong with it. */
export function readLog(bytes: Uint8Array<ArrayBuffer>, limits: BodyLimits): ReadLog | undefined {
  const body = parseBody(bytes, limits);
  if (body.kind !== "json") return undefined;
  judge ??= logJudge();
  const { value } = body;
  return judge(value) ? { split: value.split, ...logMetrics(value) } : undefined;
}

/** Made when it is first needed: a thread that reads no log needs no document. */
function logJudge(): (value: unknown) => value is LogRequest {
  const document: object = createRequire(import.meta.url)("@trainyard/training/openapi.json");
  const validator = createValidator(document);
  const operation = readDocument(document).operations.find(({ name }) => name === "models.log");
  if (operation === undefined) throw new Error("The document of training has no models.log.");
  return (value): value is LogRequest => validator.request(operation, "body", value).length === 0;
}
