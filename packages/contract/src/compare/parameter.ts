import type { Comparison } from "../comparison.ts";
import { type Document, type Spot, child, items } from "../document.ts";
import { isObject, text } from "../json.ts";
import { join, tokens } from "../pointer.ts";
import { compareContent } from "./content.ts";
import { followed } from "./followed.ts";
import { type Rules, became, compareKeys, passage, truth } from "./keys.ts";
import { annotations } from "./annotations.ts";
import { compareSchema } from "./schema.ts";

/** A parameter by its place and name, `query limit`, and where it stands. */
export type Parameters = ReadonlyMap<string, Spot>;

/** The parameters of an operation, those of its path among them. One in the path is known by its turn there. */
export function parameters(document: Document, path: Spot, operation: Spot): Parameters {
  const found = new Map<string, Spot>();
  const turns = [...(tokens(path.pointer).at(-1) ?? "").matchAll(/\{([^}]*)\}/g)].map(([, name]) => name);
  for (const owner of [path, operation]) {
    for (const spot of items(document.at(join(owner.pointer, "parameters")))) {
      const { value } = document.follow(spot);
      if (!isObject(value)) continue;
      const [place, name] = [text(value["in"]), text(value["name"])];
      found.set(`${place} ${place === "path" ? turns.indexOf(name) : name}`, spot);
    }
  }
  return found;
}

const serialized: Rules[string] = (comparison, pair, key) =>
  comparison.report("parameter-serialized", pair, became(pair, `\`${key}\``));

const rules: Rules = {
  ...annotations,
  name: (comparison, pair) => comparison.report("path-parameter-renamed", pair, became(pair, "The name")),
  required: truth("parameter-required", "parameter-optional", "required"),
  style: serialized,
  explode: serialized,
  allowReserved: serialized,
  allowEmptyValue: serialized,
  "x-client-option": passage(
    "The client option",
    "client-option-added",
    "client-option-changed",
    "client-option-changed",
  ),
};

/** What a parameter is and is called. */
function named({ value }: Spot): string {
  return isObject(value) ? `${text(value["in"])} parameter \`${text(value["name"])}\`` : "parameter";
}

const into: Rules = { schema: compareSchema, content: compareContent };

export function compareParameters(
  comparison: Comparison,
  before: Parameters,
  now: Parameters,
  nowhere: { readonly base: string; readonly revision: string },
): void {
  for (const name of new Set([...before.keys(), ...now.keys()])) {
    const base = before.get(name);
    const revision = now.get(name);
    if (base === undefined && revision !== undefined) {
      const target = comparison.revision.follow(revision);
      const required = child(target, "required").value === true;
      comparison.report(
        required ? "parameter-added-required" : "parameter-added",
        { base: { value: undefined, pointer: nowhere.base }, revision },
        `The ${required ? "required" : "optional"} ${named(target)} was added.`,
      );
    } else if (base !== undefined && revision === undefined) {
      comparison.about(base, () =>
        comparison.report(
          "parameter-removed",
          { base, revision: { value: undefined, pointer: nowhere.revision } },
          `The ${named(comparison.base.follow(base))} was removed.`,
        ),
      );
    } else if (base !== undefined && revision !== undefined) {
      followed(comparison, { base, revision }, (pair) => compareKeys(comparison, pair, { rules, into, skip: ["in"] }));
    }
  }
}
