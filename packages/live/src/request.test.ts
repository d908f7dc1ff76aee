import { readDocument } from "@trainyard/document";
import { expect, it } from "vitest";
import { curlOf } from "./request.ts";

const secret = "me:se/cret";
const carriers = { query: "api_key", header: "X-Api-Key", cookie: "sid" };
const document = readDocument({
  openapi: "3.1.0",
  paths: { "/things": { get: { security: Object.keys(carriers).map((place) => ({ [place]: [] })) } } },
  components: {
    securitySchemes: Object.fromEntries(
      Object.entries(carriers).map(([place, name]) => [place, { type: "apiKey", in: place, name }]),
    ),
  },
});

it.each([
  [{ "X-Key": secret }, "X-Key: $PETS_KEY"],
  [{ authorization: `Bearer ${secret}` }, "authorization: Bearer $PETS_KEY"],
  [{ authorization: `Basic ${btoa(secret)}` }, "authorization: Basic [key]"],
  [{ authorization: `Basic ${btoa(`api:${secret}`)}` }, "authorization: Basic [key]"],
  [{ cookie: `sid=${encodeURIComponent(secret)}` }, "cookie: sid=[key]"],
])("shows the variable or a placeholder, and not the key, in %o", (headers, shown) => {
  const url = `http://demo.test/things?key=${encodeURIComponent(secret)}`;
  const text = curlOf(
    { method: "GET", url, headers },
    { credentials: { key: secret }, variables: { key: "PETS_KEY" }, document },
  );
  expect(text).toContain(shown);
  for (const form of [secret, encodeURIComponent(secret), btoa(secret), btoa(`api:${secret}`)])
    expect(text).not.toContain(form);
});

it.each([
  ["", { Authorization: "Bearer k!" }, "Authorization: Bearer [key]"],
  ["", { authorization: "Token k!" }, "authorization: [key]"],
  ["", { "proxy-authorization": "Basic k!" }, "proxy-authorization: Basic [key]"],
  ["", { "x-api-key": "k!" }, "x-api-key: [key]"],
  ["", { cookie: "theme=dark; sid=k!" }, "cookie: theme=dark; sid=[key]"],
  ["?limit=2&api_key=k%21", {}, "?limit=2&api_key=[key]"],
  ["?limit=2&api_key=k!", {}, "?limit=2&api_key=[key]"],
])("shows a placeholder for a key that was typed, in %j %o", (query, headers, shown) => {
  const url = `http://demo.test/things${query}`;
  const text = curlOf({ method: "GET", url, headers }, { credentials: { query: "ключ" }, document });
  expect(text).toContain(shown);
  expect(text).not.toMatch(/k(!|%21)/);
});
