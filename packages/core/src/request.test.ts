import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { demo, rejection } from "../test/answering.ts";
import { bodyAs, bytesBody, formBody, jsonBody, multipartBody } from "./bodies.ts";
import { ConfigurationError } from "./errors/index.ts";
import type { CallOptions } from "./options.ts";
import { bodyOf } from "./request.ts";

const create = { name: "n", base_model: "b" };

describe("a number that JSON cannot write", () => {
  const group = (trajectory: object): object => ({
    split: "val",
    trajectory_groups: [{ trajectories: [{ reward: null }, trajectory] }],
  });
  it.each<[string, object]>([
    ["body.trajectory_groups.0.trajectories.1.reward is NaN", group({ reward: NaN })],
    ["body.trajectory_groups.0.trajectories.1.metrics.loss is Infinity", group({ metrics: { loss: Infinity } })],
    ["body..1 is -Infinity", { "": [0, -Infinity] }],
  ])("is refused with its path, and nothing is sent: %s", async (message, extraBody) => {
    const { client, http, sent } = demo([200]);
    expect(await rejection(client.models.create(create, { extraBody: { ...extraBody } }))).toMatchObject({
      name: "ConfigurationError",
      message: `models.create: the body cannot be written as JSON: ${message}.`,
      operation: "models.create",
      attempts: 0,
    });
    const body = { ...create, ...extraBody };
    expect(await rejection(http.POST("/v1/models", { body }))).toMatchObject({
      name: "ConfigurationError",
      message: `${message}.`,
    });
    expect(sent).toEqual([]);
  });

  it("is found wherever it is, and nothing else is refused or changed", async () => {
    const path = fc.array(fc.oneof(fc.string(), fc.nat(3)), { minLength: 1, maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(
        fc.dictionary(fc.string(), fc.jsonValue()),
        path,
        fc.constantFrom(NaN, Infinity, -Infinity),
        async (values, path, number) => {
          const facts = { operation: "demo" };
          expect(await bodyOf(values, undefined, {}, facts)).toMatchObject({ body: JSON.stringify(values) });
          const nested = path.reduceRight<unknown>((inner, step) => {
            return typeof step === "number"
              ? Object.assign(Array(step).fill(null), { [step]: inner })
              : { [step]: inner };
          }, number);
          const error = await rejection(bodyOf([values, nested], undefined, {}, facts));
          expect(error).toBeInstanceOf(ConfigurationError);
          const steps = ["body", 1, ...path].join(".").replace(/[\p{Cc}\u2028\u2029]+/gu, " ");
          expect(error).toMatchObject({ message: `demo: the body cannot be written as JSON: ${steps} is ${number}.` });
        },
      ),
      { numRuns: 300 },
    );
  });

  it("is refused in a form too, and bytes are not searched", async () => {
    const write = bodyAs({ a: [formBody], b: [multipartBody], json: [jsonBody], c: [bytesBody] });
    const written = (body: unknown, contentType: string) => {
      const options: CallOptions & { contentType: string } = { contentType };
      return bodyOf(body, write, options, {});
    };
    for (const type of ["a", "b", "json"])
      expect(await rejection(written({ n: 1, list: [NaN] }, type))).toMatchObject({ message: "body.list.0 is NaN." });
    expect((await written(new Float64Array([NaN]), "c")).raw).toMatchObject({ size: 8 });
  });

  it("is not looked for in a circle, which has no end", async () => {
    const circle: { name: string; base_model: string; self?: unknown } = { ...create };
    circle.self = circle;
    const { http } = demo([200]);
    const message = expect.stringContaining("circular");
    expect(await rejection(http.POST("/v1/models", { body: circle }))).toMatchObject({ message });
    expect(await rejection(bodyOf(circle, bodyAs({ json: [jsonBody] }), {}, {}))).toMatchObject({
      message,
    });
  });

  it("is not looked for in what writes its own JSON", async () => {
    const decimal = { parts: [NaN], toJSON: () => "NaN" };
    const { body } = await bodyOf({ at: new Date(NaN), decimal, none: null }, undefined, {}, {});
    expect(body).toBe('{"at":null,"decimal":"NaN","none":null}');
  });
});
