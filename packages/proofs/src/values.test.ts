/** @module-tag long */
/** Our validators, which use Ajv, and an independent validator agree on the keywords of our schemas. */
import { Validator } from "@cfworker/json-schema";
import { isObject, resolvePointer } from "@trainyard/core/validation";
import type { Media } from "@trainyard/document";
import { validatorOf } from "@trainyard/host";
import { applyMutation, arbitraryOf, judgeOf, mutationsOf } from "@trainyard/testing";
import { cases, packages, type ServicePackage } from "@trainyard/testing/services";
import * as fc from "fast-check";
import { expect, it } from "vitest";
import { report } from "./report.ts";
import { isLocalTime } from "./exceptions.ts";

// `pnpm exec vitest run --project fuzz` tries 600 values for each schema. `pnpm exec vitest run --tags-filter long` checks only the examples.
const numRuns = Number(process.env["WITNESS_VALUES"] ?? 0);
const counts = { "both accept": 0, "both refuse": 0, "a time without an offset": 0 };

/** A schema of a document, with its two validators. */
type Judged = ReturnType<typeof judgedOf>[number];

const judged = packages.flatMap(judgedOf);

function judgedOf({ name: service, document }: ServicePackage) {
  const fits = judgeOf(document);
  const validator = validatorOf(document);
  const schemas = Object(resolvePointer(document, "#/components/schemas"));
  const pointers = [...Object.keys(schemas).map((name) => `#/components/schemas/${name}`), ...inline(service)];
  return [...new Set(pointers)].map((pointer) => {
    const schema = resolvePointer(document, pointer);
    if (!isObject(schema)) throw new Error(`${service} has no schema at ${pointer}.`);
    let other: Validator | undefined;
    return {
      service,
      document,
      pointer,
      schema,
      fits,
      ours: (value: unknown): boolean => validator.at(pointer, value).length === 0,
      other: (value: unknown): boolean => {
        other ??= new Validator(Object(withoutExamples({ ...schema, components: { schemas } })), "2020-12");
        return other.validate(value).valid;
      },
    };
  });
}

/** A copy of a schema without its examples, whose ids the other validator would treat as schema ids. */
function withoutExamples(schema: unknown): unknown {
  return JSON.parse(
    JSON.stringify(schema, (key, value: unknown) => (key === "examples" && Array.isArray(value) ? undefined : value)),
  );
}

/** The locations of body and response schemas of operations. */
function inline(service: string): string[] {
  return cases
    .filter((entry) => entry.service === service)
    .flatMap(({ operation: { body, responses } }) => [
      body?.content,
      ...[...responses.values()].map(({ content }) => content),
    ])
    .flatMap((content) => [...(content?.values() ?? [])].flatMap((media) => pointerOf(media) ?? []));
}

/** The location of a body's schema; for a stream, of one event's. */
function pointerOf({ item, schema }: Media): string | undefined {
  return (item ?? schema)?.pointer;
}

function compare({ service, pointer, ours, other }: Judged, value: unknown): void {
  const own = ours(value);
  if (own === other(value)) return void counts[own ? "both accept" : "both refuse"]++;
  const plain = withOffsets(value);
  if (JSON.stringify(plain) === JSON.stringify(value) || ours(plain) !== other(plain))
    throw new Error(`We alone ${own ? "accept" : "refuse"} it, as ${pointer} of ${service}.`);
  counts["a time without an offset"]++;
}

/** The contract reads a time without an offset as UTC; RFC 3339, which the other validator follows, requires an offset. */
function withOffsets(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withOffsets);
  if (!isObject(value)) return isLocalTime(value) ? `${value}Z` : value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, withOffsets(inner)]));
}

it.each(numRuns > 0 ? judged : [])("$service $pointer", (one) => {
  const { document, schema, fits } = one;
  const whole = arbitraryOf(document, schema, fits).map(overJson);
  // Validators differ most in values that match two members of a union.
  const both = fc.tuple(whole, whole).map(([one, two]) => (isObject(one) && isObject(two) ? { ...one, ...two } : one));
  const values = fc.oneof({ weight: 3, arbitrary: whole }, { weight: 1, arbitrary: both });
  fc.assert(
    fc.property(values, (value) => compare(one, value)),
    { numRuns },
  );
  const broken = fc.tuple(values, fc.nat()).map(([value, choice]) => {
    const mutations = mutationsOf(document, schema, value, fits);
    const mutation = mutations[choice % mutations.length];
    return mutation === undefined ? value : overJson(applyMutation(value, mutation));
  });
  fc.assert(
    fc.property(broken, (value) => compare(one, value)),
    { numRuns },
  );
});

it.each(cases)("the examples of $service $operation.method $operation.path", ({ service, operation }) => {
  for (const { content } of operation.responses.values()) {
    for (const [type, media] of content) {
      const one = judged.find((judge) => judge.service === service && judge.pointer === pointerOf(media));
      if (one === undefined) throw new Error(`${operation.name} has no schema of ${type}.`);
      for (const value of media.examples.values()) {
        const items = typeof value === "string" ? itemsOf(value) : [value];
        for (const item of items) {
          compare(one, item);
          expect([item, one.other(item)]).toEqual([item, true]);
        }
      }
    }
  }
});

it("needs the exception", () => {
  if (numRuns > 0) expect(counts["a time without an offset"]).toBeGreaterThan(0);
  const total = Object.values(counts).reduce((sum, one) => sum + one);
  const sentence = `An independent validator agreed with ours on ${total} values, except for times without an offset.`;
  report("values", sentence);
});

/** The events of a stream. */
function itemsOf(stream: string): unknown[] {
  return [...stream.matchAll(/^data: (\{.*)$/gm)].map(([, text = ""]): unknown => JSON.parse(text));
}

function overJson(value: unknown): unknown {
  return value === undefined ? null : JSON.parse(JSON.stringify(value));
}
