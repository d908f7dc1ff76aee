import { ApiError } from "@trainyard/core";
import { createTrainingClient } from "@trainyard/training";
import { createValidator } from "@trainyard/front";
import { expect, it } from "vitest";
import { notServed } from "../src/handlers/not-served.ts";
import { createApp } from "../src/http/app.ts";
import { readContracts, readControlContract } from "../src/http/documents.ts";
import { Exchange } from "../src/http/exchange.ts";
import { Keys } from "../src/http/keys.ts";
import { limitsOf } from "../src/http/limits.ts";
import { PlannedFaults } from "../src/http/planned-faults.ts";
import { makeServer, send } from "./lib.ts";

const path = (prefix: string, of: string) => prefix + of.replaceAll(/\{\w+\}/g, "x");

it("is told of the operations in the list alone: each other one has a handler", async () => {
  const server = makeServer();
  const missing: Record<string, Set<string>> = {};
  for (const { name: service, operations } of [...readContracts(), readControlContract()]) {
    const without = (missing[service] = new Set());
    for (const { name, method, path: of } of operations) {
      const { status } = await send(server.connect(service), path("", of), { method });
      if (status === 501) without.add(name);
    }
  }
  const listed = Object.entries(notServed).map(([service, names]) => [service, new Set<string>(names)]);
  expect(missing).toEqual({ ...Object.fromEntries(listed), local: new Set() });
  await server.end();
});

it("is told in the error of the service, which no document declares, and not asked again", async () => {
  const violations: unknown[] = [];
  const limits = limitsOf();
  const exchanges = readContracts().map((contract) => {
    const options = {
      keys: new Keys([{ key: "good", entity: "harbor" }]),
      limits,
      violations: { check: true, report: (violation: unknown) => violations.push(violation) },
      report: (error: unknown) => violations.push(error),
    };
    return new Exchange(contract, createValidator(contract.document), {}, options);
  });
  const app = createApp({ exchanges, limits, planned: new PlannedFaults([]) });
  const baseUrl = "http://local.invalid";
  const fetch = (input: string | URL | Request, init?: RequestInit) => app.fetch(new Request(input, init));
  for (const { contract } of exchanges) {
    const validator = createValidator(contract.document);
    for (const operation of contract.operations) {
      const ask = (apiKey: string) =>
        send({ baseUrl, apiKey, fetch }, path(contract.prefix, operation.path), { method: operation.method });
      const open = operation.security.some((schemes) => schemes.length === 0);
      expect((await ask("wrong")).status).toBe(open ? 501 : 401);
      const answer = await ask("good");
      expect(answer.status).toBe(501);
      const body: unknown = await answer.json();
      expect(JSON.stringify(body)).toContain(`The local server does not serve ${operation.name} yet.`);
      // It has the form of a fault of the service.
      expect(validator.answer(operation, 500, "application/json", body)).toEqual([]);
    }
  }
  const training = createTrainingClient({ baseUrl, apiKey: "good", fetch });
  const error: unknown = await training.models.delete("x").catch((failure: unknown) => failure);
  expect(error).toBeInstanceOf(ApiError);
  expect(error).toMatchObject({ status: 501, attempts: 1, message: expect.stringContaining("models.delete") });
  expect(violations).toEqual([]);
});
