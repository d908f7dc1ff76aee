import { createRequire } from "node:module";
import { isObject } from "@trainyard/core/validation";
import { locate, schemaName } from "@trainyard/document";
import type * as Writer from "openapi-typescript";
import type { InterfaceDeclaration, Node, PropertySignature, Statement, TypeNode, Visitor } from "typescript";
import type * as Compiler from "typescript";
import type { TypesAccept } from "./closed-types.ts";
import { docComment, schemaTags, textOf, type Annotated } from "./doc-comment.ts";
import { compare, type OpenApiDocument, type Schema, schemasOf } from "@trainyard/document/files";
import type { OperationInfo } from "./operation-info.ts";
import { type CoreModule, packaged } from "./service.ts";
import { typeDocument } from "./type-document.ts";

// An `import` reads all of the compiler once more to find out that it is CommonJS, and the main module of openapi-typescript
// loads Redocly, which nothing here uses: a third of a second each.
const require = createRequire(import.meta.url);
const ts: typeof Compiler = require("typescript");
const { astToString }: typeof Writer = require("openapi-typescript/dist/lib/ts.cjs");
const transformSchema: typeof Writer.transformSchema = require("openapi-typescript/dist/transform/index.cjs");
const {
  default: transformSchemaObject,
}: {
  readonly default: typeof Writer.transformSchemaObject;
} = require("openapi-typescript/dist/transform/schema-object.cjs");

/** The name in `@trainyard/core` of a value that an open set does not list. */
const unlisted = "Unlisted";

const exported = [ts.factory.createModifier(ts.SyntaxKind.ExportKeyword)];

/** Any value but null, and any value: beside other types, these take away `null` and `undefined`. */
const some = ts.factory.createTypeLiteralNode([]);
const someOrNull = ts.factory.createUnionTypeNode([some, ts.factory.createLiteralTypeNode(ts.factory.createNull())]);

/** What the types of a document have. */
export interface TypeOptions {
  /** Whether `paths` is written. Default: true. */
  readonly hasPaths?: boolean;
  readonly typesAccept?: TypesAccept | undefined;
  /** Where the types have the engine. Default: the package. */
  readonly core?: CoreModule;
  /** Is told in a sentence what the document requires and does not declare. */
  readonly note?: (sentence: string) => unknown;
}

/**
 * Writes the types of a document: each schema under its name and with its description, and `paths`, which refers to them.
 * The result contains no code that runs.
 */
export async function schemaTypes(
  document: OpenApiDocument,
  operations: readonly OperationInfo[],
  { hasPaths = true, typesAccept = {}, core = packaged, note }: TypeOptions = {},
): Promise<string> {
  const whole = typeDocument(document, operations, typesAccept, note);
  const source = hasPaths ? whole : { ...whole, paths: {}, components: { schemas: schemasOf(whole) } };
  const described = new Map<Node, Annotated>();
  // What is left out is off, such as `defaultNonNullable`: otherwise every request property with a default would be required.
  const context: Partial<Writer.GlobalContext> = {
    emptyObjectsUnknown: true,
    silent: true,
    discriminators: { objects: {}, refsHandled: [] },
    injectFooter: [],
    // Of schemas, it would only look for the properties that `required` names beside a reference.
    resolve: (reference) => (schemaName(reference) === undefined ? Object(locate(source, reference).node) : {}),
    transform(schema, options) {
      if ("x-never" in schema) return ts.factory.createKeywordTypeNode(ts.SyntaxKind.NeverKeyword);
      if ("x-some" in schema) return schema.type === undefined ? someOrNull : some;
      if ("x-blob" in schema) return ts.factory.createTypeReferenceNode("Blob");
      if ("x-unlisted" in schema) {
        const { "x-unlisted": _, ...rest } = schema;
        const listed = rest.enum === undefined ? [] : membersOf(transformSchemaObject(rest, options));
        return ts.factory.createUnionTypeNode([...listed, ts.factory.createTypeReferenceNode(unlisted)]);
      }
      if (schema.type !== "array") return undefined;
      const { "x-readonly": isReadonly, ...array } = Object(schema);
      const { prefixItems }: Schema = array;
      const typeOf = (one: unknown): TypeNode => transformSchemaObject(Object(one), options);
      if (prefixItems === undefined && isReadonly === undefined) return undefined;
      const type = prefixItems === undefined ? typeOf(array) : tupleType(array, typeOf);
      if (isReadonly === undefined) return type;
      // A list of values, or a choice between lists, is no array type.
      if (!ts.isArrayTypeNode(type) && !ts.isTupleTypeNode(type)) return type;
      return ts.factory.createTypeOperatorNode(ts.SyntaxKind.ReadonlyKeyword, type);
    },
    transformProperty(property, schema) {
      const { modifiers, name, questionToken, type } = property;
      const named = ts.isStringLiteral(name) ? ts.factory.createStringLiteral(name.text.replaceAll("%25", "%")) : name;
      const written = ts.factory.updatePropertySignature(property, modifiers, named, questionToken, type);
      described.set(written, { ...schema });
      return written;
    },
  };
  // Its main function first has Redocly read the document again, which is slow, and fails at names such as `toString`.
  const nodes = transformSchema(Object(source), Object(context));
  const interfaces = new Map(nodes.filter(ts.isInterfaceDeclaration).map((node) => [node.name.text, node]));
  const [paths, table, components] = ["paths", "operations", "components"].map((name) => interfaces.get(name));
  if (paths !== undefined)
    described.set(paths, { description: "The operations by path and method, as `http` calls them." });
  const statements = [
    ...hoist(section(components, "schemas"), schemasOf(source), described),
    // A document may have no operations. Where none are written, an empty interface would be a promise that is not kept.
    ...(hasPaths ? [paths ?? ts.factory.createInterfaceDeclaration(exported, "paths", undefined, undefined, [])] : []),
    ...(table === undefined ? [] : [nameQueries(table, operations)]),
    ...keepShared(components),
  ];
  for (const statement of statements) rewriteComments(statement, described);
  const text = statements.map(print).join("\n");
  return new RegExp(`\\b${unlisted}\\b`).test(text) ? `import type { ${unlisted} } from "${core()}";\n\n${text}` : text;
}

/** The most places of a tuple that are written for `minItems` alone. */
const mostPlaces = 20;

/** The type of a tuple: a place that may be missing is optional, and what follows the places has the type of `items`. */
function tupleType(
  { prefixItems, items, minItems, maxItems }: Schema,
  typeOf: (schema: unknown) => TypeNode,
): TypeNode {
  const { factory } = ts;
  const listed = [prefixItems].flat();
  const least = typeof minItems === "number" ? minItems : 0;
  const most = typeof maxItems === "number" ? maxItems : Infinity;
  const isOpen = isObject(items) && most > listed.length;
  const length = Math.min(most, Math.max(listed.length, Math.min(least, mostPlaces)));
  const places = Array.from({ length }, (_, index) => {
    const type = typeOf(index < listed.length ? listed[index] : (items ?? {}));
    return index < least ? type : factory.createOptionalTypeNode(type);
  });
  const rest = isOpen ? [factory.createRestTypeNode(factory.createArrayTypeNode(typeOf(items)))] : [];
  return factory.createTupleTypeNode([...places, ...rest]);
}

function membersOf(type: TypeNode): readonly TypeNode[] {
  return ts.isUnionTypeNode(type) ? type.types : [type];
}

/** Each schema as an exported declaration, by name. */
function hoist(
  members: readonly PropertySignature[],
  schemas: Record<string, Schema>,
  described: Map<Node, Annotated>,
): Statement[] {
  const declarations = members.flatMap((member) => {
    const name = nameOf(member);
    if (member.type === undefined || name === undefined) return [];
    const statement = ts.isTypeLiteralNode(member.type)
      ? ts.factory.createInterfaceDeclaration(exported, name, undefined, undefined, member.type.members)
      : ts.factory.createTypeAliasDeclaration(exported, name, undefined, member.type);
    described.set(statement, schemas[name] ?? {});
    return [{ name, statement }];
  });
  return declarations.toSorted((a, b) => compare(a.name, b.name)).map(({ statement }) => statement);
}

/** `components` with shared bodies and responses only: schemas have names, and parameters are inlined. */
function keepShared(components: InterfaceDeclaration | undefined): Statement[] {
  const kept = components?.members.filter(
    (member) => ts.isPropertySignature(member) && nameOf(member) !== "schemas" && literalMembers(member).length > 0,
  );
  if (components === undefined || kept === undefined || kept.length === 0) return [];
  return [ts.factory.createInterfaceDeclaration(undefined, components.name, undefined, undefined, kept)];
}

/**
 * Replaces a query's properties in `operations` by the name of its type. Neither `operations` nor `components` is exported:
 * they serve only `paths`, and would hide the table of the same name.
 */
function nameQueries(table: InterfaceDeclaration, operations: readonly OperationInfo[]): InterfaceDeclaration {
  const names = new Map(operations.flatMap(({ id, query }) => (query === undefined ? [] : [[id, query.type]])));
  const members = table.members.map((operation) => {
    const name = ts.isPropertySignature(operation) ? names.get(nameOf(operation) ?? "") : undefined;
    if (name === undefined) return operation;
    const replaceQuery: Visitor = (node) => {
      if (ts.isPropertySignature(node)) {
        // A parameter of a path may have this name, too.
        if (nameOf(node) !== "query") return node;
        const { modifiers, name: key, questionToken } = node;
        const type = ts.factory.createTypeReferenceNode(name);
        return ts.factory.updatePropertySignature(node, modifiers, key, questionToken, type);
      }
      return ts.visitEachChild(node, replaceQuery, undefined);
    };
    const replaceIn: Visitor = (node) =>
      ts.isPropertySignature(node) && nameOf(node) === "parameters"
        ? ts.visitEachChild(node, replaceQuery, undefined)
        : ts.isPropertySignature(node) && node !== operation
          ? node
          : ts.visitEachChild(node, replaceIn, undefined);
    return ts.visitNode(operation, replaceIn, ts.isTypeElement) ?? operation;
  });
  return ts.factory.createInterfaceDeclaration(undefined, table.name, undefined, undefined, members);
}

/** Comments in our style, instead of those with a tag for each keyword. */
function rewriteComments(node: Node, described: ReadonlyMap<Node, Annotated>): void {
  const annotated = described.get(node);
  ts.setSyntheticLeadingComments(node, undefined);
  const text = annotated && docComment({ text: textOf(annotated), tags: schemaTags(annotated) });
  if (text !== undefined) {
    ts.addSyntheticLeadingComment(node, ts.SyntaxKind.MultiLineCommentTrivia, text, true);
  }
  ts.forEachChild(node, (child) => rewriteComments(child, described));
}

/** Indented by two spaces, and with each schema by its name only. */
function print(statement: Statement): string {
  return astToString(statement)
    .replaceAll(/components\["schemas"\]\["(\w+)"\]/g, "$1")
    .replaceAll(/^( {4})+/gm, (indent) => " ".repeat(indent.length / 2));
}

function section(components: InterfaceDeclaration | undefined, name: string): readonly PropertySignature[] {
  const found = components?.members.find((member) => ts.isPropertySignature(member) && nameOf(member) === name);
  return found === undefined || !ts.isPropertySignature(found) ? [] : literalMembers(found);
}

function literalMembers({ type }: PropertySignature): PropertySignature[] {
  return type !== undefined && ts.isTypeLiteralNode(type) ? type.members.filter(ts.isPropertySignature) : [];
}

function nameOf({ name }: PropertySignature): string | undefined {
  return ts.isIdentifier(name) || ts.isStringLiteral(name) || ts.isNumericLiteral(name) ? name.text : undefined;
}
