import { defaultTimeout, deriveResend, joinedLists, pascalCase, reservedQueries, shapeOf } from "@trainyard/document";
import { compare } from "@trainyard/document/files";
import { docBlock } from "./doc-comment.ts";
import { propertyName, reservedWords } from "./names.ts";
import type { BodyType, OperationInfo } from "./operation-info.ts";
import { isQueryOption } from "./signature.ts";

/** The alternatives to authenticate of an operation, as code. */
const securityOf = ({ security }: OperationInfo): string =>
  literal(security.map((schemes) => schemes.map(({ name }) => name)));

/** The alternatives to authenticate that most operations have, as code. */
export function commonSecurity(operations: readonly OperationInfo[]): string {
  const counts = new Map<string, number>();
  for (const one of operations) counts.set(securityOf(one), (counts.get(securityOf(one)) ?? 0) + 1);
  return [...counts].toSorted(([a, many], [b, few]) => few - many || compare(a, b))[0]?.[0] ?? "[]";
}

/** The names of the constants: `modelsCreate` for `models.create`. `taken` are the other names of the module. */
export function constantNames(
  operations: readonly OperationInfo[],
  taken: Iterable<string>,
): ReadonlyMap<OperationInfo, string> {
  const used = new Set([...reservedWords, ...taken]);
  const names = operations
    .toSorted((a, b) => compare(a.name, b.name))
    .map((one): [OperationInfo, string] => {
      let own = one.name.replaceAll(/\.(.)/g, (_, first: string) => first.toUpperCase());
      while (used.has(own) || used.has(`${own}Row`)) own += "_";
      for (const name of [own, `${own}Row`]) used.add(name);
      return [one, own];
    });
  return new Map(names);
}

/** The constant that only describes an operation, without what its method loads. */
export function rowName({ page, stream }: OperationInfo, constant: string): string {
  return page || stream ? `${constant}Row` : constant;
}

/** Writes a constant for each operation, with what the engine needs: a bundler keeps those that are used. */
export function operationRows(
  root: object,
  operations: ReadonlyMap<OperationInfo, string>,
  typeOf: (one: OperationInfo) => string,
): string {
  // Each writer, reader and style is written once, as a call without effects.
  const shared = new Map<string, string>();
  const share = (stem: string, code: string): string => {
    const name = shared.get(code) ?? `${stem}${shared.size + 1}_`;
    shared.set(code, name);
    return name;
  };
  const common = commonSecurity([...operations.keys()]);
  const rows = [...operations].map(([one, own]) => {
    const { page, stream, operation, method, path } = one;
    const doc = docBlock({
      text: [operation.summary, `\`${method.toUpperCase()} ${path}\``].filter(Boolean).join(": "),
    });
    const row = `{ ${membersOf(root, one, common, share).join(", ")} }`;
    const constant = `${doc}export const ${own}: Op<${typeOf(one)}> =`;
    if (!page && !stream) return `${constant} ${row};\n`;
    const made = page
      ? `paged(${own}Row)`
      : `streamed(${own}Row${stream?.fold ? `, fold${pascalCase(stream.fold)}` : ""})`;
    return `const ${own}Row: Operation = ${row};\n${constant} /* @__PURE__ */ ${made};\n`;
  });
  const constants = [...shared].map(([code, name]) => `const ${name} = /* @__PURE__ */ ${code};\n`);
  return [...constants, ...rows].join("");
}

function membersOf(
  root: object,
  one: OperationInfo,
  common: string,
  share: (stem: string, code: string) => string,
): string[] {
  const { name, operation, method, path, keyed, optionHeaders, page, stream, body, query, result } = one;
  const { aliases, resend, alwaysIf, timeout, deprecated } = operation;
  const { accept, answers, needs, expects, kind } = result;
  const fill = Object.fromEntries(Object.entries(optionHeaders).map(([option, { header }]) => [header, option]));
  const [joined, reserved] = [joinedLists(operation), reservedQueries(operation)];
  const lists = one.pathParameters.filter(({ isList }) => isList).map((list) => JSON.stringify(list.name));
  const styles = stylesLiteral(root, one);
  const readers = Object.entries(answers ?? {}).map(([status, reader]) => `${propertyName(status)}: ${reader}Answer`);
  const given = (key: string, value: unknown): string[] => [`${key}: ${literal(value)}`];
  const code = (key: string, value: string): string[] => [`${key}: ${value}`];
  return [
    ...given("name", name),
    ...given("method", method.toUpperCase()),
    ...given("path", path),
    ...(aliases.length > 0 ? given("aliases", aliases) : []),
    ...(body ? given("body", true) : []),
    ...(query ? given("query", isQueryOption(one) ? "option" : "argument") : []),
    ...(resend === deriveResend(method) ? [] : given("resend", resend)),
    ...(alwaysIf ? given("alwaysIf", alwaysIf) : []),
    ...(timeout === defaultTimeout ? [] : given("timeout", timeout)),
    ...(securityOf(one) === common ? [] : code("security", securityOf(one))),
    ...(keyed ? given("keyed", true) : []),
    ...(Object.keys(fill).length > 0 ? given("fill", fill) : []),
    ...(joined.length > 0 ? given("joined", joined) : []),
    ...(reserved.length > 0 ? given("reserved", reserved) : []),
    ...(body?.types ? code("write", share("write", writerLiteral(body.types))) : []),
    ...(styles === "" ? [] : code("styled", share("style", `styledQuery(${styles})`))),
    ...(lists.length === 0 ? [] : code("lists", share("lists", `pathLists(${lists.join(", ")})`))),
    ...(one.cookies.length > 0 ? code("cookies", "withCookies") : []),
    ...(page ? given("page", { cursor: page.cursor, item: page.item, more: page.more }) : []),
    ...(accept === undefined || stream ? [] : given("accept", accept)),
    ...(answers === undefined || stream ? [] : code("answers", share("read", `answersOf({ ${readers.join(", ")} })`))),
    ...(kind === "events" && !stream ? given("open", true) : []),
    ...(kind === "bytes" ? given("open", "as") : []),
    ...(needs ? given("needs", needs) : []),
    ...(expects && needs?.join() !== expects.join() ? given("expects", expects) : []),
    ...(stream ? code("stream", streamLiteral(stream)) : []),
    ...(deprecated ? given("deprecated", true) : []),
  ];
}

function streamLiteral({ toggle, byDefault, end, lines }: NonNullable<OperationInfo["stream"]>): string {
  const members = [
    ...(toggle === undefined ? [] : [`toggle: ${JSON.stringify(toggle)}`]),
    ...(byDefault ? ["byDefault: true"] : []),
    ...(end === undefined ? [] : [`end: ${JSON.stringify(end)}`]),
    ...(lines === undefined ? [] : [`accept: ${JSON.stringify(lines)}, parser: lineParser`]),
  ];
  return members.length === 0 ? "{}" : `{ ${members.join(", ")} }`;
}

function literal(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(literal).join(", ")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(([key, member]) => `${propertyName(key)}: ${literal(member)}`);
  return `{ ${members.join(", ")} }`;
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
  const members = queryParameters.flatMap(({ name, schema, style, explode }) => {
    const { types, properties } = shapeOf(root, schema);
    const isObject = types.size === 0 ? properties.size > 0 : types.size === 1 && types.has("object");
    const codes: Record<string, string | undefined> = {
      deepObject: "deepObject",
      form: isObject ? (explode ? "exploded" : "flat") : undefined,
      spaceDelimited: explode ? undefined : 'delimited(" ")',
      pipeDelimited: explode ? undefined : 'delimited("|")',
      json: "jsonText",
    };
    const { [style]: code } = codes;
    return code === undefined ? [] : [`${propertyName(name)}: ${code}`];
  });
  return members.length === 0 ? "" : `{ ${members.join(", ")} }`;
}
