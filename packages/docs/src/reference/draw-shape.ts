/**
 * The tree of a schema as HTML. Folds and tabs are `details`, so fragments, the search of the browser and printing reach
 * their content.
 */
import type { Basis, ContractRule } from "@trainyard/document";
import { schemaAddress } from "./addresses.ts";
import { html, Html } from "./html.ts";
import type { Label } from "./label.ts";
import { phrase, prose } from "./prose.ts";
import type { Service } from "./services.ts";
import { hasWords, isDeep, type Field, type Shape, type Variant } from "./shape.ts";

/**
 * The basis of a fact, after its last word, with which it shares a line. Only `proposed` is visible, unless the reader shows all
 * sources.
 */
export function drawBasis(basis: Basis | undefined): Html | false {
  return basis !== undefined && html`\u00a0<a class="basis ${basis}" href="/contract/basis/">${basis}</a>`;
}

/** A badge that says since when something is deprecated. */
export function drawDeprecation(deprecation: string | undefined): Html | false {
  return deprecation !== undefined && html` <span class="deprecated">${deprecation}</span>`;
}

/** A rule with its basis. */
export function drawRule({ basis, text }: ContractRule): Html {
  return html`${phrase(text)}${drawBasis(basis)}`;
}

/** The label of a type, with links to its schemas. */
export function drawLabel(service: Service, label: Label): Html {
  const parts = label.map((part) => {
    if (typeof part === "string") return part;
    if ("literal" in part) return html`<code>${part.literal}</code>`;
    return html`<a href="${schemaAddress(service, part.schema)}">${part.schema}</a>`;
  });
  return html`<span class="type">${parts}</span>`;
}

/** The facts in the line of a field, beside its name. */
export interface FieldLine extends Pick<Shape, "id" | "deprecation" | "basis" | "isSensitive"> {
  readonly name: string;
  readonly isRequired: boolean;
  readonly label: Html;
}

/** A field, a parameter or a header. */
export function drawField(line: FieldLine, rest: Html): Html {
  const { id, name, isRequired, deprecation, label, basis, isSensitive } = line;
  return html`<li id="${id}">
    <p class="line"><a class="name" href="#${id}"><code>${name}</code></a> ${label}
    ${isRequired && html` <span class="required">required</span>`}
    ${drawDeprecation(deprecation)}
    ${isSensitive && html` <a class="sensitive" href="/guides/hooks/#sensitive-fields">sensitive</a>`}${drawBasis(basis)}</p>${rest}</li>`;
}

/** The fields of an object. */
export function drawFields(service: Service, fields: readonly Field[]): Html | false {
  if (fields.length === 0) return false;
  const items = fields.map(({ name, isRequired, shape }) => {
    const label = drawLabel(service, shape.label);
    const line = { ...shape, name, isRequired, label };
    return drawField(line, html`${drawWords(shape)}${drawNested(service, shape)}`);
  });
  return html`<ul class="fields">${items}</ul>`;
}

/** The text about a shape: description, facts, rules. */
export function drawWords({ description, facts, rules }: Pick<Shape, "description" | "facts" | "rules">): Html {
  const text = new Html(description === "" ? "<p></p>" : prose(description).text);
  // The rules continue the last paragraph.
  const added = rules.map((rule, at) => html`${(at > 0 || description !== "") && " "}${drawRule(rule)}`);
  const words = new Html(text.text.replace(/<\/p>$/, () => `${html`${added}`.text}</p>`));
  return html`${description + rules.length !== "0" && html`<div class="prose">${words}</div>`}
    ${facts.length > 0 && html`<p class="facts">${facts.map((fact, at) => html`${at > 0 && " · "}${phrase(fact)}`)}</p>`}`;
}

/** The part below a shape, inside a fold. `withText`: the text about the shape is inside the fold as well. */
export function drawNested(service: Service, shape: Shape, withText = false): Html | false {
  const { seen, name, fields, variants, item, values } = shape;
  if (seen !== undefined) {
    return html`<p class="seen apart"><a href="#${seen}">${seen}</a>, as shown above.</p>`;
  }
  if (!isDeep(shape)) return withText && drawWords(shape);
  const [only] = variants;
  // One schema or null is shown as that schema.
  if (only !== undefined && variants.length === 1 && fields.length === 0 && name === undefined)
    return drawNested(service, only.shape, true);
  if (fields.length === 0 && variants.length === 0 && name === undefined) {
    return html`${withText && drawWords(shape)}${drawEach(service, "Each item", item)}${drawEach(service, "Each value", values)}`;
  }
  const what = variants.length > 0 ? "Kinds" : fields.length > 0 ? "Fields" : "Contents";
  const summary = name === undefined ? what : html`${what} of <code>${name}</code>`;
  return html`<details class="more${name !== undefined && " apart"}">
    <summary>${summary}</summary>
    <div class="below"${anchor(name)}>
      ${drawAbout(service, shape)}${withText && drawWords(shape)}${drawInside(service, shape)}
    </div>
  </details>`;
}

/** The part below a shape, without a fold. */
export function drawInside(service: Service, shape: Shape): Html {
  const { by, variants, fields, item, values, id } = shape;
  return html`${drawFields(service, fields)}${drawVariants(service, id, variants, by)}
    ${drawEach(service, "Each item", item)}${drawEach(service, "Each value", values)}`;
}

/** A shape on its own, such as the body of a request: the whole tree, open at its first level. */
export function drawWhole(service: Service, shape: Shape): Html {
  if (shape.seen !== undefined) return html`${drawWords(shape)}${drawNested(service, shape)}`;
  const own = html`${drawWords(shape)}${drawInside(service, shape)}`;
  return shape.name === undefined ? own : html`<div${anchor(shape.name)}>${own}</div>`;
}

function anchor(name: string | undefined): Html | false {
  return name !== undefined && html` id="${name}"`;
}

function drawAbout(service: Service, { name, about, componentBasis }: Shape): Html | false {
  if (name === undefined) return false;
  return html`<p class="about"><a href="${schemaAddress(service, name)}">${name}</a>
    ${drawBasis(componentBasis)}</p>
    ${about !== "" && html`<div class="prose">${prose(about)}</div>`}`;
}

function drawEach(service: Service, what: string, shape: Shape | undefined): Html | false {
  if (shape === undefined || !(isDeep(shape) || hasWords(shape))) return false;
  if (shape.name !== undefined && isDeep(shape)) return drawNested(service, shape, true);
  return html`<div class="each"><p class="line"><span class="what">${what}</span> ${drawLabel(service, shape.label)}
    ${drawBasis(shape.basis)}</p>${drawWords(shape)}${drawNested(service, shape)}</div>`;
}

function drawVariants(
  service: Service,
  id: string,
  variants: readonly Variant[],
  by: string | undefined,
): Html | false {
  const [first] = variants;
  if (first === undefined) return false;
  const intro = by !== undefined && html`<p class="by">Distinguished by <code>${by}</code>:</p>`;
  if (variants.every(({ shape }) => !isDeep(shape))) {
    const items = variants.map(
      ({ shape }) =>
        html`<li id="${shape.id}">${drawLabel(service, shape.label)}${drawDeprecation(shape.deprecation)}${drawWords(shape)}</li>`,
    );
    return html`${intro}<ul class="kinds">${items}</ul>`;
  }
  if (variants.length === 1) return html`${intro}${drawNested(service, first.shape, true)}`;
  const tabs = variants.map(
    ({ caption, shape }) => html`<details name="${id}:" ${shape === first.shape && "open"}><summary>${caption}</summary>
      <div class="pick" id="${shape.id}"><p class="line">${drawLabel(service, shape.label)}${drawDeprecation(shape.deprecation)}
      ${drawBasis(shape.basis)}</p><div class="${shape.name !== undefined && "apart"}">${drawWhole(service, shape)}</div></div></details>`,
  );
  return html`${intro}<div class="picks">${tabs}</div>`;
}
