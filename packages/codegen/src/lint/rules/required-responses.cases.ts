import type { JsonObject } from "@trainyard/core/validation";
import { documentOf, operation, type Cases, type Failure } from "../cases.ts";

const responses = (...codes: string[]): JsonObject =>
  Object.fromEntries(codes.map((code) => [code, { description: "An answer." }]));
const key = { name: "Idempotency-Key", in: "header", schema: { type: "string" } };
const secured = [{ apiKey: [] }];

function missing(code: string, why: string, node: JsonObject, path = "/things"): Failure {
  const place = path.replaceAll("/", "~1");
  return {
    document: documentOf({ [`POST ${path}`]: node }),
    says: `POST ${path} declares no ${code}: ${why}. Add that response.`,
    at: `#/paths/${place}/post/responses`,
  };
}

export const cases: Cases = {
  pass: {
    "all possible responses": {
      document: documentOf({
        "POST /things/{id}": {
          security: secured,
          parameters: [key],
          requestBody: { content: {} },
          responses: responses("200", "401", "404", "409", "413", "422", "429", "500", "503"),
        },
      }),
    },
    "a service that returns 400 and not 422": {
      document: documentOf({
        "POST /things": { requestBody: { content: {} }, responses: responses("200", "400", "413", "500", "503") },
      }),
    },
    "an optional credential": {
      document: documentOf({
        "GET /health": { security: [...secured, {}], responses: responses("200", "500", "503") },
      }),
    },
  },
  fail: {
    "no success": missing("200", "success is always 200", { responses: responses("500", "503") }),
    "no failure": missing("500", "any operation can fail", { responses: responses("200", "503") }),
    "no overload": missing("503", "any service can be overloaded", { responses: responses("200", "500") }),
    "no 401 if a credential is required": missing("401", "its credential can be missing or invalid", {
      security: secured,
      responses: responses("200", "429", "500", "503"),
    }),
    "no 429 if a credential is required": missing("429", "a caller can send too many requests", {
      security: secured,
      responses: responses("200", "401", "500", "503"),
    }),
    "no 404 if the path names something": missing(
      "404",
      "its path names something that may not exist",
      { responses: responses("200", "500", "503") },
      "/things/{id}",
    ),
    "no 409 if a key is declared": missing("409", "the same key can be sent with another body", {
      parameters: [key],
      responses: responses("200", "500", "503"),
    }),
    "no 413 if there is a body": missing("413", "its body can be too large", {
      requestBody: { content: {} },
      responses: responses("200", "422", "500", "503"),
    }),
    "no 422 if there is a query": missing("422 or 400", "its input can be invalid", {
      parameters: [{ name: "limit", in: "query", schema: { type: "integer" } }],
      responses: responses("200", "500", "503"),
    }),
    "another success": {
      document: documentOf({ "POST /things": { responses: responses("200", "201", "500", "503") } }),
      says: "Success is always 200. Declare the response of 201 as 200.",
      at: `${operation}/responses/201`,
    },
    "the credential of the document": {
      document: documentOf(
        { "POST /things": { responses: responses("200", "429", "500", "503") } },
        { security: secured },
      ),
      says: "POST /things declares no 401: its credential can be missing or invalid. Add that response.",
      at: `${operation}/responses`,
    },
  },
};
