import { dirname } from "node:path";
import ts from "typescript";

/** A client of ours that a program imports. */
export interface Client {
  readonly service: string;
  readonly contractVersion: string | undefined;
  /** The folder of its generated files. */
  readonly folder: string;
  /** Names of operations by their verb and path: `POST /v1/preview/models`. */
  readonly paths: ReadonlyMap<string, string>;
  /** The type `paths`, as in the document. */
  pathsType?: ts.Type;
}

/** The clients of a program, and the meaning of their declarations. */
export interface Contract {
  readonly clients: readonly Client[];
  /** Operations by the declaration of the method that calls them. A helper maps to the reading operations of its group. */
  readonly methods: ReadonlyMap<ts.Node, { readonly client: Client; readonly operations: readonly string[] }>;
  /** Operations by the name of their query type. */
  readonly queries: ReadonlyMap<string, string>;
}

/** Finds the clients of a program by the exports of their modules: `operations`, `contractVersion`, `create…Client`. */
export function findContract(program: ts.Program): Contract {
  const checker = program.getTypeChecker();
  const clients = new Map<string, Client>();
  const methods = new Map<ts.Node, { client: Client; operations: readonly string[] }>();
  const queries = new Map<string, string>();
  for (const file of program.getSourceFiles()) {
    const module = checker.getSymbolAtLocation(file);
    const exported = new Map(
      module === undefined ? [] : checker.getExportsOfModule(module).map((one) => [one.name, one]),
    );
    const [table, version] = [exported.get("operations"), exported.get("contractVersion")];
    const factory = [...exported.keys()].find((name) => /^create[A-Z]\w*Client$/.test(name));
    if (table === undefined || version === undefined || factory === undefined) continue;
    const service = factory.slice("create".length, -"Client".length).toLowerCase();
    const declared = original(checker, table).declarations?.[0]?.getSourceFile();
    if (declared === undefined) continue;
    const operations = readOperations(checker, table, declared);
    const paths = exported.get("paths");
    const client: Client = clients.get(service) ?? {
      service,
      contractVersion: literal(checker.getTypeOfSymbolAtLocation(version, file)),
      folder: dirname(declared.fileName),
      paths: new Map(operations.map(({ name, method, path }) => [`${method} ${path}`, name])),
    };
    if (paths !== undefined) client.pathsType = checker.getDeclaredTypeOfSymbol(original(checker, paths));
    clients.set(service, client);
    const type = checker.getTypeOfSymbolAtLocation(exported.get(factory) ?? table, file);
    const [signature] = type.getCallSignatures();
    if (signature === undefined) continue;
    walk(checker, signature.getReturnType(), "", (name, symbol) => {
      const operation = operations.find((one) => one.name === name);
      const group = name.slice(0, name.lastIndexOf(".") + 1);
      const below = operations.filter((one) => one.method === "GET" && one.name.startsWith(group));
      const called = operation === undefined ? below.map((one) => one.name) : [name];
      for (const declaration of symbol.declarations ?? []) methods.set(declaration, { client, operations: called });
      const query = queryType(checker, symbol);
      if (operation !== undefined && query !== undefined) queries.set(query, name);
    });
  }
  return { clients: [...clients.values()], methods, queries };
}

interface TableEntry {
  readonly name: string;
  readonly method: string;
  readonly path: string;
}

function readOperations(checker: ts.TypeChecker, table: ts.Symbol, file: ts.SourceFile): TableEntry[] {
  return checker
    .getTypeOfSymbolAtLocation(table, file)
    .getProperties()
    .flatMap((entry) => {
      const type = checker.getTypeOfSymbolAtLocation(entry, file);
      const [method, path] = ["method", "path"].map((key) => {
        const property = type.getProperty(key);
        return property && literal(checker.getTypeOfSymbolAtLocation(property, file));
      });
      return method === undefined || path === undefined ? [] : [{ name: entry.name, method, path }];
    });
}

/** Visits each method of a client with its name. Groups are properties. */
function walk(
  checker: ts.TypeChecker,
  type: ts.Type,
  prefix: string,
  visit: (name: string, symbol: ts.Symbol) => void,
): void {
  for (const symbol of type.getProperties()) {
    const [declaration] = symbol.declarations ?? [];
    if (declaration === undefined) continue;
    const own = checker.getTypeOfSymbolAtLocation(symbol, declaration);
    const name = `${prefix}${symbol.name}`;
    if (own.getCallSignatures().length > 0) visit(name, symbol);
    else if (prefix.split(".").length < 8) walk(checker, own, `${name}.`, visit);
  }
}

function queryType(checker: ts.TypeChecker, method: ts.Symbol): string | undefined {
  const [declaration] = method.declarations ?? [];
  if (declaration === undefined) return undefined;
  const [signature] = checker.getTypeOfSymbolAtLocation(method, declaration).getCallSignatures();
  const of = (name: string): ts.Type | undefined => {
    const parameter = signature?.getParameters().find((one) => one.name === name);
    return parameter && checker.getNonNullableType(checker.getTypeOfSymbolAtLocation(parameter, declaration));
  };
  // An optional query is part of the options.
  const option = of("options")?.getProperty("query");
  const query = of("query") ?? (option && checker.getTypeOfSymbolAtLocation(option, declaration));
  return query && checker.getNonNullableType(query).getSymbol()?.name;
}

function original(checker: ts.TypeChecker, symbol: ts.Symbol): ts.Symbol {
  return (symbol.flags & ts.SymbolFlags.Alias) === 0 ? symbol : checker.getAliasedSymbol(symbol);
}

function literal(type: ts.Type): string | undefined {
  return type.isStringLiteral() ? type.value : undefined;
}
