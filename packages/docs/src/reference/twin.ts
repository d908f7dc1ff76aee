/** The pages of the reference as Markdown for programs, from the same trees. Schemas are linked, not repeated. */
import {
  dialect,
  furtherRules,
  ownDescription,
  type DocumentResponse,
  type Operation,
  type Located,
} from "@trainyard/document";
import { operationAddress, schemaAddress, schemasAddress, serviceAddress, twinAddress } from "./addresses.ts";
import { bodiesOf, namedShape, type Body, type Named } from "./draw-body.ts";
import { failureOf } from "./failures.ts";
import { labelOf, type Label } from "./label.ts";
import { firstSentence, textAt } from "./node.ts";
import { parameterKinds, keyTexts } from "./operation-page.ts";
import { tagGroups } from "./overview-page.ts";
import { samplesOf } from "./samples.ts";
import type { Service } from "./services.ts";
import { Shapes, type Field, type Shape } from "./shape.ts";

/** A twin shows an example only if it is short. */
const shortExample = 800;

/** The twins of a service, by their path in the site. */
export function twinsOf(service: Service): Map<string, string> {
  const { operations, schemas } = service.document;
  const pages: [address: string, text: string][] = [
    [serviceAddress(service), overviewTwin(service)],
    ...operations.map((one): [string, string] => [operationAddress(service, one), operationTwin(service, one)]),
    [schemasAddress(service), schemasTwin(service)],
    ...[...schemas].map(([name, place]): [string, string] => [
      schemaAddress(service, name),
      schemaTwin(service, name, place),
    ]),
  ];
  return new Map(pages.map(([address, text]) => [twinAddress(address).slice(1), text]));
}

export function operationTwin(service: Service, operation: Operation): string {
  const { document, name: serviceName } = service;
  const { summary, method, path, basis, node, name, body, responses } = operation;
  const page = new Twin(service, operationAddress(service, operation));
  const answers = [...responses.values()].filter(({ status }) => /^[123]/.test(status));
  const failed = [...responses.values()].filter((response) => !answers.includes(response));
  const request = body && bodiesOf(document, page.shapes(), body.content, "body");
  return join(
    `# ${summary}`,
    `\`${method} ${path}\` of the ${page.link(document.title, serviceAddress(service))}${basis === undefined ? "" : ` (basis: ${basis})`}`,
    ownDescription(node),
    list([
      ...keyTexts(operation),
      ...furtherRules(node).map(({ text, basis: from }) => `${text} (${from})`),
      page.security(operation),
    ]),
    ...parameterKinds.map(([where, title]) => {
      const own = operation.parameters.filter((parameter) => parameter.in === where);
      return own.length === 0
        ? ""
        : join(
            `## ${title}`,
            list(own.map((one) => page.named({ ...one, id: one.name, isDeprecated: one.deprecated }))),
          );
    }),
    request && join("## Request body", body.description, ...request.map((one) => page.body(one))),
    ...answers.map((response) => page.answer(response)),
    failed.length > 0 && join("## Errors", list(failed.map((response) => page.failure(response)))),
    samples(serviceName, name),
  );
}

export function schemaTwin(service: Service, name: string, { pointer }: Located): string {
  const page = new Twin(service, schemaAddress(service, name));
  const shape = page.shapes().at(pointer, name);
  const { document } = service;
  const basis = shape.componentBasis === undefined ? "" : ` (basis: ${shape.componentBasis})`;
  return join(
    `# ${name}`,
    `Schema of the ${page.link(document.title, serviceAddress(service))}: ${page.label(labelOf(document.root, pointer))}${basis}`,
    shape.description,
    list([...shape.facts, ...shape.rules.map(({ text, basis: from }) => `${text} (${from})`)]),
    page.inside(shape),
  );
}

export function overviewTwin(service: Service): string {
  const { document } = service;
  const page = new Twin(service, serviceAddress(service));
  const file = `/openapi/${service.name}/${document.version}/openapi`;
  return join(
    `# ${document.title}`,
    document.description,
    `Version ${document.version}, OpenAPI 3.1: ${page.link("YAML", `${file}.yaml`)}, ${page.link("JSON", `${file}.json`)}`,
    ...tagGroups(service).flatMap(({ title, description, operations }) => [
      `## ${title}`,
      description,
      list(
        operations.map((operation) => {
          const called = operation.clientMethod === undefined ? "" : ` (\`${operation.clientMethod}\`)`;
          const link = page.link(operation.summary, operationAddress(service, operation));
          return `${link}: \`${operation.method} ${operation.path}\`${called}`;
        }),
      ),
    ]),
    "## Schemas",
    list([...document.schemas.keys()].map((name) => page.link(name, schemaAddress(service, name)))),
  );
}

/** All schemas, each with its first sentence. */
function schemasTwin(service: Service): string {
  const page = new Twin(service, schemasAddress(service));
  const { title, schemas } = service.document;
  const items = [...schemas].map(
    ([name, { node }]) =>
      `${page.link(name, schemaAddress(service, name))}: ${firstSentence(textAt(node, "description"))}`,
  );
  return join(`# Schemas of the ${title.toLowerCase()}`, list(items));
}

function samples(service: string, name: string): string {
  const blocks = samplesOf(service, name).map(
    ({ lang, source }) => `\`\`\`${lang === "curl" ? "sh" : lang}\n${source}\n\`\`\``,
  );
  return blocks.length === 0 ? "" : join("## Samples", ...blocks);
}

/** One twin. Its links are relative. */
class Twin {
  readonly #service: Service;
  readonly #toRoot: string;

  constructor(service: Service, address: string) {
    this.#service = service;
    this.#toRoot = "../".repeat(twinAddress(address).split("/").length - 2);
  }

  shapes(): Shapes {
    return new Shapes(this.#service.document.root, "names");
  }

  link(text: string, address: string): string {
    const target = address.endsWith("/") ? twinAddress(address) : address;
    return `[${text}](${this.#toRoot}${target.slice(1)})`;
  }

  label(label: Label): string {
    return label
      .map((part) => {
        if (typeof part === "string") return part;
        if ("literal" in part) return `\`${part.literal}\``;
        return this.link(part.schema, schemaAddress(this.#service, part.schema));
      })
      .join("");
  }

  security({ security }: Operation): string {
    if (security.length === 0) return "No credential is required.";
    const sets = security.map((set) => set.map(({ name }) => `\`${name}\``).join(" with ") || "none");
    return `Authentication: ${sets.join(" or ")}.`;
  }

  body({ mediaType, shape, examples }: Body): string {
    if (shape === undefined) return `\`${mediaType}\``;
    const example = examples.find(({ text }) => text.length <= shortExample);
    return join(
      `\`${mediaType}\`: ${this.label(shape.label)}`,
      shape.description,
      list(shape.facts),
      this.inside(shape),
      example && `Example (${example.caption}):\n\n\`\`\`${example.isJson ? "json" : "text"}\n${example.text}\n\`\`\``,
    );
  }

  answer({ status, description, content, headers, node }: DocumentResponse): string {
    const basis = dialect.basis.read(node);
    return join(
      `## Response ${status}${basis === undefined ? "" : ` (basis: ${basis})`}`,
      description,
      list(
        [...headers].map(
          ([name, header]) => `Header ${this.named({ ...header, name, id: name, isDeprecated: false })}`,
        ),
      ),
      ...bodiesOf(this.#service.document, this.shapes(), content, status).map((one) => this.body(one)),
    );
  }

  failure({ status, description, content, headers }: DocumentResponse): string {
    const bodies = bodiesOf(this.#service.document, this.shapes(), content, status);
    const shown = bodies.flatMap(({ shape }) => (shape === undefined ? [] : this.label(shape.label))).join(", ");
    const failure = failureOf(status);
    const also = [...headers.keys()].map((name) => `\`${name}\``).join(", ");
    return [
      `${status}${failure === undefined ? "" : ` \`${failure.className}\``}: ${description}`,
      failure?.cure,
      shown === "" ? undefined : `Body: ${shown}.`,
      also === "" ? undefined : `Headers: ${also}.`,
    ]
      .filter((part) => part !== undefined)
      .join(" ");
  }

  /** The part below a shape; named schemas are linked. */
  inside(shape: Shape): string {
    const variants = shape.variants.map(
      ({ caption, shape: one }) => `${caption}: ${this.#line(one.label, one)}${this.#nested(one)}`,
    );
    const by = shape.by === undefined ? "" : `Distinguished by \`${shape.by}\`:`;
    return join(list(shape.fields.map((field) => this.#field(field))), by, list(variants), this.#each(shape));
  }

  #each({ item, values }: Shape): string {
    const one = item ?? values;
    if (one === undefined || one.name !== undefined) return "";
    const inner = this.inside(one);
    const words = [one.description, ...one.facts].filter((text) => text !== "");
    const line = words.length === 0 ? "" : `Each: ${sentences(words)}`;
    return join(line, inner);
  }

  named(named: Named): string {
    const shape = namedShape(this.shapes(), named);
    return this.#field({ name: named.name, isRequired: named.required, shape });
  }

  #field({ name, isRequired, shape }: Field): string {
    const marks = [isRequired && "required", shape.isDeprecated && "deprecated", shape.basis].filter(Boolean);
    const type = [this.label(shape.label), ...marks].join(", ");
    return `\`${name}\` (${type})${this.#tail(shape)}${this.#nested(shape)}`;
  }

  #line(label: Label, shape: Shape): string {
    return `${this.label(label)}${this.#tail(shape)}`;
  }

  #tail({ description, facts, rules }: Shape): string {
    const words = [description, ...facts, ...rules.map(({ text, basis }) => `${text} (${basis})`)];
    const text = sentences(words.filter((word) => word !== ""));
    return text === "" ? "" : `: ${text}`;
  }

  #nested(shape: Shape): string {
    if (shape.name !== undefined) return "";
    const inside = this.inside(shape);
    return inside === "" ? "" : `\n${inside.replaceAll(/^(?=.)/gm, "  ")}`;
  }
}

function sentences(words: readonly string[]): string {
  return words
    .map((word) => (/[.:]$/.test(word) ? word : `${word}.`))
    .join(" ")
    .replaceAll(/\n+/g, " ");
}

function list(items: readonly string[]): string {
  return items.map((item) => `- ${item}`).join("\n");
}

function join(...parts: readonly (string | false | undefined)[]): string {
  return parts.filter((part) => part !== undefined && part !== false && part !== "").join("\n\n");
}
