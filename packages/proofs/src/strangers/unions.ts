import { memberAt } from "@trainyard/core/validation";
import { kindsOf, shapeOf, type Document, type Located, type Operation } from "@trainyard/document";
import { validatorOf } from "@trainyard/host/validator";
import { fieldsOf, fillFields } from "@trainyard/live";

const candidates = [8, 1, 0, 0.5, 100, "8", "text", "2026-01-01", "2026-01-01T00:00:00Z", "https://example.com"];

/** Values of a union of numbers and texts; none if it is no such union. */
function valuesOf(root: object, schema: Located): unknown[] {
  const { values, types } = kindsOf(root, schema);
  const all = [...values, ...[schema.node["examples"] ?? []].flat(), schema.node["example"], ...candidates];
  const valid = all.filter((value) => validatorOf(root).at(schema.pointer, value).length === 0);
  const kinds = new Set([...types, ...values.map((value) => typeof value)]);
  const isUnion = kinds.has("string") && (kinds.has("integer") || kinds.has("number"));
  return isUnion ? [...new Set(valid.filter((one) => typeof one === "number" || typeof one === "string"))] : [];
}

/** The names of fields, and of the members of their objects, as flags. */
function* flagsBelow(root: object, schema: Located, flag: string, depth = 3): Generator<[flag: string, Located]> {
  yield [flag, schema];
  if (depth > 0)
    for (const [name, { schema: member }] of shapeOf(root, schema).properties)
      yield* flagsBelow(root, member, `${flag}.${name}`, depth - 1);
}

/** The unions of numbers and texts in the fields of a document, and those of their values that no flag gives. */
export function unionsIn(document: Document): { readonly count: number; readonly unreachable: readonly string[] } {
  const { root } = document;
  const unreachable: string[] = [];
  let count = 0;
  const accepts = (schema: Located, value: unknown) => validatorOf(root).at(schema.pointer, value).length === 0;
  const reaches = (operation: Operation, flag: string, value: unknown): boolean => {
    const typed = { text: JSON.stringify(value), isJson: true };
    const words = typeof value === "string" ? [typed, { text: value, isJson: false }] : [typed];
    return words.some((word) => {
      const { body, query, header, cookie } = fillFields(document, operation, new Map([[flag, [word]]]), accepts);
      const places = [query, header, cookie].map((place) => memberAt(place, [flag]));
      return [...body.map(([, found]) => found), ...places].includes(value);
    });
  };
  for (const operation of document.operations)
    for (const field of fieldsOf({ contract: { name: "", bundle: () => root }, document, operation }))
      for (const [flag, schema] of flagsBelow(root, field.schema, field.flag.replace(/^--|:=$/g, ""))) {
        const values = valuesOf(root, schema);
        count += values.length > 0 ? 1 : 0;
        for (const value of values)
          if (!reaches(operation, flag, value))
            unreachable.push(`${operation.name} --${flag} ${JSON.stringify(value)}`);
      }
  return { count, unreachable };
}
