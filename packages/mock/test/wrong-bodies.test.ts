/**
 * The time and size of validation errors are bounded by the length of the body, in the mock and in the clients' validators.
 */
import { isObject, type Fault } from "@trainyard/core/validation";
import { wrongLists } from "@trainyard/testing";
import { bodyExamples, methodCases, packages } from "@trainyard/testing/services";
import { expect, it } from "vitest";
import { mockService } from "../src/index.ts";

const id = "6f1d2c84-3b5e-4f0a-9c27-8e4b1a5d7f30";
const mocks = new Map(packages.map(({ name, document }) => [name, mockService(document).connect()]));
const withBody = methodCases.filter(({ operation }) => operation.body !== undefined);

async function post(entry: (typeof withBody)[number], body: unknown) {
  const { baseUrl, fetch } = mocks.get(entry.service) ?? mockService("training").connect();
  const { method, path } = entry.operation;
  const response = await fetch(baseUrl + path.replace(/\{.*?\}/g, id), {
    method,
    headers: { authorization: "Bearer a", "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  return { status: response.status, text: await response.text() };
}

/** The validator of an operation's body, as people import it. */
async function faultsOf(entry: (typeof withBody)[number], value: unknown): Promise<Fault[]> {
  const validators = Object.values(await entry.client.validators()).map(Object);
  const guard = validators.find(({ checks }) => checks?.includes(`${entry.operation.name} request`));
  return guard.faults(value);
}

it.each(withBody)(
  "$service $operation.name: many invalid items in any list or map",
  { tags: ["long"] },
  async (entry) => {
    for (const body of bodyExamples(entry).values()) {
      for (const { loc, value } of wrongLists(body, 2000)) {
        const { status, text } = await post(entry, value);
        const faults = await faultsOf(entry, value);
        expect([loc, text.length < 100_000]).toEqual([loc, true]);
        expect([loc, status >= 400]).toEqual([loc, faults.length > 0]);
        expect([loc, faults.length <= 101]).toEqual([loc, true]);
        const error: unknown = status >= 400 && JSON.parse(text);
        if (isObject(error) && Array.isArray(error["detail"])) {
          expect(error["detail"]).toEqual(faults.map((fault) => ({ ...fault, loc: ["body", ...fault.loc] })));
        }
      }
    }
  },
);

const million = Array.from({ length: 1_000_000 }, () => 0);

// Without a bound, each of these takes minutes.
it.each([
  ["models.log", { split: "val", trajectory_groups: [{ trajectories: [{ messages_and_choices: million }] }] }],
  ["models.log", { split: "val", trajectory_groups: million }],
  ["chat.completions.create", { model: "demo/tiny", messages: million }],
])("%s: a million invalid items", { timeout: 10_000 }, async (name, body) => {
  for (const entry of withBody.filter(({ operation }) => operation.name === name)) {
    const { status, text } = await post(entry, body);
    expect(status).toBe(entry.service === "inference" ? 400 : 422);
    expect(text.length).toBeLessThan(100_000);
    expect(await faultsOf(entry, body)).toHaveLength(101);
  }
});
