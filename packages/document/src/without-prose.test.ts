import { createRequire } from "node:module";
import { expect, it } from "vitest";
import { jsonOf } from "./media.ts";
import { readDocument } from "./read-document.ts";
import { withoutProse } from "./without-prose.ts";

const bundle: object = createRequire(import.meta.url)("@trainyard/training/openapi.json");

it("keeps operations, their schemas, and the examples of errors", () => {
  const [whole, short] = [readDocument(bundle), readDocument(withoutProse(bundle))];
  const facts = ({ operations }: typeof whole) =>
    operations.map(({ name, method, path, parameters, body, resend, security, responses }) => ({
      name,
      method,
      path,
      resend,
      security: security.length,
      parameters: parameters.map((one) => [one.in, one.name, one.required]),
      body: body && jsonOf(body.content)?.schema?.pointer,
      errors: [...responses].flatMap(([status, { content }]) =>
        Number(status) < 400 ? [] : [[status, [...(jsonOf(content)?.examples ?? [])]]],
      ),
    }));
  expect(facts(short)).toEqual(facts(whole));
});

it("removes prose, but no property that is named like it", () => {
  const text = JSON.stringify(withoutProse(bundle));
  expect(text.length).toBeLessThan(JSON.stringify(bundle).length / 2);
  expect(text).not.toMatch(/"x-basis"|"x-rules"/);
  const named = {
    components: {
      schemas: { A: { type: "object", properties: { description: { type: "string", description: "a" } } } },
    },
  };
  expect(withoutProse(named)).toEqual({
    components: { schemas: { A: { type: "object", properties: { description: { type: "string" } } } } },
  });
});
