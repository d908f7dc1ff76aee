/** Schemas that are composed at random, of what documents have. */
import type { Schema, Schemas } from "./node.ts";
import { judgeOf } from "./letter.ts";
import { Random } from "./random.ts";
import { nullable, shared } from "./schemas.cases.ts";
import { valuesOf } from "./values.ts";

const names = ["a", "b", "x", "y", "p"];
const scalars: readonly Schema[] = [
  { type: "string" },
  { type: "number" },
  { type: ["string", "null"] },
  { enum: ["u", "v"] },
  { const: 1 },
  { type: "boolean" },
];
const ref = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` });

/** Components that are composed at random. What accepts everything or nothing of its values is drawn again. */
export function composedBy(seed: number, count: number): Schemas {
  const random = new Random(seed);
  const helpers = { ...shared, E: nullable };
  const found: Record<string, Schema> = {};
  while (Object.keys(found).length < count) {
    const name = `R${Object.keys(found).length}`;
    const schema = composed(random);
    const schemas = { ...helpers, [name]: schema };
    const judge = judgeOf(schemas);
    if (new Set(valuesOf(schemas, name, 24).map((value) => judge(name, value))).size === 2) found[name] = schema;
  }
  return { ...helpers, ...found };
}

/** A schema, with as many levels of `allOf` and of unions. What only requires something is a part of others. */
function composed(random: Random, depth = 2, isWhole = true): Schema {
  const some = () => names.filter(() => random.isBelow(0.4));
  const properties = () =>
    Object.fromEntries(
      names
        .filter(() => random.isBelow(0.45))
        .map((name) => [name, { type: name === "b" || name === "y" ? "number" : "string" }]),
    );
  const list = () => Array.from({ length: 2 }, () => composed(random, depth - 1, false));
  const kind = random.next();
  if (depth <= 0 || kind < 0.18)
    return random.pick([
      ...["L", "B", "X", "Y", "E"].map(ref),
      { type: "object", required: some(), properties: properties() },
      { type: "object", properties: properties() },
      random.pick(scalars),
    ]);
  if (kind < 0.24) return random.pick([{ type: "array", items: composed(random, depth - 1) }, tuple(random)]);
  if (kind < 0.28) return { type: "object", properties: { ...properties(), p: composed(random, depth - 1) } };
  if (kind < 0.39 && !isWhole) return { required: [...new Set([random.pick(names), random.pick(names)])] };
  if (kind < 0.52) return { ...ref(random.pick(["L", "B", "E"])), required: [random.pick(names)] };
  const type = random.isBelow(0.2) ? ["object", "null"] : "object";
  const base = random.isBelow(0.6)
    ? { type, properties: properties(), ...(random.isBelow(0.4) && { required: [random.pick(names)] }) }
    : {};
  const key = random.pick(["allOf", "allOf", "anyOf", "oneOf"]);
  return { ...base, [key]: list(), ...(random.isBelow(0.25) && { anyOf: list() }) };
}

function tuple(random: Random): Schema {
  const prefixItems = [random.pick(scalars), random.pick(scalars)];
  const minItems = random.below(3);
  return { type: "array", prefixItems, minItems, items: random.pick<unknown>([false, { type: "boolean" }]) };
}
