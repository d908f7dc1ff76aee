import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { samples as folder } from "../places.ts";
import { decorate, decorateText } from "./decorate.ts";
import { documents, operationObjects, type Document } from "./document.ts";
import { isObject, objectAt, objectsIn, stringAt } from "./json.ts";
import { sampleName } from "./samples.ts";

const all = documents();
const inference = all.find(({ service }) => service === "inference");

it("names a sample as the operation's file is named", () => {
  expect(sampleName("trainingJobs.events.list")).toBe("training-jobs-events-list");
});

it.each(all)("$service: every operation gets its samples, TypeScript first", (document: Document) => {
  for (const { operation } of operationObjects(decorate(document))) {
    const samples = operation["x-codeSamples"];
    const labels = Array.isArray(samples) ? samples.map((sample) => (isObject(sample) ? sample["label"] : "")) : [];
    // A new service may have none yet.
    expect(labels).toEqual(existsSync(join(folder, document.service)) ? ["TypeScript", "curl", "Python"] : []);
  }
});

it.each(all)(
  "$service: every mark of a basis is shown, and the document itself is left as it was",
  (document: Document) => {
    const before = JSON.stringify(document.read());
    const hidden = [...objectsIn(decorate(document))]
      .filter(([object]) => {
        const basis = stringAt(object, "x-basis") ?? "";
        const shown = JSON.stringify(object["x-badges"] ?? "") + (stringAt(object, "description") ?? "");
        return !shown.includes(basis);
      })
      .map(([, path]) => path.join("/"));
    expect(hidden).toEqual([]);
    expect(JSON.stringify(document.read())).toBe(before);
  },
);

it("a stream shows its items", () => {
  expect(inference).toBeDefined();
  if (inference === undefined) return;
  const decorated = [...objectsIn(decorate(inference))].find(([object]) => "text/event-stream" in object)?.[0] ?? {};
  const schema = objectAt(objectAt(decorated, "text/event-stream"), "schema");
  expect(schema["allOf"]).toEqual([{ $ref: "#/components/schemas/ChatCompletionChunk" }]);
});

it("as Markdown, the samples are part of the text", () => {
  if (inference === undefined) return;
  for (const { operation } of operationObjects(decorateText(inference))) {
    expect(stringAt(operation, "description")).toMatch(/```typescript\n[^]+```sh\n[^]+```python\n/);
  }
});
