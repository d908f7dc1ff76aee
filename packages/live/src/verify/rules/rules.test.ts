import { readDocument } from "@trainyard/document";
import { packages } from "@trainyard/testing/services";
import { expect, it } from "vitest";
import { listsModels } from "../probes/listed.ts";
import { rejectsUnknownIds } from "../probes/pages.ts";
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

it.each([rejectsUnknownIds, listsModels])("a document has a description that matches %s", (pattern) => {
  const operations = documents.flatMap((document) => document.operations);
  const described = operations.flatMap((operation) => [operation, ...operation.parameters]);
  // A probe whose pattern matches no description would silently send nothing.
  expect(described.filter(({ description }) => pattern.test(description))).not.toEqual([]);
});
