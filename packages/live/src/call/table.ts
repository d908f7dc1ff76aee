import type { Carrier as EngineCarrier, Operation as EngineOperation, Service } from "@trainyard/core";
import { joinLists } from "@trainyard/core";
import { isKeyed, joinedLists, type Document, type Operation } from "@trainyard/document";
import { callName } from "./find.ts";
import { textAccepted, written } from "../request.ts";

/** What the clients' engine needs to know to call one operation. */
export function engineService(name: string, { version }: Document, operation: Operation): Service {
  const { path, aliases, resend, timeout, security, pagination, stream, deprecated } = operation;
  const accept = textAccepted(operation);
  const entry: EngineOperation = {
    method: methodOf(operation),
    path,
    aliases,
    resend,
    timeout,
    keyed: isKeyed(operation),
    joined: joinedLists(operation),
    deprecated,
    ...(security.length > 0 && { security: security.map((schemes) => schemes.map((scheme) => scheme.name)) }),
    ...(accept !== undefined && { accept }),
    ...(pagination && { page: pagination }),
    ...(stream && { stream }),
  };
  const schemes = security.flat().map(({ name: scheme, carrier }): [string, EngineCarrier] => {
    const [, header] = written(carrier, "");
    return [scheme, { header, write: (secret) => written(carrier, secret)[2] }];
  });
  return {
    name,
    contractVersion: version,
    timeout,
    schemes: Object.fromEntries(schemes),
    joinLists,
    operations: { [callName(operation)]: entry },
  };
}

const methods = ["GET", "PUT", "POST", "DELETE", "OPTIONS", "HEAD", "PATCH", "TRACE"] as const;

function methodOf({ method }: Operation): EngineOperation["method"] {
  return methods.find((one) => one === method) ?? "GET";
}
