import { readDocument } from "@trainyard/document";
import { packages } from "@trainyard/testing/services";
import { expect, it } from "vitest";
import { sourceOf } from "../sentences.ts";
import { sentences } from "./all.ts";

const documents = packages.map(({ document }) => readDocument(document));

it.each(sentences)("$schema $property: a document has the sentence “$text”", (sentence) => {
  const locations = documents.flatMap(({ schemas }) => {
    const schema = schemas.get(sentence.schema);
    return schema === undefined ? [] : (sourceOf(schema, sentence) ?? []);
  });
  // A rule whose sentence no document has would silently check nothing.
  expect(locations.map(({ says }) => says)).not.toEqual([]);
  for (const { says } of locations) expect(says).toContain(sentence.text);
});
