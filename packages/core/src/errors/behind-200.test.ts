import { describe, expect, it } from "vitest";
import { demo, rejection } from "../../test/answering.ts";
import { ask } from "../../test/chat-stream.ts";
import { engineOf } from "../../test/engine-of.ts";
import type { Operation } from "../operation.ts";
import type { ClientOptions } from "../options.ts";
import { malformed } from "./malformed.ts";

const id = { "x-request-id": "r-1" };

/** The same answer of each kind of call, by method and by path. */
const callsOf = (body: string, headers: Record<string, string> = id) => {
  const { client, http } = demo([
    () => new Response(body, { headers: { "content-type": "application/json", ...headers } }),
  ]);
  const question = { model: "m", messages: [] };
  return {
    "models.get": () => client.models.get("m1"),
    "models.get by path": () => http.GET("/v1/models/{model_id}", { params: { path: { model_id: "m1" } } }),
    "models.checkpoints.list": () => client.models.checkpoints.list("m1"),
    "chat.completions.create": () => client.chat.completions.create(question),
    "chat.completions.create by path": () => http.POST("/v1/chat/completions", { body: question }),
    "chat.completions.create, a stream": () => client.chat.completions.create(ask),
    "chat.completions.create, a stream by path": () =>
      http.POST("/v1/chat/completions", { body: ask, parseAs: "stream" }),
  };
};
const kinds = Object.keys(callsOf("")) as (keyof ReturnType<typeof callsOf>)[];

describe.each(kinds)("a 200 to %s", (kind) => {
  const [operation = ""] = kind.split(/[ ,]/);
  const isStream = kind.includes("stream");

  it.each([
    ["an object", { error: { message: "over quota", code: "quota" } }, "over quota", "quota"],
    ["a text", { error: "over quota" }, "over quota", undefined],
    ["beside other properties", { id: "gen-1", error: { message: "over quota" } }, "over quota", undefined],
  ])("with an error is an ApiError: %s", async (title, body, words, code) => {
    // With its one required property, an answer is complete.
    if (title.startsWith("beside") && operation === "models.get") return;
    expect(await rejection(callsOf(JSON.stringify(body))[kind]())).toMatchObject({
      name: "ApiError",
      message: `${operation}: answered 200: ${words}`,
      code,
      status: 200,
      requestId: "r-1",
      operation,
      attempts: 1,
      body,
    });
  });

  it.each(["null", "5", '"text"', "[]", "[1]", "{}", "true"])("with %s is a DecodeError", async (body) => {
    expect(await rejection(callsOf(body)[kind]())).toMatchObject({
      name: "DecodeError",
      message: expect.stringMatching(
        `answered 200 with application/json, ${body.length} bytes, where ${isStream ? "a stream of events" : "other JSON"} was expected`,
      ),
      status: 200,
      requestId: "r-1",
    });
  });

  it.skipIf(isStream || kind.includes("list"))("that lacks some properties passes", async () => {
    for (const body of [{ id: "c1", error: null }, { more: 1 }])
      expect(await callsOf(JSON.stringify(body))[kind]()).toMatchObject(kind.includes("path") ? { data: body } : body);
  });

  it.skipIf(isStream)("that is malformed says where, in bytes, without the text", async () => {
    const error = await rejection(callsOf('{"id": "é", my words}')[kind]());
    expect(error).toMatchObject({
      name: "DecodeError",
      message: `${operation}: answered 200 with application/json, 22 bytes, malformed at position 13 of 22 bytes, where JSON was expected`,
    });
  });
});

it("passes a complete answer that has an error of its own, and any answer of which nothing is required", async () => {
  for (const [needs, body] of [
    [["id"], { id: "j1", error: { message: "out of memory" } }],
    [undefined, { error: "x" }],
    [undefined, null],
    [[], []],
  ] as const) {
    const operation = { method: "GET", path: "/", ...(needs && { needs }) } as const;
    const service = { name: "demo", contractVersion: "1", timeout: 60, operations: { get: operation } };
    const fetch = () => Promise.resolve(Response.json(body));
    expect(await engineOf(service, { baseUrl: "http://demo.test", fetch }).call("get", {})).toEqual(body);
  }
});

const deletion = { method: "DELETE", path: "/", expects: ["id"] } as const;
const call = (operation: Omit<Operation, "name">, body: string | null, options: ClientOptions = {}) =>
  engineOf(
    { name: "demo", contractVersion: "1", timeout: 60, operations: { get: operation } },
    { baseUrl: "http://demo.test", fetch: async () => new Response(body), ...options },
  ).call("get", {});

it("passes any JSON where the interface does not say what an answer has, and tells an error by what is usual", async () => {
  for (const operation of [deletion, { ...deletion, method: "POST" as const }]) {
    for (const body of ["{}", "null", "[]", '{"ok":true}'])
      expect(await call(operation, body)).toEqual(JSON.parse(body));
    for (const body of ['{"error":{"message":"in use"}}', '{"error":"in use"}'])
      expect(await rejection(call(operation, body))).toMatchObject({
        name: "ApiError",
        message: "get: answered 200: in use",
      });
    expect(await rejection(call(operation, "<html>"))).toMatchObject({ name: "DecodeError" });
  }
  expect(await call({ ...deletion, expects: ["id"], needs: ["id"] }, '{"id":1,"error":"x"}')).toMatchObject({ id: 1 });
  expect(await rejection(call({ ...deletion, needs: ["id"] }, "{}"))).toMatchObject({ name: "DecodeError" });
});

it("returns undefined for a DELETE that succeeded without a body, also with validators, and refuses it elsewhere", async () => {
  const validate = () => ({ issues: [{ message: "It is missing." }] });
  const validators = { one: { checks: ["get response"], "~standard": { validate } } };
  for (const needs of [undefined, ["id"], []])
    for (const body of ["", null])
      expect(await call({ ...deletion, ...(needs && { needs }) }, body, { validators })).toBeUndefined();
  const { http } = demo([() => new Response("")], { accessToken: "t" });
  const { data, error } = await http.DELETE("/v1/models/{model_id}", { params: { path: { model_id: "m1" } } });
  expect([data, error]).toEqual([undefined, undefined]);
  expect(await rejection(call({ ...deletion, method: "GET" }, ""))).toMatchObject({ name: "DecodeError" });
});

it("refuses what is no list where one is declared", async () => {
  const service = {
    name: "demo",
    contractVersion: "1",
    timeout: 60,
    operations: { get: { method: "GET", path: "/", needs: [] } },
  } as const;
  for (const [body, name] of [
    [{ error: "x" }, "ApiError"],
    [{ data: [] }, "DecodeError"],
    [null, "DecodeError"],
  ] as const) {
    const fetch = () => Promise.resolve(Response.json(body));
    expect(await rejection(engineOf(service, { baseUrl: "http://demo.test", fetch }).call("get", {}))).toMatchObject({
      name,
    });
  }
});

it.each([
  ['{"id": x}', 7],
  ['{"a":1,}', 7],
  ["[1 2]", 3],
  ['{"a" 1}', 5],
  ["{1:2}", 1],
  ["{[", 1],
  ['{"a":[1,2,{"b":"c', 17],
  ["{}x", 2],
  ["[1]]", 3],
  ['{"a":"b\u0001"}', 7],
  ['{"a":"\\x"}', 6],
  ["[1,NaN]", 3],
  ['{"a":1', 6],
  ["[01]", 2],
  [" [ 1 , 2 , ] ", 11],
  ["[".repeat(1e6), undefined],
])("finds where %s stops being JSON", (text, position) => {
  expect(() => JSON.parse(text)).toThrow(SyntaxError);
  expect(malformed(text.slice(0, 99))).toContain(`, malformed at position ${position ?? 99} of `);
  if (position === undefined) expect(malformed(text)).toMatch(/position \d+ of/);
});
