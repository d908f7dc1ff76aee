/** The page of a named schema. */
import { isObject } from "@trainyard/core/validation";
import {
  subschemas,
  typeName,
  locateIn,
  type Document,
  type Media,
  type Operation,
  type Located,
} from "@trainyard/document";
import { operationAddress, schemaAddress } from "./addresses.ts";
import { drawExample } from "./draw-body.ts";
import { drawBasis, drawInside, drawLabel, drawWords } from "./draw-shape.ts";
import { html, type Html } from "./html.ts";
import { labelOf, labelText } from "./label.ts";
import { firstSentence, textAt } from "./node.ts";
import type { ReferencePage } from "./page.ts";
import type { Service } from "./services.ts";
import { examplesIn } from "./schema-examples.ts";
import { Shapes } from "./shape.ts";

export function schemaPage(service: Service, name: string, { node, pointer }: Located): ReferencePage {
  const { document } = service;
  const shape = new Shapes(document.root).at(pointer, name);
  const label = labelOf(document.root, pointer);
  const example = examplesIn(document).get(name);
  const title = textAt(node, "title");
  return {
    kind: "schema",
    address: schemaAddress(service, name),
    heading: name,
    title: `${name} · ${document.title}`,
    description: firstSentence(shape.description) || `${name}: ${labelText(label)}`,
    label: name,
    intro: html`<p>Schema of the <a href="/reference/${service.name}/">${document.title}</a>: ${drawLabel(service, label)}${drawBasis(shape.componentBasis)}</p>${title !== "" && html`<p class="known">Also called: ${title}</p>`}${drawWords(shape)}`,
    samples: [],
    request: false,
    rest: html`<section class="row${example !== undefined && " beside"}"><div class="said" id="${name}">${drawInside(service, shape)}</div>
      ${example !== undefined && html`<div class="shown">${drawExample(example)}</div>`}</section>
      <section class="row"><div class="said">${usesOf(service, name)}</div></section>`,
  };
}

function usesOf(service: Service, name: string): Html | false {
  const { callers, holders } = usesIn(service.document).get(name) ?? { callers: [], holders: [] };
  if (callers.length + holders.length === 0) return false;
  const items = callers.map(
    (operation) =>
      html`<li><a href="${operationAddress(service, operation)}">${operation.summary}</a> <code>${operation.method} ${operation.path}</code></li>`,
  );
  return html`<h2 id="used-by">Used by</h2><ul class="uses">${items}
    ${holders.map((other) => html`<li><a href="${schemaAddress(service, other)}">${other}</a></li>`)}</ul>`;
}

interface Uses {
  readonly callers: Operation[];
  readonly holders: string[];
}

const usesByDocument = new WeakMap<Document, ReadonlyMap<string, Uses>>();

/** The operations and schemas that refer to a schema, by its name. */
function usesIn(document: Document): ReadonlyMap<string, Uses> {
  const cached = usesByDocument.get(document);
  if (cached !== undefined) return cached;
  const uses = new Map(
    [...document.schemas.keys()].map((name): [string, Uses] => [name, { callers: [], holders: [] }]),
  );
  for (const operation of document.operations.filter(({ aliasOf }) => aliasOf === undefined)) {
    for (const name of mentioned(document, operation)) uses.get(name)?.callers.push(operation);
  }
  for (const [holder, place] of document.schemas) {
    for (const name of references(document, place)) if (name !== holder) uses.get(name)?.holders.push(holder);
  }
  usesByDocument.set(document, uses);
  return uses;
}

/** The schemas that an operation refers to directly: its bodies, and the items of its streams. */
function mentioned(document: Document, operation: Operation): Set<string> {
  const media: Media[] = [
    operation.body?.content,
    ...[...operation.responses.values()].map(({ content }) => content),
  ].flatMap((content) => [...(content?.values() ?? [])]);
  const found = media.flatMap(({ schema, item }) => [typeName(schema), typeName(item)]);
  const inline = media.flatMap(({ schema }) =>
    schema !== undefined && typeName(schema) === undefined ? [...references(document, schema)] : [],
  );
  return new Set([...found, ...inline].filter((name) => name !== undefined));
}

/** The named schemas inside a schema at any depth, but not those inside another named schema. */
function references(document: Document, place: Located): Set<string> {
  const found = new Set<string>();
  const visit = (at: Located): void => {
    for (const { keys, schema } of subschemas(at.node)) {
      const inner = locateIn(document.root, at, ...keys);
      const name = typeName(inner);
      if (name !== undefined) found.add(name);
      else if (isObject(schema)) visit(inner);
    }
  };
  visit(place);
  return found;
}
