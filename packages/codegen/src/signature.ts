import type { Parameter } from "@trainyard/document";
import { schemaAt } from "@trainyard/document/files";
import { parameterName, propertyName } from "./names.ts";
import type { OperationInfo } from "./operation-info.ts";

/** One parameter of a method: its name and its declaration. */
export interface MethodParameter {
  readonly name: string;
  readonly type: string;
  readonly optional: boolean;
}

/** The parameters of a method in their order: path, body, query, options. */
export function methodParameters(operation: OperationInfo): MethodParameter[] {
  const { pathParameters, body, query, stream } = operation;
  const [only, ...rest] = pathParameters;
  const parameters: MethodParameter[] = [];
  if (only !== undefined && rest.length === 0) {
    parameters.push({ name: parameterName(only.name), type: only.type, optional: false });
  } else if (only !== undefined) {
    const members = pathParameters.map((one) => `${propertyName(one.name)}: ${one.type}`);
    parameters.push({ name: "path", type: `{ ${members.join("; ")} }`, optional: false });
  }
  if (body !== undefined) {
    const type = stream?.toggle === undefined ? body.type : `${body.type} & { ${propertyName(stream.toggle)}?: S }`;
    parameters.push({ name: "body", type, optional: !body.required });
  }
  const within = query !== undefined && isQueryOption(operation);
  if (query !== undefined && !within) parameters.push({ name: "query", type: query.type, optional: !query.required });
  const plain = operation.keyed ? "KeyedCallOptions" : "CallOptions";
  const options = stream?.fold === undefined ? plain : "StreamCallOptions";
  const own = [
    ...(within ? [`query?: ${query.type}`] : []),
    ...(operation.result.kind === "bytes" ? ["as?: As"] : []),
    ...((body?.types?.length ?? 0) > 1 ? ["contentType?: Sent"] : []),
    ...givenBy("headers", operation.headers),
    ...givenBy("cookies", operation.cookies),
  ];
  const required = [...operation.headers, ...operation.cookies].some((one) => one.required);
  parameters.push({
    name: "options",
    type: own.length > 0 ? `${options} & { ${own.join("; ")} }` : options,
    optional: !required,
  });
  return parameters;
}

/** The headers or cookies among the options of a call. Browsers do not let a program send cookies. */
function givenBy(option: "headers" | "cookies", parameters: readonly Parameter[]): string[] {
  if (parameters.length === 0) return [];
  const members = parameters.map((one) => {
    const { enum: listed } = schemaAt(one.schema);
    const type = listed?.every((value) => typeof value === "string")
      ? listed.map((value) => JSON.stringify(value)).join(" | ")
      : option === "cookies"
        ? "string | number | boolean"
        : "string";
    return `${propertyName(one.name)}${one.required ? "" : "?"}: ${type}`;
  });
  const optional = parameters.every(({ required }) => !required);
  const type = `${option === "headers" ? "HeaderValues & " : ""}{ ${members.join("; ")} }`;
  const note = option === "cookies" ? "/** Browsers do not send them. */ " : "";
  // Without declared headers the option may be undefined, too, so a call that passes it so must still compile.
  return [optional ? `${note}${option}?: (${type}) | undefined` : `${note}${option}: ${type}`];
}

/**
 * Whether a query is among the options of a call: if it is optional, and the operation has no pages. An operation without a
 * query can get one later, and no argument of its method moves.
 */
export function isQueryOption({ query, page }: OperationInfo): boolean {
  return query?.required === false && page === undefined;
}

/** The type parameters of a method: for what depends on `stream`, and for what a call with bytes returns. */
function generics({ stream, result, body }: OperationInfo): string {
  const types = (body?.types ?? []).map(({ mediaType }) => JSON.stringify(mediaType));
  const members = [
    ...(stream?.toggle === undefined ? [] : ["S extends boolean | null | undefined = undefined"]),
    ...(types.length > 1 ? [`Sent extends ${types.join(" | ")} = ${types[0]}`] : []),
    ...(result.kind === "bytes" ? ['As extends "blob" | "stream" = "blob"'] : []),
  ];
  return members.length === 0 ? "" : `<${members.join(", ")}>`;
}

export function resultType({ page, stream, result }: OperationInfo): string {
  if (page !== undefined) return `PagePromise<${page.type}>`;
  if (stream?.fold !== undefined) return `ApiPromise<Streamed<S, ${stream.type}, ${result.type}>>`;
  if (stream !== undefined) {
    const items = `ItemStream<${stream.type}>`;
    if (stream.toggle === undefined) return `ApiPromise<${items}>`;
    return stream.byDefault
      ? `ApiPromise<S extends false ? ${result.type} : ${items}>`
      : `ApiPromise<S extends true ? ${items} : ${result.type}>`;
  }
  if (result.kind === "bytes") return `ApiPromise<As extends "stream" ? ReadableStream<Uint8Array> : Blob>`;
  return `ApiPromise<${result.type}>`;
}

/** `(modelId: string, query?: ModelsCheckpointsListQuery, options?: CallOptions): PagePromise<Checkpoint>`. */
export function signature(operation: OperationInfo): string {
  return `${generics(operation)}(${declared(methodParameters(operation))}): ${resultType(operation)}`;
}

export function declared(parameters: readonly MethodParameter[]): string {
  const lastRequired = parameters.findLastIndex(({ optional }) => !optional);
  return parameters
    .map(({ name, type, optional }, index) => {
      if (!optional) return `${name}: ${type}`;
      return index < lastRequired ? `${name}: ${type} | undefined` : `${name}?: ${type}`;
    })
    .join(", ");
}
