/** The overview of a service: its operations by tag, and its schemas. */
import type { Operation } from "@trainyard/document";
import { dialect, locate } from "@trainyard/document";
import { isObject } from "@trainyard/core/validation";
import { operationAddress, schemaAddress, schemasAddress, serviceAddress } from "./addresses.ts";
import { drawBasis } from "./draw-shape.ts";
import { html, type Html } from "./html.ts";
import type { ReferencePage } from "./page.ts";
import { firstSentence, textAt } from "./node.ts";
import { code, phrase, prose } from "./prose.ts";
import type { Service } from "./services.ts";

/** Operations of one tag. */
export interface TagGroup {
  readonly name: string;
  /** The name that people use: `Training jobs`. */
  readonly title: string;
  readonly description: string;
  readonly operations: readonly Operation[];
}

/** The operations of a service by their first tag, in the order of the document's tags. */
export function tagGroups({ document }: Service): TagGroup[] {
  const names = new Set([
    ...document.tags.map(({ name }) => name),
    ...document.operations.map(({ tags }) => tags[0] ?? ""),
  ]);
  return [...names].flatMap((name) => {
    // An alias is on the page of its operation.
    const operations = document.operations.filter(
      ({ tags, aliasOf }) => aliasOf === undefined && (tags[0] ?? "") === name,
    );
    const words = name.replaceAll("-", " ");
    const title = words === "" ? "Operations" : words.charAt(0).toUpperCase() + words.slice(1);
    const description = document.tags.find((tag) => tag.name === name)?.description ?? "";
    return operations.length === 0 ? [] : [{ name, title, description, operations }];
  });
}

export function overviewPage(service: Service): ReferencePage {
  const { document, name } = service;
  const { title, summary, description, version } = document;
  const file = `/openapi/${name}/${version}/openapi`;
  return {
    kind: "overview",
    address: serviceAddress(service),
    heading: title,
    title: `${title} · reference`,
    description: summary,
    label: "Overview",
    intro: html`<div class="prose">${prose(description)}</div>
      <p class="downloads">Version ${version}${drawBasis(dialect.basis.read(locate(document.root, "#/info").node))}${" "}
      <a href="${file}.yaml" download>OpenAPI 3.1 as YAML</a> <a href="${file}.json" download>as JSON</a></p>${serversOf(service)}${credentialsOf(service)}`,
    samples: [],
    request: false,
    rest: html`${tagGroups(service).map((group) => groupOf(service, group))}${schemasOf(service)}`,
  };
}

function serversOf({ document }: Service): Html {
  const all = locate(document.root, "#").node["servers"];
  const items = (Array.isArray(all) ? all : []).filter(isObject).map(
    (server) => html`<li><code>${textAt(server, "url")}</code> ${phrase(textAt(server, "description"))}
      ${variablesOf(server["variables"])}</li>`,
  );
  return html`<h2 id="servers">Addresses</h2><ul class="servers">${items}</ul>`;
}

function variablesOf(variables: unknown): Html | false {
  const all = Object.entries(isObject(variables) ? variables : {});
  return (
    all.length > 0 &&
    html`<ul>${all.map(
      ([name, of]) =>
        html`<li><code>{${name}}</code> ${isObject(of) && phrase(`${textAt(of, "description")} Default: ${code(textAt(of, "default"))}.`)}</li>`,
    )}</ul>`
  );
}

/** The credentials of the operations, each once. */
function credentialsOf({ document }: Service): Html {
  const all = new Map(
    document.operations.flatMap(({ security }) => security.flat()).map((one) => [one.name, one.node]),
  );
  const items = [...all].map(
    ([name, node]) =>
      html`<li id="security.${name}"><code>${name}</code> ${phrase(textAt(node, "description"))}${drawBasis(dialect.basis.read(node))}</li>`,
  );
  return html`<h2 id="authentication">Authentication</h2><ul class="security">${items}</ul>`;
}

function groupOf(service: Service, { name, title, description, operations }: TagGroup): Html {
  const items = operations.map((operation) => {
    const { summary, key, method, path, clientMethod, basis } = operation;
    const called = clientMethod !== undefined && html` <code class="method">${clientMethod}</code>`;
    return html`<li><a href="${operationAddress(service, operation)}">${summary}</a>${" "}
      <span><span class="verb ${key}">${method}</span> <code>${path}</code></span>${called}${drawBasis(basis)}</li>`;
  });
  return html`<section class="row"><div class="said"><h2 id="${name}">${title}</h2>
    ${description !== "" && html`<div class="prose">${prose(description)}</div>`}<ul class="entries">${items}</ul></div></section>`;
}

function schemasOf(service: Service): Html {
  const items = [...service.document.schemas.keys()].map(
    (name) => html`<li><a href="${schemaAddress(service, name)}">${name}</a></li>`,
  );
  return html`<section class="row"><div class="said"><h2 id="schemas">Schemas</h2><ul class="schemas">${items}</ul></div></section>`;
}

/** The page that lists the schemas of a service, each with its first sentence. */
export function schemasPage(service: Service): ReferencePage {
  const { title, schemas } = service.document;
  const items = [...schemas].map(
    ([name, { node }]) =>
      html`<li><a href="${schemaAddress(service, name)}">${name}</a> ${phrase(firstSentence(textAt(node, "description")))}</li>`,
  );
  return {
    kind: "overview",
    address: schemasAddress(service),
    heading: "Schemas",
    title: `Schemas · ${title}`,
    description: `All ${schemas.size} named schemas of the ${title.toLowerCase()}.`,
    label: "Schemas",
    intro: html`<p>The ${schemas.size} named schemas of the <a href="${serviceAddress(service)}">${title}</a>.</p>`,
    samples: [],
    request: false,
    rest: html`<section class="row"><div class="said"><ul class="entries">${items}</ul></div></section>`,
  };
}
