import { dirname } from "node:path";
import type ts from "@trainyard/codegen/compiler";
import { memberOf, original, typeOf } from "./names.ts";

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

/** A call of an operation. */
export type Called = readonly [service: string, operation: string];

/** The clients of a program, and the meaning of their declarations. */
export interface Contract {
  readonly clients: readonly Client[];
  /** Operations by the declaration of the method that calls them. A helper maps to the reading operations of its group. */
  readonly methods: ReadonlyMap<ts.Node, readonly Called[]>;
  /** Operations by the name of their query type. */
  readonly queries: ReadonlyMap<string, string>;
}

/** Finds the clients of a program by the exports of their modules: `…Operations`, `contractVersion`, `create…Client`. */
export function findContract(program: ts.Program): Contract {
  const checker = program.getTypeChecker();
  const clients = new Map<string, Client>();
  const methods = new Map<ts.Node, Called[]>();
  const queries = new Map<string, string>();
  const literalOf = (type: ts.Type | undefined) => (type?.isStringLiteral() ? type.value : undefined);
  /** The name of the type of a method's query. An optional query is part of the options. */
  function queryTypeOf(call: ts.Signature): string | undefined {
    const [query, options] = ["query", "options"].map((name) =>
      typeOf(
        checker,
        call.getParameters().find((one) => one.name === name),
      ),
    );
    return (query ?? memberOf(checker, options, "query"))?.getSymbol()?.name;
  }
  for (const file of program.getSourceFiles()) {
    const module = checker.getSymbolAtLocation(file);
    const exported = new Map((module ? checker.getExportsOfModule(module) : []).map((one) => [one.name, one]));
    const [name, factory] = [...exported].find(([one]) => /^create[A-Z]\w*Client$/.test(one)) ?? [];
    const pascal = name?.slice("create".length, -"Client".length) ?? "";
    const names = [`${pascal}Operations`, "contractVersion", "paths"];
    const [table, version, paths] = names.map((one) => exported.get(one));
    const declared = table && original(checker, table).declarations?.[0]?.getSourceFile();
    if (!version || !name || !factory || !declared) continue;
    const service = pascal.toLowerCase();
    const operations = checker
      .getDeclaredTypeOfSymbol(original(checker, table))
      .getProperties()
      .map((entry) => {
        const type = checker.getTypeOfSymbol(entry);
        const [method, path] = ["method", "path"].map((key) => literalOf(memberOf(checker, type, key)));
        return { name: entry.name, method, path };
      });
    const client: Client = clients.get(service) ?? {
      service,
      contractVersion: literalOf(checker.getTypeOfSymbol(version)),
      folder: dirname(declared.fileName),
      paths: new Map(operations.map((one) => [`${one.method} ${one.path}`, one.name])),
    };
    if (paths !== undefined) client.pathsType = checker.getDeclaredTypeOfSymbol(original(checker, paths));
    clients.set(service, client);
    /** Visits the methods of a client. Groups are properties. */
    const visit = (type: ts.Type | undefined, group: string): void => {
      for (const symbol of type?.getProperties() ?? []) {
        const [name, own] = [`${group}${symbol.name}`, checker.getTypeOfSymbol(symbol)];
        const [call] = own.getCallSignatures();
        if (call === undefined && group.split(".").length < 8) visit(own, `${name}.`);
        if (call === undefined) continue;
        const operation = operations.find((one) => one.name === name);
        const below = operations.filter((one) => one.method === "GET" && one.name.startsWith(group));
        const calls = (operation ? [operation] : below).map((one): Called => [service, one.name]);
        for (const declaration of symbol.declarations ?? []) methods.set(declaration, calls);
        const query = operation && queryTypeOf(call);
        if (query !== undefined) queries.set(query, name);
      }
    };
    visit(checker.getTypeOfSymbol(factory).getCallSignatures()[0]?.getReturnType(), "");
  }
  return { clients: [...clients.values()], methods, queries };
}
