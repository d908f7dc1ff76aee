import { isObject, memberAt, type Fault, type Loc } from "@trainyard/core/validation";
import { locate, withTags, type Direction, type Located } from "@trainyard/document";
import { Sampler, SchemaError, take, type Budget } from "./sampler.ts";
import { validatorOf } from "./validator.ts";

/** A value, and its faults if no valid one was found. */
export interface Sample {
  readonly value: unknown;
  readonly faults: readonly Fault[];
}

/**
 * Makes a value by its schema: with each property, and with the values that the schema shows. If it is not valid, its
 * invalid parts are replaced by other values of their schemas, or left out; if that fails, it has only what it must have.
 *
 * @param word what a text without format and pattern begins with
 * @param direction where the value goes: it has no properties that only the other direction has
 */
export function sampleOf(root: object, schema: Located, word = "string", direction: Direction = "response"): Sample {
  const ofDocument = samples.get(root) ?? new Map<string, Sample>();
  samples.set(root, ofDocument);
  const key = `${direction} ${word} ${schema.pointer}`;
  const sample = ofDocument.get(key) ?? makeSample(root, schema, word, direction);
  ofDocument.set(key, sample);
  return sample;
}

const samples = new WeakMap<object, Map<string, Sample>>();

/** What the values of one request may take. */
export const usualSteps = 30_000;

/**
 * Values of a schema that a caller sent: its examples, enumerated values, constants and defaults, or values of its types.
 * It makes them until the budget is spent. No part of the schema is compiled and no value is validated, because either can
 * take any time; so a value ignores `not`, `if` and the other keywords that only judge.
 *
 * @param random chooses among what the schema permits
 * @param isWhole whether objects have their optional properties
 * @throws SchemaError if there is no first value
 */
export function* valuesOf(schema: object, budget: Budget, random: () => number = () => 0, isWhole = true): Generator {
  const sampler = new Sampler(schema, { word: "string" }, budget, random);
  for (let count = 0; ; count++) {
    try {
      yield sampler.value(isWhole);
    } catch (error) {
      if (count > 0) return;
      if (error instanceof URIError) throw new SchemaError([], "A reference in the schema is not percent-encoded.");
      throw error;
    }
  }
}

function makeSample(bundle: object, { pointer }: Located, word: string, direction: Direction): Sample {
  const validator = validatorOf(bundle);
  const root = withTags(bundle);
  const schema = locate(root, pointer);
  const judge = (value: unknown): Sample => ({ value, faults: validator.at(schema.pointer, value, direction) });
  const made = (isWhole: boolean) => repaired(new Sampler(root, { word, direction }), schema, isWhole, judge);
  const whole = made(true);
  return whole.faults.length === 0 ? whole : made(false);
}

function repaired(sampler: Sampler, schema: Located, isWhole: boolean, judge: (value: unknown) => Sample): Sample {
  const [first] = sampler.values([schema], isWhole);
  let sample = judge(first);
  for (let rounds = 0; sample.faults.length > 0 && rounds < 50; rounds++) {
    const { value, faults } = sample;
    for (const other of replacements(sampler, schema, value, faults[0]?.loc ?? [])) {
      const next = judge(other);
      if (next.faults.length >= faults.length) continue;
      sample = next;
      break;
    }
    if (sample.value === value) break;
  }
  return sample;
}

/** The value with another part at the location of a fault, or without it. The innermost part comes first. */
function* replacements(sampler: Sampler, schema: Located, value: unknown, loc: Loc): Generator {
  for (let length = loc.length; length >= 0; length--) {
    const path = loc.slice(0, length);
    for (const isWhole of [true, false])
      for (const part of take(sampler.values(sampler.at(schema, path), isWhole), 30)) yield withPart(value, path, part);
    if (length === loc.length) for (const part of plain) yield withPart(value, path, part);
    const part = memberAt(value, path);
    const names = isObject(part) ? Object.keys(part) : [];
    for (const name of names) yield withPart(value, [...path, name], undefined);
    // Of two branches that both permit nearly everything, one must be broken.
    for (const name of names) for (const other of [true, 0]) yield withPart(value, [...path, name], other);
    if (length > 0) yield withPart(value, path, undefined);
  }
}

const plain: readonly unknown[] = ["a", "1", "abc", true, [], {}, null, 0, 1, 2, 10];

/** A copy with another part at a path, or without it. */
function withPart(value: unknown, [first, ...rest]: Loc, part: unknown): unknown {
  if (first === undefined) return part;
  const replaced = withPart(memberAt(value, [first]), rest, part);
  if (Array.isArray(value))
    return replaced === undefined ? value.toSpliced(Number(first), 1) : value.with(Number(first), replaced);
  const { [first]: _, ...others } = isObject(value) ? value : {};
  return replaced === undefined ? others : { ...others, [first]: replaced };
}
