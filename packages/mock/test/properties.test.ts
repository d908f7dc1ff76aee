import { formatLoc, isObject, resolvePointer, type Loc } from "@trainyard/core/validation";
import * as fc from "fast-check";
import { bodySchema, cases } from "@trainyard/testing/services";
import { describe, expect, it } from "vitest";
import { mockService } from "../src/index.ts";
import { caller } from "./call.ts";
import { applyMutation, arbitraryOf, mutationsOf } from "@trainyard/testing";

const id = "6f1d2c84-3b5e-4f0a-9c27-8e4b1a5d7f30";

/** Each body is a request, so that `pnpm test` sends a few, and `pnpm exec vitest run --tags-filter long` all. */
const lengths: readonly [string, { tags?: string[] }, { numRuns: number }][] = [
  ["", {}, { numRuns: 8 }],
  [", at length", { tags: ["long"] }, { numRuns: 300 }],
];

describe.each(cases.filter(({ operation }) => operation.body))("$service $operation.name", (entry) => {
  const { document, operation, fits } = entry;
  const call = caller(mockService(document).connect());
  const route = `${operation.method} ${operation.path.replace(/\{.*?\}/g, id)}`;
  const schema = bodySchema(entry);
  const bodies = arbitraryOf(document, schema, fits);

  for (const [length, options, runs] of lengths) {
    it(`accepts every valid body${length}`, options, async () => {
      await fc.assert(
        fc.asyncProperty(bodies, async (body) => {
          expect(await call(route, { body })).toMatchObject({ status: 200 });
        }),
        runs,
      );
    });

    it(`rejects every body with a fault, and reports only that fault${length}`, options, async () => {
      const faulty = fc.tuple(bodies, fc.nat()).map(([body, choice]) => {
        const mutations = mutationsOf(document, schema, body, fits);
        const mutation = mutations[choice % mutations.length];
        return mutation && { mutation, body: applyMutation(body, mutation) };
      });
      await fc.assert(
        fc.asyncProperty(faulty, async (found) => {
          fc.pre(found !== undefined && !fits(schema, found.body));
          const { mutation, body } = found ?? { mutation: { loc: [], what: "" }, body: undefined };
          const answer = await call(route, { body: JSON.stringify(body) });
          const location = formatLoc(mutation.loc);
          const status = /^(another text|too)/.test(mutation.what) && statusAt(document, schema, mutation.loc);
          const expected = status || (operation.responses.has("422") ? 422 : 400);
          expect([answer.status, locationsOf(answer.body)]).toEqual([expected, [location]]);
        }),
        runs,
      );
    });
  }
});

/** The paths of the faults in an error body. */
function locationsOf(body: unknown): unknown[] {
  if (!isObject(body)) return [];
  const { detail, error, reason } = body;
  if (isObject(error)) return [error["param"] ?? ""];
  // In a body without a field for paths, the message begins with the path.
  if (typeof reason === "string") return [reason.split(": ")[0]];
  return Array.isArray(detail) ? detail.map(({ loc }) => formatLoc(loc.slice(1))) : [detail];
}

/** The document's status for a violated limit, if it differs from the operation's own. */
function statusAt(document: object, schema: unknown, [step, ...rest]: Loc): unknown {
  if (!isObject(schema)) return undefined;
  if (typeof schema["$ref"] === "string") {
    const loc = step === undefined ? [] : [step, ...rest];
    return statusAt(document, resolvePointer(document, schema["$ref"]), loc);
  }
  if (step === undefined) return schema["x-invalid-status"];
  const properties = isObject(schema["properties"]) ? schema["properties"] : {};
  return statusAt(document, typeof step === "number" ? schema["items"] : properties[step], rest);
}
