import { describe, expect, it } from "vitest";
import { demo, events, rejection, streamed } from "../test/answering.ts";
import { ContractError, type SchemaIssue } from "./errors/index.ts";

const schema = (part: string, ...issues: SchemaIssue[]) => ({
  checks: ["models.list request", `models.create ${part}`],
  "~standard": { version: 1, vendor: "test", validate: () => ({ issues }) },
});
const create = { name: "n", base_model: "b" };
const reward = { message: "must be a number", path: ["groups", 0, { key: "reward" }] };

describe("validate", () => {
  it("reports the path of an issue before anything is sent", async () => {
    const { client, sent } = demo([200], { validators: { isCreateModelRequest: schema("request", reward, reward) } });
    const error = await rejection(client.models.create(create));
    expect(error).toBeInstanceOf(ContractError);
    expect(error).toMatchObject({
      message: "models.create: body.groups.0.reward: must be a number (and 1 more)",
      issues: [reward, reward],
      attempts: 0,
    });
    expect(sent).toHaveLength(0);
  });

  it.each([
    ["requests", "body"],
    ["responses", "answer"],
    ["both", "body"],
  ] as const)("checks %s", async (validate, part) => {
    const validators = { isCreateModelRequest: schema("request", reward), isModel: schema("response", reward) };
    const { client } = demo([200], { validators, validate });
    expect(await rejection(client.models.create(create))).toMatchObject({
      message: expect.stringContaining(`: ${part}.`),
    });
  });

  describe.each([
    ["responses", true],
    ["both", true],
    ["requests", false],
  ] as const)("of %s", (validate, isChecked) => {
    it(`${isChecked ? "checks" : "passes"} each chunk of a stream before it is given`, async () => {
      const good = { choices: [] };
      const bad = { choices: "none" };
      const isChunk = {
        checks: ["chat.completions.create chunk"],
        "~standard": {
          validate: (chunk: unknown) => (chunk && Object(chunk).choices === "none" ? { issues: [reward] } : {}),
        },
      };
      const fetch = async () => streamed(events(good, bad));
      const { client } = demo([200], { validators: { isChunk }, validate, fetch });
      const stream = await client.chat.completions.create({ model: "m", messages: [], stream: true });
      const given: unknown[] = [];
      const reading = (async () => {
        for await (const chunk of stream) given.push(chunk);
      })();
      if (!isChecked) {
        await reading.catch(() => undefined);
        expect(given).toEqual([good, bad]);
        return;
      }
      const error = await rejection(reading);
      expect(error).toBeInstanceOf(ContractError);
      expect(error).toMatchObject({
        message: "chat.completions.create: chunk.groups.0.reward: must be a number",
      });
      expect(given).toEqual([good]);
    });
  });

  it("accepts valid values, values without a validator, and exports that are not validators", async () => {
    const unused = { "~standard": schema("request", reward)["~standard"] };
    const { client } = demo([200], {
      validators: { isCreateModelRequest: schema("request"), isModel: () => true, other: 1, unused },
    });
    expect(await client.models.create(create)).toMatchObject({ id: "m1" });
    expect(await client.models.get("m1")).toMatchObject({ id: "m1" });
  });

  it("loads validators with the first value that they check, once, and again where that failed", async () => {
    const loads = [
      () => Promise.reject(new Error("no network")),
      () => Promise.resolve({ isModel: schema("response", reward) }),
    ];
    let loaded = 0;
    const validators = () => loads[loaded++]?.() ?? Promise.reject(new Error("It was loaded again."));
    const { client } = demo([200], { validators, validate: "responses" });
    expect(loaded).toBe(0);
    await expect(client.models.get("m1")).rejects.toThrow("no network");
    expect(loaded).toBe(1);
    for (let call = 0; call < 2; call++)
      expect(await rejection(client.models.create(create))).toMatchObject({ issues: [reward] });
    expect(loaded).toBe(2);
  });

  it("looks at each validator once, however many values it checks", async () => {
    let reads = 0;
    const counted = Object.defineProperty(schema("response"), "checks", {
      get: () => (reads++, ["models.get response"]),
    });
    const { client } = demo([200], { validators: { counted } });
    for (let call = 0; call < 3; call++) await client.models.get("m1");
    expect(reads).toBe(1);
  });

  it("waits for an asynchronous validator", async () => {
    const slow = {
      checks: ["models.create response"],
      "~standard": { validate: async () => ({ issues: [{ message: "no" }] }) },
    };
    const { client, http } = demo([200], { validators: { isModel: slow } });
    expect(await rejection(client.models.create(create))).toBeInstanceOf(ContractError);
    expect(await rejection(http.POST("/v1/models", { body: create }))).toBeInstanceOf(ContractError);
  });
});
