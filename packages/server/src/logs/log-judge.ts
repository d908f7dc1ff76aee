import { createRequire } from "node:module";
import { readDocument } from "@trainyard/document";
import { validatorOf, parseBody, type BodyLimits } from "@trainyard/host";
import type { LogRequest } from "@trainyard/training";
import { readLog, type ReadLog } from "./read-log.ts";

let judge: ((value: unknown) => value is LogRequest) | undefined;

/** Judges the body of a log and reads it; gives undefined for one that must not be kept, whatever is wrong with it. */
export function judgeLog(bytes: Uint8Array<ArrayBuffer>, limits: BodyLimits): ReadLog | undefined {
  const body = parseBody(bytes, limits);
  if (body.kind !== "json") return undefined;
  judge ??= logJudge();
  return judge(body.value) ? readLog(body.value) : undefined;
}

/** Made when it is first needed: a thread that reads no log needs no document. */
function logJudge(): (value: unknown) => value is LogRequest {
  const document: object = createRequire(import.meta.url)("@trainyard/training/openapi.json");
  const validator = validatorOf(document);
  const operation = readDocument(document).operations.find(({ name }) => name === "models.log");
  if (operation === undefined) throw new Error("The document of training has no models.log.");
  return (value): value is LogRequest => validator.request(operation, "body", value).length === 0;
}
