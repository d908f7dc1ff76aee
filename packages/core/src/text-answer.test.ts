import { expect, it } from "vitest";
import { answering, rejection } from "../test/answering.ts";
import { createEngine } from "./engine.ts";
import { NotFoundError } from "./errors/index.ts";

const operations = {
  "notes.export": { method: "GET", path: "/notes.csv", accept: "text/csv, application/json" },
} as const;
const service = { name: "demo", contractVersion: "1.0.0", timeout: 60, operations };

it("returns a text answer unchanged, and throws an error response", async () => {
  const { fetch, sent } = answering(
    new Response("a,b\r\n1,2\r\n"),
    Response.json({ detail: "Gone." }, { status: 404 }),
  );
  const { call } = createEngine(service, {
    baseUrl: "http://demo",
    fetch,
    maxRetries: 0,
  });
  expect(await call("notes.export", undefined)).toBe("a,b\r\n1,2\r\n");
  expect(sent[0]?.headers["accept"]).toBe("text/csv, application/json");
  expect(await rejection(call("notes.export", undefined))).toBeInstanceOf(NotFoundError);
});
