import { type Json } from "@trainyard/document";
import { Document } from "../../src/document.ts";
import type { JsonObject } from "../../src/json.ts";
import { type Verdict, verdicts } from "../../src/verdict.ts";
import { Draft, baseOf, tableOf } from "../draft.ts";
import { parse } from "yaml";

/**
 * One change, with the verdicts that a careful review may give. Each of several verdicts is right. A change that only a
 * caller's source code notices is breaking `for source`, and less than breaking on the wire.
 */
export type Judgment =
  | Verdict
  | `${Verdict} or ${Verdict}`
  | `${Verdict} or ${Verdict} or ${Verdict}`
  | "breaking for source";

export interface Row {
  readonly name: string;
  /** A service of this repository, or `small`, an invented one for what no document has. */
  readonly service: string;
  readonly before: Document;
  /** Created anew for each call. */
  readonly now: () => Document;
  readonly judgment: Judgment;
  readonly why: string;
}

/** A change of one of the documents as they were at version 1.0.0. */
export function real(
  name: string,
  service: string,
  edit: (draft: Draft) => void,
  judgment: Judgment,
  why: string,
): Row {
  const now = (): Document => {
    const draft = new Draft(service);
    edit(draft);
    return draft.document;
  };
  return { name: `${service}: ${name}`, service, before: baseOf(service), now, judgment, why };
}

/** A change of what the only operation of a small service accepts. */
export function sent(name: string, before: Json, now: Json, judgment: Judgment, why: string): Row {
  return between(`sent: ${name}`, { request: before }, { request: now }, judgment, why);
}

/** A change of what it returns. */
export function read(name: string, before: Json, now: Json, judgment: Judgment, why: string): Row {
  return between(`read: ${name}`, { answer: before }, { answer: now }, judgment, why);
}

/** What the values of a row say about the small service. As methods are, it is compared loosely: the rows have its values. */
type Part = { of(value: Json): Small }["of"];

/** What rows of the small service state: a schema that is `sent`, `read`, or both, a part of the operation or of the document. */
const parts: Readonly<Record<string, Part>> = {
  sent: (request) => ({ request }),
  read: (answer) => ({ answer }),
  "sent and read": (schema) => ({ request: schema, answer: schema }),
  operation: (operation: JsonObject) => ({ operation }),
  document: (root: JsonObject) => ({ root }),
};

/**
 * The rows of a table, of which {@link tableOf} says the form: `of: name | judgment | why`. `of` is a service, one of the parts
 * above, or one of `own`.
 */
export function rowsOf(table: string, own: Readonly<Record<string, Part>> = {}): Row[] {
  return tableOf(table).map(({ of, name, cells: [judgment = "", why = ""], lines }) => {
    if (!isJudgment(judgment)) throw new Error(`"${name}" has no verdict: ${judgment}.`);
    const part = own[of] ?? parts[of];
    if (part === undefined) return real(name, of, (draft) => lines.forEach((line) => draft.edit(line)), judgment, why);
    const [before, now] = sidesOf(lines).map(part);
    const isSchema = ["sent", "read", "sent and read"].includes(of);
    return between(isSchema ? `${of}: ${name}` : name, before ?? {}, now ?? {}, judgment, why);
  });
}

/** What stands before and after the arrow of a row. */
export function sidesOf(lines: readonly string[]): Json[] {
  return lines
    .join(" ")
    .split(" → ")
    .map((value): Json => parse(value));
}

function isJudgment(text: string): text is Judgment {
  return text.split(/ or | for source$/).every((one) => one === "" || verdicts.some((verdict) => verdict === one));
}

interface Small {
  readonly request?: Json;
  readonly answer?: Json;
  readonly schemas?: JsonObject;
  /** Merged into the operation. */
  readonly operation?: JsonObject;
  /** Merged into the document. */
  readonly root?: JsonObject;
}

/** Any change of a small service. */
export function between(name: string, before: Small, now: Small, judgment: Judgment, why: string): Row {
  return { name, service: "small", before: small(before), now: () => small(now), judgment, why };
}

/** A schema that others refer to. */
const part = { type: "object", properties: { id: { type: "string" } } };

function small({ request = {}, answer = {}, schemas = {}, operation = {}, root = {} }: Small): Document {
  const content = (schema: Json): JsonObject => ({ "application/json": { schema } });
  const run = {
    operationId: "run",
    "x-client-method": "runs.start",
    "x-resend": "never",
    requestBody: { required: true, content: content({ $ref: "#/components/schemas/Order" }) },
    responses: { "200": { description: "Done.", content: content({ $ref: "#/components/schemas/Result" }) } },
    ...operation,
  };
  return new Document("small", {
    openapi: "3.1.0",
    "x-trainyard": 1,
    info: { title: "Small", version: "1.0.0" },
    paths: { "/v1/run": { post: run } },
    components: { schemas: { Order: request, Result: answer, Part: part, ...schemas } },
    ...root,
  });
}
