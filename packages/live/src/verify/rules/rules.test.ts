import { dialect, readDocument } from "@trainyard/document";
import { packages } from "@trainyard/testing/services";
import { expect, it } from "vitest";
import { permitsMore } from "../judge-answer.ts";
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

it.each([rejectsUnknownIds, listsModels, permitsMore])("a document has a sentence that matches %s", (pattern) => {
  const operations = documents.flatMap((document) => document.operations);
  const described = operations.flatMap((operation) => [operation, ...operation.parameters]);
  const schemas = documents.flatMap((document) => [...document.schemas.values()]);
  const rules = schemas.flatMap(({ node }) => dialect.rules.read(node).map(({ text }) => text));
  // A check whose pattern matches nothing would silently never apply.
  expect(
    [...described.map(({ description }) => description), ...rules].filter((text) => pattern.test(text)),
  ).not.toEqual([]);
});
