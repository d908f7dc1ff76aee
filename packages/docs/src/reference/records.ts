/** The search records of the reference: operations, schemas, fields, exports and errors, each with its own address. */
import { dialect, type Operation, type Located } from "@trainyard/document";
import { operationAddress, schemaAddress } from "./addresses.ts";
import { exportId, packageEntries } from "./exports.ts";
import { labelText } from "./label.ts";
import { textAt } from "./node.ts";
import type { Service } from "./services.ts";
import { Shapes, type Shape } from "./shape.ts";

/** One record of the search. */
export interface SearchRecord {
  readonly url: string;
  readonly title: string;
  /** The kind of the record: `field`. */
  readonly kind: string;
  /** What it belongs to: the service, and the part of it. */
  readonly where: string;
  /** One or two sentences. */
  readonly text: string;
  /** Further search terms. */
  readonly words: readonly string[];
  /** Another name for it: `models.log`. */
  readonly name?: string;
  /** The method of an operation. */
  readonly verb?: string;
  /** The sections of a page of text. */
  readonly sections?: readonly Section[];
  /** Environment variables and options in the code of a page. */
  readonly code?: readonly string[];
}

/** A heading of a page with the text below it; the first has the title of the page. */
export interface Section {
  readonly id: string;
  readonly heading: string;
  readonly text: string;
}

/** A description as plain words. */
export function plainText(markdown: string): string {
  return markdown
    .replaceAll(/ \((?:proposed|adopted|interface)\)/g, "")
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replaceAll(/[`*]/g, "")
    .replaceAll(/\s+/g, " ")
    .trim();
}

/** The records of a service. An alias has none; the search finds the original operation. */
export function recordsOf(service: Service): SearchRecord[] {
  const { operations, schemas } = service.document;
  return [
    ...operations
      .filter(({ aliasOf }) => aliasOf === undefined)
      .map((operation) => operationRecord(service, operation)),
    ...[...schemas].flatMap(([name, place]) => schemaRecords(service, name, place)),
  ];
}

function operationRecord(service: Service, operation: Operation): SearchRecord {
  const { summary, method, path, description, name, id, parameters, node } = operation;
  const pages = dialect.pagination.describe(dialect.pagination.read(node)) ?? "";
  return {
    url: operationAddress(service, operation),
    title: summary,
    kind: "operation",
    name,
    verb: method,
    where: `${service.name} · ${path}`,
    text: plainText(`${description} ${pages}`),
    // People also search for parts of a path and of a name.
    words: [
      name,
      `${service.name}.${name}`,
      name.replaceAll(".", " "),
      spaced(name),
      path.replaceAll(/[/{}_-]+/g, " "),
      id.replaceAll("_", " "),
      ...parameters.map((parameter) => parameter.name),
    ],
  };
}

function schemaRecords(service: Service, name: string, { pointer, node }: Located): SearchRecord[] {
  const shape = new Shapes(service.document.root, "names").at(pointer, name);
  const url = schemaAddress(service, name);
  const title = textAt(node, "title");
  const own: SearchRecord = {
    url,
    title: name,
    kind: "schema",
    where: service.name,
    text: plainText(shape.description),
    words: [spaced(name), title],
  };
  return [own, ...fieldRecords(service, name, shape, url)];
}

/** The fields of a schema, including those of inline objects; the fields of named schemas are on their pages. */
function fieldRecords(service: Service, owner: string, shape: Shape, url: string): SearchRecord[] {
  const own = shape.fields.flatMap(({ name, shape: field }): SearchRecord[] => [
    {
      url: `${url}#${field.id}`,
      title: name,
      name: `${owner} ${name}`,
      kind: "field",
      where: `${service.name} · ${owner} · ${labelText(field.label)}`,
      text: plainText(field.description),
      words: [`${owner}.${name}`, `${spaced(owner)} ${name.replaceAll("_", " ")}`, ...field.facts],
    },
    ...(field.name === undefined ? fieldRecords(service, owner, field, url) : []),
  ]);
  const inline = [shape.item, shape.values, ...shape.variants.map((variant) => variant.shape)].flatMap((one) =>
    one === undefined || one.name !== undefined ? [] : fieldRecords(service, owner, one, url),
  );
  return [...own, ...inline];
}

/** The records of the packages' exports that programs import. The classes of errors are in a guide. */
export function exportRecords(): SearchRecord[] {
  return packageEntries().flatMap(({ entry, names }) =>
    names.flatMap(({ name, text, isType, isInner }) => {
      if (isInner) return [];
      const isError = entry === "@trainyard/core" && !isType && /[a-z]Error$/.test(name) && !name.startsWith("is");
      const own = isError
        ? { url: `/guides/errors/#${name}`, kind: "error" }
        : { url: `/packages/#${exportId(entry, name)}`, kind: "export" };
      return { ...own, title: name, where: entry, text: plainText(text), words: [entry, spaced(name)] };
    }),
  );
}

/** `TrainingJobEvent` → `Training Job Event` */
function spaced(name: string): string {
  return name.replaceAll(/([a-z])([A-Z])/g, "$1 $2");
}
