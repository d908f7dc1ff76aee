import { faultsOf, resolvePointer, type Fault, type JsonObject } from "@trainyard/core/validation";
import {
  dialect,
  inDirection,
  isSupported,
  jsonOf,
  mediaFor,
  responseOf,
  withoutForeignWords,
  withTags,
  type Direction,
  type Media,
  type Operation,
  type Place,
} from "@trainyard/document";
import { compilerOf, type IsOpen } from "./compile.ts";

/** The part of a request that contains a value. */
export type Source = "body" | Place;

/** Validates values by the schemas of one document. Schemas are compiled on demand. */
export interface Validator {
  /** Validates one part of a request; a body by its media type, or else as JSON. Paths begin with the source. */
  request(operation: Operation, source: Source, value: unknown, mediaType?: string): Fault[];
  /**
   * Validates a JSON response, or one item of its stream, as clients do: unlisted members of an open set are valid.
   * Undefined if the document declares no such response.
   */
  answer(operation: Operation, status: number, mediaType: string, value: unknown): Fault[] | undefined;
  /**
   * Validates a value by the schema at a pointer: `#/components/schemas/Model`.
   *
   * @param direction where the value goes. Default: it is part of a request.
   */
  at(pointer: string, value: unknown, direction?: Direction): Fault[];
}

const validators = new WeakMap<object, Validator>();

/**
 * The validator of a bundled document. All hosts of one bundle share it, because compiling the schemas takes longer than
 * everything else at startup. The bundle must not be changed afterwards.
 */
export function validatorOf(root: object): Validator {
  const existing = validators.get(root);
  if (existing !== undefined) return existing;
  const made = createValidator(root);
  validators.set(root, made);
  return made;
}

function createValidator(bundle: object): Validator {
  const root = withTags(withoutForeignWords(bundle));
  const sent = inDirection(root, "request");
  const received = inDirection(root, "response");
  const judge = judgeOf(sent);
  const judgeAnswer = judgeOf(received, (schema) => dialect.extensible.read(schema));
  // Without marks, one document is compiled for both directions.
  const judges = { request: judge, response: received === sent ? judge : judgeOf(received) };
  return {
    request: (operation, source, value, mediaType) =>
      judge(requestKey(operation, source, mediaType), () => requestSchema(operation, source, mediaType), value).map(
        (fault) => ({
          ...fault,
          loc: [source, ...fault.loc],
        }),
      ),
    answer: (operation, status, mediaType, value) => {
      const media = mediaFor(responseOf(operation, status)?.content ?? new Map(), mediaType);
      const schema = media?.item ?? media?.schema;
      return schema && judgeAnswer(schema.pointer, () => reference(schema.pointer), value);
    },
    at: (pointer, value, direction = "request") => {
      const judgeAt = judges[direction];
      try {
        return judgeAt(pointer, () => reference(pointer), value);
      } catch {
        // A union is prepared as one schema, which may not have the places of its branches.
        const text = JSON.stringify(resolvePointer(direction === "request" ? sent : received, pointer) ?? {});
        return judgeAt(pointer, () => JSON.parse(text.replaceAll('"$ref":"#', '"$ref":"document#')), value);
      }
    },
  };
}

/** Validates by the schemas of a document, each with its own key. */
function judgeOf(root: object, isOpen?: IsOpen): (key: string, schema: () => JsonObject, value: unknown) => Fault[] {
  const compile = compilerOf(root, isOpen);
  return (key, schema, value) => {
    const validate = compile(key, schema);
    return validate(value) ? [] : faultsOf(validate.errors ?? [], value);
  };
}

/** The key of a request's schema among the compiled ones. */
export function requestKey({ id, body }: Operation, source: Source, mediaType?: string): string {
  const isOther = mediaType !== undefined && mediaType !== jsonOf(body?.content ?? new Map())?.mediaType;
  return isOther ? `${source} ${id} ${mediaType}` : `${source} ${id}`;
}

/** The schema of one part of a request, as a document. */
export function requestSchema(operation: Operation, source: Source, mediaType?: string): JsonObject {
  if (source === "body") {
    const { content } = operation.body ?? { content: new Map<string, Media>() };
    const { schema } = content.get(mediaType ?? "") ?? jsonOf(content) ?? mediaFor(content, "application/json") ?? {};
    return schema ? reference(schema.pointer) : {};
  }
  const parameters = operation.parameters.filter((parameter) => parameter.in === source && isSupported(parameter));
  return {
    type: "object",
    // A server assumes the default of what is not sent.
    required: parameters
      .filter(({ required, schema }) => required && schema.node["default"] === undefined)
      .map(({ name }) => name),
    properties: Object.fromEntries(parameters.map(({ name, schema }) => [name, reference(schema.pointer)])),
  };
}

function reference(pointer: string): JsonObject {
  return { $ref: `document${pointer}` };
}
