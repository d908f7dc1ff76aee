/** A document of components, and what each tool of ours says of values of them. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { generateClient } from "@trainyard/codegen/generate-client";
import { readFile } from "@trainyard/document/files";
import type { JsonObject } from "@trainyard/core/validation";
import { locate, readDocument, type Operation } from "@trainyard/document";
import { sampleOf, validatorOf } from "@trainyard/host";
import type { Direction } from "./letter.ts";
import type { Schemas } from "./node.ts";

/** The document of which the components are, and which dialect it is in. */
export interface Source {
  readonly name: string;
  readonly schemas: Schemas;
  /** Whether it is one of ours, whose sets may be open. Default: false. */
  readonly isOurs?: boolean;
  /** The version of OpenAPI. Default: 3.1.0. */
  readonly version?: string;
}

/** A component's validator and type in one direction. */
export interface Typed {
  readonly type: string;
  readonly isValid: (value: unknown) => boolean;
}

/** What our tools make of a document. */
export interface Subject extends Source {
  /** The document as tools read it. */
  readonly root: JsonObject;
  /** The validator of the client for a component where it is sent or received. */
  readonly client: (name: string, direction: Direction) => Typed;
  /** The host's judge of requests, or that of answers. */
  readonly host: (name: string, direction: Direction, value: unknown) => boolean;
  /** What the sampler makes. */
  readonly sample: (name: string, direction: Direction) => unknown;
}

const media = (name: string) => ({ "application/json": { schema: { $ref: `#/components/schemas/${name}` } } });

/** A document with one operation for each component, which sends it and receives it. */
export function documentOf({ name, schemas, isOurs = false, version = "3.1.0" }: Source): JsonObject {
  const paths = Object.keys(schemas).map((schema) => {
    const responses = { "200": { description: "The same.", content: media(schema) } };
    const own = isOurs && { "x-client-method": `things.post${schema}`, "x-resend": "never" };
    const requestBody = { required: true, content: media(schema) };
    return [`/${schema}`, { post: { operationId: `post${schema}`, ...own, requestBody, responses } }];
  });
  return {
    openapi: version,
    ...(isOurs && { "x-trainyard": 1 }),
    info: { title: name, version: "1.0.0" },
    servers: [{ url: "http://127.0.0.1:9" }],
    paths: Object.fromEntries(paths),
    components: { schemas },
  };
}

/** Writes the document and its client into a folder, and loads what judges values of it. */
export async function subjectOf(source: Source, folder: string): Promise<Subject> {
  mkdirSync(folder, { recursive: true });
  const file = `${source.name}.json`;
  writeFileSync(join(folder, file), JSON.stringify(documentOf(source)));
  await generateClient(file, { root: folder, out: source.name, validators: "all" });
  const { document: root } = await readFile(file, { root: folder });
  const { operations } = readDocument(root);
  const validator = validatorOf(root);
  const operationOf = (name: string): Operation => {
    const found = operations.find(({ id }) => id === `post${name}`);
    if (found === undefined) throw new Error(`The document has no operation of ${name}.`);
    return found;
  };
  const guards = Object.entries<unknown>(await import(pathToFileURL(join(folder, source.name, "validators.ts")).href));
  return {
    ...source,
    root: Object(root),
    client(name, direction) {
      const { name: method } = operationOf(name);
      const check = `${method} ${direction}`;
      const used = guards.find(([, guard]) => [Object(guard).checks ?? []].flat().includes(check));
      // What may be any value is not checked.
      const [guard, isValid] = used ?? [`is${name}`, guards.find(([own]) => own === `is${name}`)?.[1]];
      if (typeof isValid !== "function") throw new Error(`The client has no validator of ${check}.`);
      return { type: guard.slice(2), isValid: (value) => isValid(value) === true };
    },
    host(name, direction, value) {
      const operation = operationOf(name);
      const faults =
        direction === "request"
          ? validator.request(operation, "body", value)
          : validator.answer(operation, 200, "application/json", value);
      if (faults === undefined) throw new Error(`The document has no answer of ${name}.`);
      return faults.length === 0;
    },
    sample: (name, direction) =>
      sampleOf(root, locate(root, `#/components/schemas/${name}`), "string", direction).value,
  };
}
