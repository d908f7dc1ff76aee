/** The page of an operation. */
import {
  dialect,
  extensions,
  furtherRules,
  ownDescription,
  type DocumentResponse,
  type Operation,
  type Parameter,
} from "@trainyard/document";
import { operationAddress, schemaAddress } from "./addresses.ts";
import { bodiesOf, drawBodies, drawExamples, drawHeaders, drawNamed, drawTabs, type Body } from "./draw-body.ts";
import { drawBasis, drawDeprecation, drawLeaving, drawRules } from "./draw-shape.ts";
import { failureOf } from "./failures.ts";
import { html, type Html } from "./html.ts";
import { deprecationOf } from "./keywords.ts";
import { firstSentence, textAt } from "./node.ts";
import { phrase, prose } from "./prose.ts";
import type { ReferencePage } from "./page.ts";
import { samplesOf } from "./samples.ts";
import type { Service } from "./services.ts";
import { Shapes } from "./shape.ts";

export function operationPage(service: Service, operation: Operation): ReferencePage {
  const { document } = service;
  const shapes = new Shapes(document.root);
  const { summary, node, name, method, path, basis, body, clientMethod, id } = operation;
  const description = ownDescription(node);
  const intro = html`<p class="request"><span class="verb ${method.toLowerCase()}">${method}</span>${" "}
    <code>${pathOf(path)}</code> ${drawBasis(basis)}${drawDeprecation(deprecationOf(node))}</p>
    <div class="prose">${prose(description)}</div>
    <ul class="keys">${keyTexts(operation).map((line) => html`<li>${phrase(line)}</li>`)}</ul>${drawRules(furtherRules(node))}
    ${parameterGroups(service, shapes, operation.parameters)}${authentication(operation)}`;
  const request = body === undefined ? [] : bodiesOf(document, shapes, body.content, "body");
  const requestRow =
    body !== undefined &&
    row(
      html`<h2 id="body">Request body</h2>${body.description !== "" && html`<div class="prose">${prose(body.description)}</div>`}
        ${!body.required && html`<p>The body is optional.</p>`}${drawLeaving(body.node)}${drawBodies(service, request)}`,
      drawExamples(
        request.flatMap(({ examples }) => examples).length > 1 ? "Example requests" : "Example request",
        "body",
        request,
      ),
    );
  const all = [...operation.responses.values()];
  const isError = ({ status }: DocumentResponse): boolean => /^[45]|default/.test(status);
  const answers = all.filter((response) => !isError(response)).map((response) => answerRow(service, shapes, response));
  return {
    kind: "operation",
    address: operationAddress(service, operation),
    heading: summary,
    title: `${clientMethod ?? id} · ${document.title}`,
    description: firstSentence(description) || summary,
    label: clientMethod ?? summary,
    intro,
    samples: samplesOf(service.name, name),
    rest: html`${requestRow}${answers}${errorRow(service, all.filter(isError))}`,
  };
}

/** The contract's own keys of an operation, in sentences. */
function keyTexts(operation: Operation): string[] {
  return [...extensions.values()].flatMap((extension) => {
    if (!extension.on.includes("Operation") || extension === dialect.basis || extension === dialect.rules) return [];
    return extension.describe(extension.read(operation.node)) ?? [];
  });
}

/** Text beside its illustration; on a narrow screen, one below the other. */
function row(text: Html, shown: Html | false): Html {
  return html`<section class="row${shown !== false && " beside"}"><div class="said">${text}</div>${shown !== false && html`<div class="shown">${shown}</div>`}</section>`;
}

/** The path, with its parameters marked. */
function pathOf(path: string): Html[] {
  return path.split(/(\{[^}]*\})/).map((part) => (part.startsWith("{") ? html`<b>${part}</b>` : html`${part}`));
}

/** The kinds of parameters, in the order in which they are shown. */
const parameterKinds = [
  ["path", "Path parameters"],
  ["query", "Query parameters"],
  ["header", "Request headers"],
  ["cookie", "Cookies"],
] as const;

function parameterGroups(service: Service, shapes: Shapes, parameters: readonly Parameter[]): Html[] {
  return parameterKinds.flatMap(([where, title]) => {
    const own = parameters.filter((parameter) => parameter.in === where);
    if (own.length === 0) return [];
    const items = own.map((parameter) =>
      drawNamed(service, shapes, { ...parameter, id: `${where}.${parameter.name}` }),
    );
    return [html`<h2 id="${where}">${title}</h2><ul class="fields">${items}</ul>`];
  });
}

function authentication({ security }: Operation): Html {
  const sets = security.map((set) =>
    set.length === 0
      ? html`<li>No credential: the operation also works without one.</li>`
      : html`<li>${set.map(({ name, node }) => {
          return html`<span id="security.${name}"><code>${name}</code> ${drawBasis(dialect.basis.read(node))} ${phrase(textAt(node, "description"))}</span>`;
        })}</li>`,
  );
  const intro =
    security.length === 0
      ? html`<p>No credential is required.</p>`
      : security.length > 1 && html`<p>Any one of these is enough:</p>`;
  return html`<h2 id="authentication">Authentication</h2>${intro}${sets.length > 0 && html`<ul class="security">${sets}</ul>`}`;
}

function answerRow(service: Service, shapes: Shapes, response: DocumentResponse): Html {
  const { status, description, content, headers, node } = response;
  const bodies = bodiesOf(service.document, shapes, content, status);
  return row(
    html`<h2 id="${status}">Response ${status} ${drawBasis(dialect.basis.read(node))}</h2>
      <div class="prose">${prose(description)}</div>${drawLeaving(node)}${drawHeaders(service, shapes, headers, status)}
      ${bodies.length > 0 && html`<p class="what">Body</p>`}${drawBodies(service, bodies)}`,
    drawExamples(`Example responses`, status, bodies),
  );
}

/** Services have few error bodies, so they are linked, and their examples are folded. */
function errorRow(service: Service, responses: readonly DocumentResponse[]): Html | false {
  if (responses.length === 0) return false;
  const shapes = new Shapes(service.document.root);
  const items = responses.map((response) => {
    const { status, description, headers, node } = response;
    const bodies = bodiesOf(service.document, shapes, response.content, status);
    const failure = failureOf(status);
    return html`<li id="${status}"><p class="line"><b>${status}</b> ${failure && html`<code>${failure.className}</code> `}
      ${bodies.map((body) => bodyLink(service, body))}${drawBasis(dialect.basis.read(node))}</p>
      <div class="prose">${prose(description)}</div>${failure && html`<p class="cure">${phrase(failure.cure)}</p>`}
      ${errorDetails(service, response, bodies, headers)}</li>`;
  });
  return row(
    html`<h2 id="errors">Errors</h2><p>The class is the one that a client throws. <a href="/guides/errors/">How to handle errors</a>.</p>
      <ul class="fields errors">${items}</ul>`,
    false,
  );
}

function bodyLink(service: Service, { shape }: Body): Html | false {
  const name = shape?.name;
  return name !== undefined && html`<a href="${schemaAddress(service, name)}">${name}</a> `;
}

function errorDetails(
  service: Service,
  { status }: DocumentResponse,
  bodies: readonly Body[],
  headers: DocumentResponse["headers"],
): Html {
  const examples = bodies.flatMap((body) => body.examples);
  return html`<details class="more apart"><summary>Headers and examples of ${status}</summary><div class="below">
    ${drawHeaders(service, new Shapes(service.document.root), headers, status)}
    ${examples.length > 0 && html`<div class="examples"><p class="what">Body</p>${drawTabs(`${status}-examples`, examples)}</div>`}
    </div></details>`;
}
