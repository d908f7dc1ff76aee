import * as core from "@trainyard/core";
import { camelCase, defaultTimeout, joinedLists, pascalCase, readDocument, shapeOf } from "@trainyard/document";
import { clientOptions } from "./client-options.ts";
import { docBlock, statusTags, textOf } from "./doc-comment.ts";
import { throwsTags } from "./error-classes.ts";
import { coreExports } from "./name-faults.ts";
import { groupsOf, type MethodGroup } from "./method-tree.ts";
import { braced, parameterName, propertyName, usedNames } from "./names.ts";
import { operationsLiteral } from "./operations-table.ts";
import type { BodyType, OperationInfo } from "./operation-info.ts";
import { carrierCode, schemesOf } from "./schemes.ts";
import { banner, typeNames, type Service } from "./service.ts";
import { isQueryOption, methodParameters, signature } from "./signature.ts";

const words = new Intl.ListFormat("en-GB");

const constructionTag = "@throws {ConfigurationError} naming the option or variable that is missing or invalid.";

/**
 * Writes `client.ts`: the table of operations, an interface for each group of methods, and the function that creates the
 * client.
 */
export function clientSource(service: Service, head: string = banner(service.name), schema = "./schema.ts"): string {
  const pascal = pascalCase(service.name);
  const groups = groupsOf(service.methods);
  const tags = new Map(readDocument(service.bundle).tags.map((tag) => [camelCase(tag.name), tag.description]));
  const parts = [
    `/** \`info.version\` of the document that this client is generated from. */\nexport const contractVersion = ${JSON.stringify(service.bundle.info.version)};\n`,
    operationsLiteral(service.operations),
    clientOptions(service),
    ...groups.map((group) => methodsInterface(group, tags)),
    clientInterface(service),
    factories(service, pascal),
  ];
  return [`${head}${imports(service, parts.join(""), schema)}`, ...parts].join("\n");
}

const readers = ["none", "json", "text", "any", "bytes", "events"] as const;

function imports({ operations, document }: Service, code: string, schema: string): string {
  const folds = [...new Set(operations.flatMap(({ stream }) => (stream === undefined ? [] : [stream.fold])))];
  const used = usedNames(code, coreExports());
  const types = used.filter((name) => !(name in core)).map((type) => `type ${type}`);
  const lines = [
    `import ${braced([...used.filter((name) => name in core), ...types])} from "@trainyard/core";`,
    ...folds.map((fold) => `import { fold${pascalCase(fold)} } from "@trainyard/core/${fold}";`),
    `import type ${braced(usedNames(code, typeNames(document, operations)))} from "${schema}";`,
  ];
  return `${lines.join("\n")}\n`;
}

function methodsInterface(group: MethodGroup, tags: ReadonlyMap<string, string>): string {
  // A group is documented by the tag of its name: `chat.completions` by `chat-completions`.
  const text = tags.get(camelCase(group.name)) || `The methods \`${group.name}.*\`.`;
  return `${docBlock({ text })}export interface ${group.typeName} {\n${membersOf(group)}}\n`;
}

function membersOf({ methods, groups }: MethodGroup): string {
  return [
    ...[...methods].map(
      ([verb, operation]) => `${methodDoc(operation)}  ${propertyName(verb)}${signature(operation)};\n`,
    ),
    ...[...groups].map(([name, child]) => `  readonly ${propertyName(name)}: ${child.typeName};\n`),
  ].join("");
}

function methodDoc(info: OperationInfo): string {
  const { operation, pathParameters, queryParameters, body, result, failures } = info;
  const [only, ...rest] = pathParameters;
  const path =
    only && only.description !== "" && rest.length === 0
      ? [`@param ${parameterName(only.name)} ${only.description}`]
      : [];
  const tags = [
    ...path,
    ...(!body?.description ? [] : [`@param body ${body.description}`]),
    ...(queryParameters.length === 0
      ? []
      : [
          `@param ${isQueryOption(info) ? "options `query` has" : "query"} ${words.format(queryParameters.map(({ name }) => `\`${name}\``))}`,
        ]),
    ...(result.description === "" ? [] : [`@returns ${result.description}`]),
    ...throwsTags(failures),
    ...statusTags(operation.node),
  ];
  const text = [operation.summary, textOf(operation.node)].filter(Boolean).join("\n\n");
  return docBlock({ text, tags }, "  ");
}

function clientInterface({ name, bundle, methods }: Service): string {
  const doc = docBlock({ text: `A client of the ${name} service. ${bundle.info.description ?? ""}`.trim() });
  return `${doc}export interface ${pascalCase(name)}Client {\n${membersOf(methods)}}\n`;
}

/** How to send credentials that are not bearer tokens. */
function schemesLiteral(operations: readonly OperationInfo[]): string {
  const members = schemesOf(operations).flatMap((scheme) => {
    const code = carrierCode(scheme);
    return code === undefined ? [] : [`${propertyName(scheme.name)}: ${code}`];
  });
  return members.length === 0 ? "" : `, schemes: { ${members.join(", ")} }`;
}

/** Whether an operation sends a list as one value. */
function joinsLists(operations: readonly OperationInfo[]): boolean {
  return operations.some(
    ({ operation, pathParameters }) => joinedLists(operation).length > 0 || pathParameters.some(({ isList }) => isList),
  );
}

/** The readers of the answers that are not all JSON or all text. */
function readersLiteral(operations: readonly OperationInfo[]): string {
  const used = new Set(operations.flatMap(({ result }) => Object.values(result.answers ?? {})));
  const members = readers.filter((kind) => used.has(kind)).map((kind) => `${kind}: ${kind}Answer`);
  return members.length === 0 ? "" : `, answers: answersOf({ ${members.join(", ")} })`;
}

function factories({ document, name, methods, operations, variables, identity }: Service, pascal: string): string {
  const given = (key: string, value: unknown): string =>
    value === undefined ? "" : `, ${key}: ${JSON.stringify(value)}`;
  const helpers = [
    ...(operations.some(({ page, stream }) => page === undefined && stream === undefined) ? ["call"] : []),
    ...(operations.some(({ page }) => page !== undefined) ? ["page"] : []),
    ...(operations.some(({ stream }) => stream !== undefined) ? ["stream"] : []),
  ];
  return [
    `/** The description of the service for the engine. */\nexport const service: Service<typeof operations> = { name: ${JSON.stringify(name)}, contractVersion${given("variables", variables)}${given("identity", identity)}, timeout: ${defaultTimeout}${schemesLiteral(operations)}${joinsLists(operations) ? ", joinLists" : ""}${readersLiteral(operations)}, operations };\n`,
    docBlock({ text: `Creates a client of the ${name} service.`, tags: [constructionTag] }) +
      `export function create${pascal}Client(options: ${pascal}ClientOptions = {}): ${pascal}Client {\n` +
      `  const { ${helpers.join(", ")} } = createEngine(service, options);\n` +
      `  return {\n${groupLiteral(document, methods, "    ")}  };\n}\n`,
  ].join("\n");
}

/** Writes `http.ts`: the `openapi-fetch` client. It is a separate module, so that methods do not depend on it. */
export function httpSource({ name }: Service): string {
  const pascal = pascalCase(name);
  const text = `Creates an \`openapi-fetch\` client of the ${name} service. It calls operations by method and path, under the same rules as the methods, and returns \`error\` where methods throw.`;
  return [
    `${banner(name)}import { createHttp, type HttpClient } from "@trainyard/core/http";\n` +
      `import { service, type ${pascal}ClientOptions } from "./client.ts";\n` +
      `import type { paths } from "./schema.ts";\n`,
    docBlock({ text, tags: [constructionTag] }) +
      `export function create${pascal}Http(options: ${pascal}ClientOptions = {}): HttpClient<paths> {\n` +
      `  return createHttp<paths>(service, options);\n}\n`,
    `export type { HttpClient, paths };\n`,
  ].join("\n");
}

function groupLiteral(root: object, group: MethodGroup, indent: string): string {
  return [
    ...[...group.methods].map(
      ([verb, operation]) => `${indent}${propertyName(verb)}: ${methodLiteral(root, operation)},\n`,
    ),
    ...[...group.groups].map(
      ([name, child]) => `${indent}${propertyName(name)}: {\n${groupLiteral(root, child, `${indent}  `)}${indent}},\n`,
    ),
  ].join("");
}

/** One line, with the operation's name and the parts of its request. */
function methodLiteral(root: object, operation: OperationInfo): string {
  const { name, pathParameters, body, query, page, stream, result } = operation;
  const [only, ...rest] = pathParameters;
  const byPosition = only && `path: { ${member(propertyName(only.name), parameterName(only.name))} }`;
  // Left out if undefined, because an optional property does not accept `undefined`. A page always has a query.
  const styles = stylesLiteral(root, operation);
  const written = (value: string): string => (styles === "" ? value : `styledQuery(${value}, ${styles})`);
  const queryArgument = isQueryOption(operation)
    ? `...(options?.query && { query: ${written("options.query")} })`
    : member("query", written("query"));
  const lists = pathParameters.flatMap(({ name: own, isList }) => {
    const given = rest.length > 0 ? `path[${JSON.stringify(own)}]` : parameterName(own);
    return isList ? [`${propertyName(own)}: pathList(${given})`] : [];
  });
  const parts = [
    ...(byPosition ? [rest.length > 0 ? "path" : byPosition] : []),
    ...(lists.length > 0 ? [`texts: { ${[...(rest.length > 0 ? ["...path"] : []), ...lists].join(", ")} }`] : []),
    ...(body ? ["body"] : []),
    ...(body?.types ? [`write: ${writerLiteral(body.types)}`] : []),
    ...(query ? [queryArgument] : []),
    ...(result.kind === "events" ? ["open: true"] : []),
    ...(result.kind === "bytes" ? ['open: options?.as === "stream"'] : []),
  ];
  const names = methodParameters(operation)
    .map((parameter) => parameter.name)
    .join(", ");
  const given = [
    JSON.stringify(name),
    operation.cookies.length > 0 ? "withCookies(options)" : "options",
    ...(parts.length > 0 ? [`{ ${parts.join(", ")} }`] : []),
  ];
  if (stream !== undefined) return `(${names}) => stream(${given.join(", ")}, fold${pascalCase(stream.fold)})`;
  return `(${names}) => ${page === undefined ? "call" : "page"}(${given.join(", ")})`;
}

function writerLiteral(types: readonly BodyType[]): string {
  const members = types.map(({ mediaType, kind, encoding }) => {
    const given = Object.keys(encoding).length > 0 ? `, ${JSON.stringify(encoding)}` : "";
    return `${JSON.stringify(mediaType)}: [${kind}Body${given}]`;
  });
  return `bodyAs({ ${members.join(", ")} })`;
}

/** The styles of a query's parameters, beside those that need none. */
function stylesLiteral(root: object, { queryParameters }: OperationInfo): string {
  const members = queryParameters.flatMap(({ name, node, schema }) => {
    const { style = "form", explode = style === "form", content } = node;
    const { types, properties } = shapeOf(root, schema);
    const isObject = types.size === 0 ? properties.size > 0 : types.size === 1 && types.has("object");
    const codes: Record<string, string | undefined> = {
      deepObject: "deepObject",
      form: isObject ? (explode === true ? "exploded" : "flat") : undefined,
      spaceDelimited: explode === false ? 'delimited(" ")' : undefined,
      pipeDelimited: explode === false ? 'delimited("|")' : undefined,
    };
    const code = content === undefined ? codes[String(style)] : "jsonText";
    return code === undefined ? [] : [`${propertyName(name)}: ${code}`];
  });
  return members.length === 0 ? "" : `{ ${members.join(", ")} }`;
}

function member(key: string, value: string): string {
  return key === value ? key : `${key}: ${value}`;
}
