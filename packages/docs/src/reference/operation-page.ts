/** The page of an operation. */
import {
  dialect,
  furtherRules,
  ownDescription,
  resendNeeds,
  type DocumentResponse,
  type Operation,
  type Parameter,
} from "@trainyard/document";
import { errorClass } from "@trainyard/codegen/error-classes";
import { operationAddress, schemaAddress } from "./addresses.ts";
import { bodiesOf, drawBodies, drawExamples, drawHeaders, drawNamed, drawTabs, type Body } from "./draw-body.ts";
import { drawBasis, drawDeprecation, drawRule } from "./draw-shape.ts";
import { html, type Html } from "./html.ts";
import { deprecationOf } from "./keywords.ts";
import { firstSentence } from "./node.ts";
import { phrase, prose } from "./prose.ts";
import type { ReferencePage } from "./page.ts";
import { samplesOf } from "./samples.ts";
import type { Service } from "./services.ts";
import { Shapes } from "./shape.ts";

export function operationPage(service: Service, operation: Operation): ReferencePage {
  const { document } = service;
  const shapes = new Shapes(document.root);
  const { summary, node, name, body, clientMethod, id } = operation;
  const description = ownDescription(node);
  const aliases = document.operations.filter(({ aliasOf }) => aliasOf === id);
  const intro = html`${[operation, ...aliases].map(
    (one) => html`<p class="request"><span class="verb ${one.key}">${one.method}</span>${" "}
      <span data-url="${document.address}${one.path}"><code>${pathOf(one.path)}</code>${drawBasis(one.basis)}</span></p>`,
  )}
    ${clientMethod !== undefined && html`<p class="called"><code>${service.name}.${clientMethod}(…)</code>${drawDeprecation(deprecationOf(node))}</p>`}
    <div class="prose">${prose(description)}</div>${keyFacts(operation)}`;
  const parameters = parameterGroups(service, shapes, operation.parameters);
  const request = body === undefined ? [] : bodiesOf(document, shapes, body.content, "body");
  const requestRow =
    body !== undefined &&
    row(
      html`<h2 id="body">Request body</h2>${body.description !== "" && html`<div class="prose">${prose(body.description)}</div>`}
        ${!body.required && html`<p>The body is optional.</p>`}${drawBodies(service, request)}`,
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
    request: parameters.length > 0 && html`${parameters}`,
    rest: html`${requestRow}${answers}${behavior(operation, aliases)}${errorRow(service, all.filter(isError))}`,
  };
}

/** What a caller asks first, on one line. Each fact leads to the guide that explains it. */
function keyFacts({ resend, alwaysIf, timeout, security, safe, node }: Operation): Html {
  const needs = resendNeeds({ rule: resend, ...(alwaysIf && { alwaysIf }) });
  const retry =
    resend === "always"
      ? "Retried automatically"
      : needs === ""
        ? "Retried only if it was not carried out"
        : `Retried; with ${needs} also if the outcome is unknown`;
  // Further alternatives are other forms of the same credential.
  const [scheme] = security.flat();
  const words = (scheme?.name ?? "no credential").replaceAll(/([a-z])([A-Z])/g, "$1 $2").toLowerCase();
  const optional = scheme !== undefined && security.some((set) => set.length === 0) ? ", optional" : "";
  const usesTokens = dialect.stream.read(node)?.fold === "chat";
  const facts = [
    ["/guides/retries/#which-calls-are-retried", phrase(retry)],
    ["/guides/retries/#timeouts", `${timeout} s per attempt`],
    ["/guides/authentication/", words.replace("api", "API") + optional],
    ["/guides/verify/#what-it-sends", safe ? `read-only${usesTokens ? ", uses tokens" : ""}` : "changes data"],
  ] as const;
  return html`<p class="keys">${facts.map(([href, text], at) => html`${at > 0 && " · "}<a href="${href}">${text}</a>`)}</p>`;
}

/** The rules of the operation that belong to no single field. */
function behavior({ node }: Operation, aliases: readonly Operation[]): Html | false {
  const pages = dialect.pagination.describe(dialect.pagination.read(node));
  const rules = [node, ...aliases.map((alias) => alias.node)].flatMap(furtherRules);
  const all = [...(pages === undefined ? [] : [phrase(pages)]), ...rules.map(drawRule)];
  if (all.length === 0) return false;
  return row(
    html`<h2 id="behavior">Behavior</h2><ul class="rules">${all.map((rule) => html`<li>${rule}</li>`)}</ul>`,
    false,
  );
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

function answerRow(service: Service, shapes: Shapes, response: DocumentResponse): Html {
  const { status, description, content, headers, node } = response;
  const bodies = bodiesOf(service.document, shapes, content, status);
  return row(
    html`<h2 id="${status}">Response ${status}${drawBasis(dialect.basis.read(node))}</h2>
      <div class="prose">${prose(description)}</div>${drawHeaders(service, shapes, headers, status)}
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
    const names = bodies.flatMap(({ shape }) => shape?.name ?? []);
    const thrown = errorClass(status);
    const cure = dialect.cure.read(node);
    return html`<li id="${status}"><p class="line"><b>${status}</b> <a href="/guides/errors/#${thrown}"><code>${thrown}</code></a>
      ${names.map((name) => html` <a href="${schemaAddress(service, name)}">${name}</a>`)}${drawBasis(dialect.basis.read(node))}</p>
      <div class="prose">${prose(description)}</div>${cure !== undefined && html`<p class="cure">${phrase(cure)}</p>`}
      ${errorDetails(service, response, bodies, headers)}</li>`;
  });
  return row(
    html`<h2 id="errors">Errors</h2><p>A client throws the class beside the status. <a href="/guides/errors/">How to handle errors</a>.</p>
      <ul class="fields errors">${items}</ul>`,
    false,
  );
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
