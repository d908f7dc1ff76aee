import { createRequire } from "node:module";
import { ajvOptions, boundErrors, optionsFor, prepareSchema } from "@trainyard/core/validation";
import { jsonOf } from "@trainyard/document";
import { requestKey, requestSchema } from "@trainyard/host/validator";
import { servedDocument } from "@trainyard/server/page";
import { Ajv2020 } from "ajv/dist/2020.js";
import standalone from "ajv/dist/standalone/index.js";

const require = createRequire(import.meta.url);

/** The schemas that the local server validates besides requests and errors: events of jobs, and imported records. */
const others: Readonly<Record<string, readonly string[]>> = {
  auxiliary: ["HardwareOption"],
  local: ["FeedbackRecord", "HardwareRecord", "JobRecord", "ModelRecord", "ObjectRecord", "TrainingExample"],
  training: ["Checkpoint", "History", "TrainingJobEvent"],
  inference: [],
};

/** Writes a module with the validators of a document that the local server needs, by their keys. */
export function writeValidators(service: string): { readonly title: string; readonly code: string } {
  const root: object = require(`@trainyard/${service}/openapi.json`);
  // Also what only the pages of the console read.
  const document = servedDocument(service, root);
  const ajv = new Ajv2020({ ...ajvOptions, inlineRefs: false, messages: false, code: { source: true, esm: true } });
  const prepared = prepareSchema(document.root);
  Object.assign(ajv.opts, optionsFor(prepared));
  ajv.addSchema(prepared, "document");
  const keys: string[] = [];
  const add = (key: string, schema: object) => {
    if (keys.includes(key)) return;
    ajv.addSchema(schema, `v${keys.length}`);
    keys.push(key);
  };
  for (const operation of document.operations) {
    if (operation.body !== undefined) add(requestKey(operation, "body"), requestSchema(operation, "body"));
    for (const source of ["path", "query", "header", "cookie"] as const) {
      if (operation.parameters.some((parameter) => parameter.in === source)) {
        add(requestKey(operation, source), requestSchema(operation, source));
      }
    }
  }
  const errors = document.operations.flatMap(({ responses }) =>
    [...responses.values()].flatMap(({ status, content }) =>
      status.startsWith("2") ? [] : (jsonOf(content)?.schema?.pointer ?? []),
    ),
  );
  const named = (others[service] ?? []).map((name) => `#/components/schemas/${name}`);
  for (const pointer of [...named, ...errors]) add(pointer, { $ref: `document${pointer}` });
  const names = keys.map((_, index) => `v${index}`);
  const written = standalone.default(ajv, Object.fromEntries(names.map((name) => [name, name])));
  const table = keys.map((key, index) => `${JSON.stringify(key)}: v${index}`).join(", ");
  return {
    title: document.title,
    code: `${boundErrors(written.replace(/^"use strict";/, ""))}\nexport const table = { ${table} };\n`,
  };
}
