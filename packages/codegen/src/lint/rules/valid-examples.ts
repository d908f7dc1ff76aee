import { faultsOf, formatLoc, memberAt, type Fault } from "@trainyard/core/validation";
import { dialect, directions, isAbsent, keysBelow, type Direction } from "@trainyard/document";
import { Compiler, SchemaError } from "../compiler.ts";
import {
  contentsOf,
  follow,
  followAll,
  followMember,
  operationsOf,
  type Content,
  type Found,
  type Operation,
} from "../document.ts";
import { misspellings } from "../misspelled.ts";
import { eventsOf, linesOf, listOf, member, nodeOf, parseJson } from "../node.ts";
import type { Context, Place, Rule } from "../redocly.ts";
import { partsOf } from "../schema.ts";

/** The number of faults to show per example; the rest follows when these are fixed. */
const shown = 3;

/**
 * Every schema compiles under dialect 2020-12, and every example is valid under its schema: those of bodies, parameters and
 * headers, those of schemas with their defaults, and each event of a stream. No property of an example is a misspelled one
 * of its schema. The mock silently skips a schema that does not compile.
 */
export const validExamples: Rule = () => {
  let check: Check | undefined;
  return {
    Root(root, context) {
      check = new Check(context);
      for (const operation of operationsOf(root, context)) check.operation(operation);
    },
    Schema(schema, context) {
      check?.schema({ node: nodeOf(schema), location: context.location });
    },
  };
};

class Check {
  readonly #context: Context;
  readonly #compiler: Compiler;
  readonly #judged = new Set<string>();

  constructor(context: Context) {
    this.#context = context;
    this.#compiler = new Compiler(context);
  }

  operation(operation: Operation): void {
    for (const parameter of operation.parameters) this.#holder(parameter);
    for (const response of followAll(operation, "responses", this.#context).values()) {
      for (const header of followAll(response, "headers", this.#context).values()) this.#holder(header);
    }
    for (const content of contentsOf(operation, this.#context)) {
      this.#holder(content, [content.of === "request" ? "request" : "response"]);
      this.#parts(content, operation);
    }
  }

  /** The examples and the default of a schema itself. */
  schema({ node, location }: Found): void {
    listOf(node["examples"]).forEach((value, index) => {
      this.#value(value, location.child(["examples", index]), node, location);
    });
    for (const key of ["example", "default"]) {
      if (Object.hasOwn(node, key)) this.#value(node[key], location.child(key), node, location);
    }
  }

  /** An element with `schema` and `examples`: a body, a parameter, a header. */
  #holder(holder: Found, to?: readonly Direction[]): void {
    const { node, location } = holder;
    if (node["schema"] === undefined || this.#seen(location.absolutePointer)) return;
    const place = location.child("schema");
    // The schema must compile even if no example uses it.
    this.#compile(node["schema"], place);
    for (const [value, at] of this.#examplesOf(holder)) this.#value(value, at, node["schema"], place, to);
  }

  /** The parts of a text, validated by the schema of one: the events of a stream, the lines of JSON Lines. */
  #parts(content: Content, operation: Operation): void {
    const schema = followMember(content, "schema", this.#context);
    const isStream = content.mediaType === "text/event-stream";
    if (!isStream && content.mediaType !== "application/jsonl") return;
    if (schema?.node["contentSchema"] === undefined) return;
    const end = nodeOf(operation.node[dialect.stream.key])["end"];
    for (const [value, at] of this.#examplesOf(content)) {
      if (typeof value !== "string" || this.#seen(`${at.absolutePointer} parts`)) continue;
      const { parts, isEnded } = isStream ? eventsOf(value) : linesOf(value);
      const [last, breaks] = isStream
        ? ["blank line after the last event", "|+"]
        : ["line break after the last line", "|"];
      if (!isEnded) this.#report(`There is no ${last}. Add one (\`${breaks}\` keeps it).`, at);
      if (isStream && typeof end === "string" && parts.pop() !== end) {
        this.#report(`The stream does not end with \`${end}\`. Add that event.`, at);
      }
      const place = schema.location.child("contentSchema");
      parts.forEach((text, index) => {
        const part = isStream ? `event ${index + 1} of the stream` : `line ${index + 1}`;
        const item = parseJson(text);
        if (item !== undefined) this.#value(item, at, schema.node["contentSchema"], place, ["response"], part);
        else this.#report(`${part.replace(/^./, (letter) => letter.toUpperCase())} is not JSON. Fix it.`, at);
      });
    }
  }

  #examplesOf(holder: Found): [value: unknown, location: Place][] {
    const examples: [unknown, Place][] = [...followAll(holder, "examples", this.#context).values()]
      .filter(({ node }) => Object.hasOwn(node, "value"))
      .map(({ node, location }) => [node["value"], location.child("value")]);
    if (Object.hasOwn(holder.node, "example")) {
      examples.push([member(holder.node, "example"), holder.location.child("example")]);
    }
    return examples;
  }

  /** Validates a value; a part of a text, which has no location of its own, is named in the message. */
  #value(value: unknown, location: Place, schema: unknown, place: Place, to = directions, part?: string): void {
    if (this.#misspelled(value, location, schema, place, part)) return;
    const validate = this.#compile(schema, place);
    if (!validate || validate(value)) return;
    const faults = faultsOf(validate.errors ?? [], value);
    const own = faults.filter((fault) => !to.some((direction) => this.#isElsewhere(fault, schema, place, direction)));
    for (const { loc, msg: said, type } of own.slice(0, shown)) {
      const tags = type === "union_tag_invalid" ? this.#partsAt(loc, schema, place) : [];
      const values = new Set(tags.flatMap(({ node }) => node["enum"] ?? node["const"] ?? []));
      const msg =
        values.size === 0 ? said : `${said} Permitted: ${[...values].map((one) => JSON.stringify(one)).join(", ")}.`;
      const where = [...(part === undefined ? [] : [part]), ...(loc.length > 0 ? [`\`${formatLoc(loc)}\``] : [])];
      this.#context.report({
        message: `The example does not match its schema. ${[...where, msg].join(": ")} Fix one of them.`,
        location: part === undefined && loc.length > 0 ? location.child(loc) : location,
        from: place,
      });
    }
  }

  /** Whether a value lacks a property that values of its direction need not have. */
  #isElsewhere({ type, loc }: Fault, schema: unknown, place: Place, direction: Direction): boolean {
    // References lead to other files, and are followed already.
    return type === "missing" && this.#partsAt(loc, schema, place).some(({ node }) => isAbsent({}, node, direction));
  }

  /** The schemas that apply to a part of a value, or may. */
  #partsAt(loc: Fault["loc"], schema: unknown, place: Place): Found[] {
    const parts = (from: readonly Found[]) => from.flatMap((one) => [...partsOf(one, this.#context)]);
    let here: readonly Found[] = [{ node: nodeOf(schema), location: place }];
    for (const step of loc)
      here = parts(here).flatMap(({ node, location }) => {
        const keys = keysBelow(node, step);
        return keys ? { node: nodeOf(memberAt(node, keys)), location: location.child(keys) } : [];
      });
    return parts(here);
  }

  /** A misspelled name is reported alone, because other faults usually follow from it. */
  #misspelled(value: unknown, location: Place, schema: unknown, place: Place, part?: string): boolean {
    const found = follow(schema, place, this.#context);
    const all = found === undefined ? [] : misspellings(value, found, this.#context).slice(0, shown);
    for (const { path, written, meant } of all) {
      const where = part === undefined ? "The example has" : `The example has in ${part}`;
      this.#context.report({
        message: `${where} \`${written}\`, which its schema does not declare.`,
        suggest: [`\`${meant}\``],
        location: part === undefined ? location.child(path).key() : location,
        from: place,
      });
    }
    return all.length > 0;
  }

  #compile(schema: unknown, location: Place): ReturnType<Compiler["compile"]> | undefined {
    try {
      return this.#compiler.compile(schema, location);
    } catch (error) {
      if (!(error instanceof SchemaError)) throw error;
      this.#report(`The schema does not compile under dialect 2020-12: ${error.message}. Fix it.`, error.location);
      return undefined;
    }
  }

  /** Reports each location once. */
  #report(message: string, location: Place): void {
    if (!this.#seen(`${location.absolutePointer} ${message}`)) this.#context.report({ message, location });
  }

  #seen(what: string): boolean {
    const seen = this.#judged.has(what);
    this.#judged.add(what);
    return seen;
  }
}
