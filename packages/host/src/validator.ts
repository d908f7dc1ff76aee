import { createRequire } from "node:module";
import { ajvOptions, faultsOf, prepareSchema, type Fault, type JsonObject } from "@trainyard/core/validation";
import { dialect, jsonOf, responseOf, type Operation } from "@trainyard/document";
import type * as Ajv from "ajv/dist/2020.js";
import type { Ajv2020, Options, ValidateFunction } from "ajv/dist/2020.js";

const require: NodeJS.Require = createRequire(import.meta.url);

/** Where in a request a value stands. */
export type Source = "body" | "query" | "header";

/** Judges values by the schemas of one document. Each schema is compiled when it is first needed. */
export interface Validator {
  /** Judges one part of a request. Places begin with the source. */
  request(operation: Operation, source: Source, value: unknown): Fault[];
  /**
   * Judges the JSON of an answer, or one item of its stream, as its readers do: in a set that may grow, members that the
   * document does not list pass. Undefined where the document declares no such answer.
   */
  answer(operation: Operation, status: number, mediaType: string, value: unknown): Fault[] | undefined;
  /** Judges a value by the schema at a pointer: `#/components/schemas/Model`. */
  at(pointer: string, value: unknown): Fault[];
}

const validators = new WeakMap<object, Validator>();

/**
 * The validator of a bundled document. Every host of one bundle shares it, because compiling the schemas takes longer than
 * everything else that a host does when it starts. A bundle must not be changed after that.
 */
export function validatorOf(root: object): Validator {
  const known = validators.get(root);
  if (known !== undefined) return known;
  const made = createValidator(root);
  validators.set(root, made);
  return made;
}

function createValidator(root: object): Validator {
  const judge = judgeOf(() => prepareSchema(root));
  const judgeAnswer = judgeOf(() => prepareSchema(root, (schema) => dialect.extensible.read(schema)));
  return {
    request: (operation, source, value) =>
      judge(`${source} ${operation.id}`, () => schemaOf(operation, source), value).map((fault) => ({
        ...fault,
        loc: [source, ...fault.loc],
      })),
    answer: (operation, status, mediaType, value) => {
      const media = responseOf(operation, status)?.content.get(mediaType);
      const schema = media?.item ?? media?.schema;
      return schema && judgeAnswer(schema.pointer, () => reference(schema.pointer), value);
    },
    at: (pointer, value) => judge(pointer, () => reference(pointer), value),
  };
}

type Judge = (key: string, schema: () => JsonObject, value: unknown) => Fault[];

/** Makes the function that judges by schemas of a document, which is prepared with the first of them. */
function judgeOf(prepared: () => JsonObject): Judge {
  let ajv: Ajv2020 | undefined;
  const compiled = new Map<string, ValidateFunction>();
  return (key, schema, value) => {
    let validate = compiled.get(key);
    if (validate === undefined) {
      // The document was checked where it was made. To check it again costs more than all schemas that are needed of it.
      const options = { ...ajvOptions, logger: false, validateSchema: false } as const;
      ajv ??= newAjv(options).addSchema(prepared(), "document");
      validate = ajv.compile(schema());
      compiled.set(key, validate);
    }
    return validate(value) ? [] : faultsOf(validate.errors ?? [], value);
  };
}

/** Its eighty modules are loaded with the first value that is judged: a host starts without them. */
function newAjv(options: Options): Ajv2020 {
  const module = require("ajv/dist/2020.js") as typeof Ajv;
  return new module.Ajv2020(options);
}

function schemaOf(operation: Operation, source: Source): JsonObject {
  if (source === "body") {
    const schema = operation.body && jsonOf(operation.body.content)?.schema;
    return schema ? reference(schema.pointer) : {};
  }
  const parameters = operation.parameters.filter((parameter) => parameter.in === source);
  return {
    type: "object",
    required: parameters.filter(({ required }) => required).map(({ name }) => name),
    properties: Object.fromEntries(parameters.map(({ name, schema }) => [name, reference(schema.pointer)])),
  };
}

function reference(pointer: string): JsonObject {
  return { $ref: `document${pointer}` };
}
