import { compare } from "@trainyard/document/files";
import { jsonOf, pascalCase } from "@trainyard/document";
import { coreExports } from "./name-faults.ts";
import { braced, propertyName, usedNames } from "./names.ts";
import type { OperationInfo, PathParameter } from "./operation-info.ts";
import { banner, type Service, typeNames } from "./service.ts";
import { methodParameters, resultType } from "./signature.ts";

const helpers = `/** Whether two types are identical: \`any\` equals only itself. */
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
/** Whether two types are assignable to each other. */
type Alike<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false;
type Expect<Held extends true> = Held;
`;

/** Writes `client.test-d.ts`: compares the parameters and results of each method with the document's own `paths`. */
export function typeTestSource({ operations, document, name }: Service): string {
  const client = `${pascalCase(name)}Client`;
  // openapi-typescript knows no others.
  const typed = operations.filter(({ method }) => /^(get|put|post|delete|options|head|patch|trace)$/.test(method));
  const sorted = typed.toSorted((a, b) => compare(a.name, b.name));
  const held = `/** The assertions for each method. */\nexport interface Held {\n${sorted.map(testOf).join("")}}\n`;
  return [
    banner(name) +
      `import type ${braced(usedNames(held, coreExports))} from "@trainyard/core";\n` +
      `import type { HttpResult } from "@trainyard/core/http";\n` +
      `import type { ${client}, ${pascalCase(name)}Operations } from "./client.ts";\n` +
      `import type ${braced(usedNames(held, typeNames(document, operations)))} from "./schema.ts";\n`,
    `${helpers}type Table = ${pascalCase(name)}Operations;\n\ndeclare const client: ${client};\n`,
    held,
  ].join("\n");
}

/** Whether `paths` has the type of the answer: other answers than JSON and plain text are read by their kind. */
function isCompared({ result, operation }: OperationInfo): boolean {
  if (result.mediaType === undefined) return false;
  const schema = operation.responses.get(result.status)?.content.get(result.mediaType)?.schema;
  return (
    result.kind === "json" || (result.kind === "text" && schema?.node["type"] === "string" && !schema.node["enum"])
  );
}

/** Whether a call gives a path parameter as it is, and not as a text. */
function isWritten({ schema, isList }: PathParameter): boolean {
  return !isList && [schema.node["type"] ?? "string"].flat().every((type) => writtenTypes.has(type));
}

const writtenTypes = new Set<unknown>(["string", "integer", "number"]);

/** An optional parameter also accepts `undefined`; an optional element of a tuple must declare it. */
function tuple(operation: OperationInfo): string {
  const parameters = methodParameters(operation);
  const lastRequired = parameters.findLastIndex(({ optional }) => !optional);
  return parameters
    .map(({ name, type, optional }, index) => {
      const mark = optional && index > lastRequired ? "?" : "";
      return `${name}${mark}: ${type}${optional ? " | undefined" : ""}`;
    })
    .join(", ");
}

function testOf(operation: OperationInfo): string {
  const { name, method, pathParameters, body, query, stream, page, result } = operation;
  // By the path in the table, which the engine calls.
  const called = `paths[Table[${JSON.stringify(name)}]["path"]][${JSON.stringify(method)}]`;
  const status = /^\d+$/.test(result.status) ? result.status : JSON.stringify(result.status);
  const answer = `${called}["responses"][${status}]["content"][${JSON.stringify(result.mediaType)}]`;
  const typeOf = `typeof client.${name}`;
  const [only, ...rest] = pathParameters;
  const given = page === undefined ? answer : `${answer}["data"][number]`;
  const type = page?.type ?? result.type;
  const fetched = `NonNullable<HttpResult<${called}>["data"]>`;
  const held = [
    `Same<Table[${JSON.stringify(name)}]["method"], ${JSON.stringify(method.toUpperCase())}>`,
    ...(stream === undefined
      ? operation.result.kind === "bytes" || (operation.body?.types?.length ?? 0) > 1
        ? []
        : [
            `Same<Parameters<${typeOf}>, [${tuple(operation)}]>`,
            `Same<ReturnType<${typeOf}>, ${resultType(operation)}>`,
          ]
      : streamTests(operation, stream, typeOf)),
    ...(only === undefined || !pathParameters.every(isWritten)
      ? []
      : [
          `Same<Parameters<${typeOf}>[0], ${called}["parameters"]["path"]${rest.length > 0 ? "" : `[${JSON.stringify(only.name)}]`}>`,
        ]),
    ...(body === undefined || body.types
      ? []
      : [
          `Same<${body.type}, NonNullable<${called}["requestBody"]>["content"][${JSON.stringify(jsonOf(operation.operation.body?.content ?? new Map())?.mediaType)}]>`,
        ]),
    ...(query === undefined ? [] : [`Same<${query.type}, NonNullable<${called}["parameters"]["query"]>>`]),
    ...(isCompared(operation) ? [`Same<${type}, ${given}>`] : []),
    // `http` removes read and write markers. It must change nothing else, and return text if that is requested.
    ...(type === "unknown" || result.mediaType !== "application/json" || result.status === "default"
      ? []
      : [`Alike<${type}, ${page === undefined ? fetched : `${fetched}["data"][number]`}>`]),
  ];
  return `  ${propertyName(name)}: [\n${held.map((claim) => `    Expect<${claim}>,\n`).join("")}  ];\n`;
}

/** The results of a method whose body decides about streaming: without `stream`, and with each of its values. */
function streamTests(
  { body, result }: OperationInfo,
  { toggle, type }: NonNullable<OperationInfo["stream"]>,
  typeOf: string,
): string[] {
  const events = `EventStream<${type}, ${result.type}>`;
  const called = (flag: string): string => `ReturnType<${typeOf}<${flag}>>`;
  return [
    `Same<Parameters<${typeOf}<false>>, [body: ${body?.type} & { ${toggle}?: false }, options?: StreamCallOptions | undefined]>`,
    `Same<${called("undefined")}, ApiPromise<${result.type}>>`,
    `Same<${called("true")}, ApiPromise<${events}>>`,
    `Same<${called("false")}, ApiPromise<${result.type}>>`,
    `Same<${called("boolean")}, ApiPromise<${events} | ${result.type}>>`,
  ];
}
