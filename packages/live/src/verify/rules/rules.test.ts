import { readDocument, rulesIn } from "@trainyard/document";
import { packages } from "@trainyard/testing/services";
import { expect, it } from "vitest";
import { ruleIds } from "../../generated/rules.ts";
import { visit } from "../schema-visitor.ts";
import { judgeRules } from "./rules.ts";
import { State, type Seen } from "./rule.ts";

const services = packages.map(({ name, document }) => ({ name, document: readDocument(document) }));

it.each(services)("each rule of $name has an id of its own document", ({ name, document }) => {
  const own = new Set(rulesIn(document.root).map(({ id }) => id));
  expect([...own].toSorted()).toEqual(Object.entries(ruleIds).find(([service]) => service === name)?.[1]);
});

it.each(services)("the examples of $name keep the rules", ({ name, document }) => {
  const { root, operations } = document;
  const breaches: unknown[] = [];
  for (const operation of operations) {
    const bodies = new Map([...(operation.body?.content.values() ?? [])].flatMap(({ examples }) => [...examples]));
    for (const [status, { content }] of operation.responses) {
      for (const { schema, examples } of content.values()) {
        for (const [example, value] of schema === undefined ? [] : examples) {
          const seen: Seen = {
            service: { name },
            operation,
            body: bodies.get(example),
            path: Object.fromEntries(operation.parameters.map((one) => [one.name, String(one.example)])),
            sent: { url: `http://127.0.0.1${operation.path}` },
            answer: { status: Number(status), isExample: !bodies.has(example), text: JSON.stringify(value) },
          };
          const values = visit(root, schema?.pointer ?? "", value);
          judgeRules(seen, values, new State(), (breach) => breaches.push([operation.name, example, breach]));
        }
      }
    }
  }
  expect(breaches).toEqual([]);
});

it("remembers the newest jobs alone, because a server may check its answers for months", () => {
  const state = new State();
  for (let at = 0; at <= 10_000; at++) state.job(`job-${at}`).status = "running";
  expect(["job-1", "job-0", "job-10000"].map((id) => state.job(id).status)).toEqual(["running", undefined, "running"]);
});
