import { expect, it } from "vitest";
import { curlOf } from "./request.ts";

it.each([
  ["apiKey", "$TRAINYARD_API_KEY"],
  ["accessToken", "$TRAINYARD_ACCESS_TOKEN"],
  ["projectKey", "$TRAINYARD_PROJECT_KEY"],
])("names the variable of %s, whatever the scheme, and does not show the key", (scheme, variable) => {
  const sent = { method: "GET", url: "http://demo.test/things", headers: { "X-Key": "a-secret" }, body: undefined };
  const text = curlOf(sent, { [scheme]: "a-secret" });
  expect(text).toContain(variable);
  expect(text).not.toContain("a-secret");
});
