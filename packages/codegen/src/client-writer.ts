import * as core from "@trainyard/core";
import { camelCase, defaultTimeout, joinedLists, pascalCase, reservedQueries } from "@trainyard/document";
import { compare } from "@trainyard/document/files";
import { addressesOf, clientOptions } from "./client-options.ts";
import { docBlock, statusTags, textOf } from "./doc-comment.ts";
import { throwsTags } from "./error-classes.ts";
import { coreExports } from "./name-faults.ts";
import { groupsOf, type MethodGroup } from "./method-tree.ts";
import { braced, parameterName, propertyName, usedNames } from "./names.ts";
import { commonSecurity, constantNames, operationRows, rowName } from "./operation-rows.ts";
import type { OperationInfo } from "./operation-info.ts";
import { carrierCode, schemesOf } from "./schemes.ts";
import { banner, packaged, typeNames, type Service } from "./service.ts";
import { isQueryOption, signature } from "./signature.ts";

const words = new Intl.ListFormat("en-GB");

/** Names of the language that no constant of a module can have. */
const builtIn = ["undefined", "globalThis", "NaN", "Infinity"];

const constructionTag = "@throws {ConfigurationError} naming the option or variable that is missing or invalid.";

/**
 * Writes `client.ts`: an interface for each group of methods, a constant for each operation, and the functions that create a
 * client of all or of some. With `hasTable`, it has the operations as a list, too.
 */
export function clientSource(
  service: Service,
  head: string = banner(service.name),
  schema = "./schema.ts",
  hasTable = true,
): string {
  const pascal = pascalCase(service.name);
  const groups = groupsOf(service.methods);
  const tags = new Map(service.tags.map((tag) => [camelCase(tag.name), tag.description]));
  const own = ["service", "contractVersion", "operations", `create${pascal}Client`, `pick${pascal}`];
  const constants = constantNames(service.operations, [...own, ...coreExports, ...builtIn]);
  const parts = [
    `/** \`info.version\` of the document that this client is generated from. */\nexport const contractVersion = ${JSON.stringify(service.bundle.info.version)};\n`,
    // Our own documents name the mock, which is nobody's default.
    clientOptions(service, !hasTable),
    ...groups.map((group) => methodsInterface(group, tags)),
    clientInterface(service),
    operationRows(service.document, constants, (one) => methodType(groups, one, pascal)),
    factories(service, constants, !hasTable),
    ...(hasTable ? [table(service, constants)] : []),
  ];
  return [`${head}${imports(service, parts.join(""), schema)}`, ...parts].join("\n");
}

/** The type of an operation's method: `ModelsMethods["create"]`. */
function methodType(groups: readonly MethodGroup[], { name }: OperationInfo, pascal: string): string {
  const parts = name.split(".");
  const verb = JSON.stringify(parts.pop());
  return `${groups.find((group) => group.name === parts.join("."))?.typeName ?? `${pascal}Client`}[${verb}]`;
}

function imports({ operations, document, core: from = packaged }: Service, code: string, schema: string): string {
  const folds = [...new Set(operations.flatMap(({ stream }) => (stream?.fold === undefined ? [] : [stream.fold])))];
  const used = usedNames(code, coreExports);
  const types = used.filter((name) => !(name in core)).map((type) => `type ${type}`);
  const lines = [
    `import ${braced([...used.filter((name) => name in core), ...types])} from "${from()}";`,
    ...folds.map((fold) => `import { fold${pascalCase(fold)} } from "${from(fold)}";`),
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

/** Whether an operation sends a list as one value, or reserved characters as they are. */
function joinsLists(operations: readonly OperationInfo[]): boolean {
  return operations.some(
    ({ operation, pathParameters }) =>
      joinedLists(operation).length + reservedQueries(operation).length > 0 ||
      pathParameters.some(({ isList }) => isList),
  );
}

/** The description of the service, as code. */
function serviceLiteral(service: Service, hasServer: boolean): string {
  const { name, operations, variables, identity, bundle } = service;
  const given = (key: string, value: unknown): string =>
    value === undefined ? "" : `, ${key}: ${JSON.stringify(value)}`;
  const common = commonSecurity(operations);
  return [
    `{ name: ${JSON.stringify(name)}, contractVersion${given("variables", variables)}${given("identity", identity)}${given("needsKey", identity && true)}`,
    hasServer ? given("server", addressesOf(bundle)[0]?.[0]) : "",
    `, timeout: ${defaultTimeout}${common === "[]" ? "" : `, security: ${common}`}${schemesLiteral(operations)}`,
    joinsLists(operations) ? ", joinLists" : "",
    operations.every(({ path }) => path.startsWith("/v1/")) ? ", v1: true }" : " }",
  ].join("");
}

function factories(service: Service, constants: ReadonlyMap<OperationInfo, string>, hasServer: boolean): string {
  const pascal = pascalCase(service.name);
  const [example = ""] = constants.values();
  const some = `Creates a client of some operations, under names of your own: \`pick${pascal}({ run: ${example} })\` has the method \`run\`. A bundler leaves the others out.`;
  return [
    `/** The description of the service for the engine. */\nexport const service: Service = ${serviceLiteral(service, hasServer)};\n`,
    docBlock({ text: `Creates a client of the ${service.name} service.`, tags: [constructionTag] }) +
      `export function create${pascal}Client(options: ${pascal}ClientOptions = {}): ${pascal}Client {\n` +
      `  return clientOf(\n    service,\n    options,\n${[...constants.values()].map((one) => `    ${one},\n`).join("")}  );\n}\n`,
    docBlock({ text: some, tags: [constructionTag] }) +
      `export function pick${pascal}<const Ops extends { readonly [name: string]: Op }>(\n` +
      `  operations: Ops,\n  options: ${pascal}ClientOptions = {},\n): MethodsOf<Ops> {\n` +
      `  return pickClient(service, options, operations);\n}\n`,
  ].join("\n");
}

/** The operations for the door, and their contracts, for mock, server and type tests. */
function table({ name, operations }: Service, constants: ReadonlyMap<OperationInfo, string>): string {
  const sorted = operations.toSorted((a, b) => compare(a.name, b.name));
  const contracts = sorted.map((one) => {
    const { method, path, stream } = one;
    const facts = `readonly method: ${JSON.stringify(method.toUpperCase())}; readonly path: ${JSON.stringify(path)}`;
    return `  readonly ${JSON.stringify(one.name)}: { ${facts}${stream ? "; readonly stream: object" : ""} };\n`;
  });
  const rows = sorted.map((one) => `  ${rowName(one, constants.get(one) ?? "")},\n`);
  return [
    `/** The operations by name, with their methods and paths. */\nexport interface ${pascalCase(name)}Operations {\n${contracts.join("")}}\n`,
    `/** The operations, with what the engine needs for each. */\nexport const operations: readonly Operation[] = /* @__PURE__ */ Object.freeze<Operation[]>([\n${rows.join("")}]);\n`,
  ].join("\n");
}

/** Writes `http.ts`: the `openapi-fetch` client. It is a separate module, so that methods do not depend on it. */
export function httpSource({ name }: Service): string {
  const pascal = pascalCase(name);
  const text = `Creates an \`openapi-fetch\` client of the ${name} service. It calls operations by method and path, under the same rules as the methods, and returns \`error\` where methods throw.`;
  return [
    `${banner(name)}import { createHttp, type HttpClient } from "@trainyard/core/http";\n` +
      `import { operations, service, type ${pascal}ClientOptions } from "./client.ts";\n` +
      `import type { paths } from "./schema.ts";\n`,
    docBlock({ text, tags: [constructionTag] }) +
      `export function create${pascal}Http(options: ${pascal}ClientOptions = {}): HttpClient<paths> {\n` +
      `  return createHttp<paths>(service, options, operations);\n}\n`,
    `export type { HttpClient, paths };\n`,
  ].join("\n");
}
