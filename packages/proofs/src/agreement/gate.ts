/** What the gate says of schemas and of their equal forms. */
import { compareDocuments, toDocument } from "@trainyard/contract";
import { pointerTokens } from "@trainyard/core/validation";
import { equalForms, type EqualForm } from "./equal-forms.ts";
import { judgeOf } from "./letter.ts";
import type { Schema, Schemas } from "./node.ts";
import type { Subject } from "./subject.ts";
import type { Tally } from "./tally.ts";
import { valuesOf } from "./values.ts";

/** The components in another form. */
interface Rewritten {
  readonly form: string;
  /** Those that the form changes. */
  readonly names: readonly string[];
  readonly schemas: Schemas;
}

/**
 * Compares a document with each of its forms that mean the same.
 *
 * @param count how many values show that a form means the same
 */
export function compareForms(tally: Tally, { name: document, root }: Subject, folder: string, count: number): void {
  const { schemas } = Object(root["components"]);
  const judge = judgeOf(schemas);
  for (const { form, names, schemas: rewritten } of equalForms.map((one) => rewrite(schemas, one))) {
    tally.forms += names.length;
    const other = judgeOf(rewritten);
    for (const name of count > 0 ? names : [])
      for (const value of valuesOf(schemas, name, count))
        if (judge(name, value) !== other(name, value))
          tally.unequal.push(`${form}: ${document} ${name} ${JSON.stringify(value)}`);
    for (const [schema, [says = ""]] of changesIn(folder, root, rewritten))
      tally.differences.push({ kind: "gate", document, schema, what: form, says });
  }
}

function rewrite(schemas: Schemas, { name: form, rewrite: change }: EqualForm): Rewritten {
  const added: Record<string, Schema> = {};
  const names: string[] = [];
  const result = Object.entries(schemas).map(([name, schema]): [string, unknown] => {
    const other = change(Object(schema), schemas, (part) => {
      const own = `${name}Part${Object.keys(added).length}`;
      added[own] = part;
      return { $ref: `#/components/schemas/${own}` };
    });
    if (JSON.stringify(other) !== JSON.stringify(schema)) names.push(name);
    return [name, other];
  });
  return { form, names, schemas: { ...Object.fromEntries(result), ...added } };
}

/** The changes over the wire that the gate sees in another form, by the component in which it sees them. */
function changesIn(folder: string, root: object, schemas: Schemas): Map<string, string[]> {
  const read = (document: object) => new Map([["document", toDocument("document", document)]]);
  const [report] = compareDocuments(folder, read(root), read({ ...root, components: { schemas } }));
  const found = new Map<string, string[]>();
  for (const { base, markdown, effects } of report?.changes ?? []) {
    const onWire = effects.filter(({ audience, verdict }) => audience === "wire" && verdict !== "neutral");
    if (onWire.length === 0) continue;
    const name = pointerTokens(base)[2] ?? "";
    found.set(name, [...(found.get(name) ?? []), `${onWire[0]?.verdict}: ${markdown}`]);
  }
  return found;
}
