/** Bodies, headers and examples as HTML. */
import { isObject } from "@trainyard/core/validation";
import {
  dialect,
  isJson,
  locateAll,
  type Document,
  type Media,
  type Located,
  type ResponseHeader,
} from "@trainyard/document";
import { drawField, drawLabel, drawWhole, drawWords } from "./draw-shape.ts";
import { html, type Html } from "./html.ts";
import { deprecationOf, fact } from "./keywords.ts";
import { colored, jsonText } from "./json-text.ts";
import { value } from "./prose.ts";
import type { Service } from "./services.ts";
import { isDeep, type Shape, type Shapes } from "./shape.ts";

/** A body in all its media types, and its shapes. */
export interface Body {
  readonly mediaType: string;
  readonly shape: Shape | undefined;
  readonly examples: readonly Example[];
}

export interface Example {
  readonly name: string;
  /** What it shows, in a few words. */
  readonly caption: string;
  readonly text: string;
  readonly isJson: boolean;
}

/** Reads bodies, in the order of the page. */
export function bodiesOf({ root }: Document, shapes: Shapes, content: ReadonlyMap<string, Media>, id: string): Body[] {
  return [...content.values()].map((media) => {
    const { mediaType } = media;
    const hasSchema = isObject(media.node["schema"]);
    return {
      mediaType,
      // The place where it is defined, so that a reference has its name.
      shape: hasSchema ? shapes.at(`${media.pointer}/schema`, content.size > 1 ? `${id}:${mediaType}` : id) : undefined,
      examples: examplesOf(root, media),
    };
  });
}

/** The examples of a body, each with its summary. */
function examplesOf(root: object, media: Media): Example[] {
  const summaries = new Map(locateAll(root, media, "examples").map(([name, { node }]) => [name, node["summary"]]));
  return [...media.examples].map(([name, of]) => {
    const summary = summaries.get(name);
    const caption = typeof summary === "string" ? summary.replace(/\.$/, "") : name;
    const plain = typeof of === "string" && !isJson(media.mediaType);
    return { name, caption, text: plain ? of.trimEnd() : jsonText(of), isJson: !plain };
  });
}

/** A body as fields. */
export function drawBodies(service: Service, bodies: readonly Body[]): Html[] {
  return bodies.map(
    ({ mediaType, shape }) => html`<div class="body"><p class="line"><code class="media">${mediaType}</code>
      ${shape && html` ${drawLabel(service, shape.label)}`}</p>${shape && drawWhole(service, shape)}</div>`,
  );
}

/** Examples as tabs. */
export function drawExamples(title: string, id: string, bodies: readonly Body[]): Html | false {
  const all = bodies.flatMap(({ examples }) => examples);
  return (
    all.length > 0 && html`<div class="examples"><p class="what">${title}</p>${drawTabs(`${id}-examples`, all)}</div>`
  );
}

/** Examples of which one is shown: as tabs, or as a list to choose from if there are more than four. */
export function drawTabs(name: string, examples: readonly Example[]): Html {
  const isLong = examples.length > 4;
  const choices = examples.map(({ caption }) => html`<option>${caption}</option>`);
  const choice = isLong && html`<select class="apart" aria-label="Example">${choices}</select>`;
  // The Markdown twin shows the first.
  const tabs = examples.map(
    (
      { caption, text, isJson: isColored },
      index,
    ) => html`<details name="${name}" class="${index > 0 && "apart"}" ${index === 0 && "open"}>
      <summary>${caption}</summary><div class="pick">${drawCode(text, isColored)}</div></details>`,
  );
  return html`<div class="picks${isLong && " chosen"}">${choice}${tabs}</div>`;
}

/** One value as the example of a schema. */
export function drawExample(of: unknown): Html {
  return html`<div class="examples"><p class="what">Example</p><div class="pick">${drawCode(jsonText(of), true)}</div></div>`;
}

/** A block of code. It scrolls inside the page, so the keyboard must reach it. */
function drawCode(text: string, isColored: boolean): Html {
  return html`<pre tabindex="0"><code class="language-${isColored ? "json" : "text"}">${isColored ? colored(text) : text}</code></pre>`;
}

/** The headers of a response. */
export function drawHeaders(
  service: Service,
  shapes: Shapes,
  headers: ReadonlyMap<string, ResponseHeader>,
  id: string,
): Html | false {
  if (headers.size === 0) return false;
  const items = [...headers].map(([name, header]) =>
    drawNamed(service, shapes, { ...header, name, id: `${id}.${name}` }),
  );
  return html`<p class="what">Headers</p><ul class="fields">${items}</ul>`;
}

/** A parameter or a header, which has a description beside its schema. */
interface Named {
  readonly id: string;
  readonly name: string;
  readonly required: boolean;
  readonly description: string;
  readonly example: unknown;
  readonly schema: Located;
  readonly node: Located["node"];
  readonly pointer: string;
}

/** The shape of a parameter or a header, with the description beside its schema. */
function namedShape(shapes: Shapes, { id, description, example, node, pointer }: Named): Shape {
  const shape = shapes.at(`${pointer}/schema`, id);
  const option = dialect.clientOption.describe(dialect.clientOption.read(node));
  return {
    ...shape,
    description: [description, shape.description].filter((text) => text !== "").join("\n\n"),
    facts: [...shape.facts, ...exampleOf(example, shape), ...fact(option)],
    basis: dialect.basis.read(node) ?? shape.basis,
    deprecation: deprecationOf(node) ?? shape.deprecation,
  };
}

/** An example, unless it is the default, which is shown already. */
function exampleOf(example: unknown, { facts }: Shape): string[] {
  return example === undefined || facts.includes(`Default: ${value(example)}`) ? [] : [`For example ${value(example)}`];
}

export function drawNamed(service: Service, shapes: Shapes, named: Named): Html {
  const shape = namedShape(shapes, named);
  const label = drawLabel(service, shape.label);
  const line = { ...shape, ...named, isRequired: named.required, label };
  // Later uses of its component link to it.
  return drawField(line, isDeep(shape) ? drawWhole(service, shape) : drawWords(shape));
}
