import { bases, dialect, httpMethods, type Basis } from "@trainyard/document";
import { isObject, type JsonObject } from "@trainyard/core/validation";

/** A fact at a place, such as `required` at `LogRequest.split`. */
interface Fact {
  readonly place: string;
  readonly fact: string;
}

/** A fact of a document. */
export interface Atom extends Fact {
  /** The basis of the object that has the keyword; undefined for what has none, such as a server. */
  readonly basis: Basis | undefined;
  /** The object that has the keyword. */
  readonly holder: unknown;
}

/** The facts of the table, each with its section. */
export function table(sections: unknown): (Fact & { section: string })[] {
  return Object.entries(Object(sections)).flatMap(([section, places]) =>
    Object.entries(Object(places)).flatMap(([root, value]) => {
      const cells = isObject(value) ? Object.entries(value) : [["", value] as const];
      return cells.flatMap(([key, text]) => {
        const place = `${root}${key === "" || key.startsWith("[") ? "" : root.includes(" ") ? " " : "."}${key}`;
        return String(text)
          .split(/, | \| /)
          .flatMap((fact) => expanded(place, fact.trim()))
          .map((fact) => ({ section, ...fact }));
      });
    }),
  );
}

/** `array of string or null` says a fact of the array, and two of its items. */
function expanded(place: string, fact: string): Fact[] {
  const [, kind, items] = /^(array|map) of (.+)$/.exec(fact) ?? [];
  if (kind === undefined || items === undefined) return [{ place, fact }];
  const [own, below] = kind === "array" ? ["array", "[]"] : ["object", "{}"];
  return [{ place, fact: own }, ...items.split(" or ").map((one) => ({ place: `${place}${below}`, fact: one }))];
}

/** Keywords that say something of a value, and how a fact says it. */
const limits: Readonly<Record<string, string>> = {
  default: "default",
  pattern: "matches",
  minimum: "at least",
  maximum: "at most",
  exclusiveMinimum: "above",
  exclusiveMaximum: "below",
  minLength: "characters at least",
  maxLength: "characters at most",
  minItems: "items at least",
  maxItems: "items at most",
  uniqueItems: "unique",
  not: "not",
};

const weaker = (...all: readonly (Basis | undefined)[]): Basis | undefined => bases.find((one) => all.includes(one));
const shown = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value));
const objects = (value: unknown): JsonObject[] => (Array.isArray(value) ? value.filter(isObject) : []);
const entries = (value: unknown): [string, JsonObject][] =>
  Object.entries(Object(value)).filter((entry): entry is [string, JsonObject] => isObject(entry[1] as JsonObject));

/**
 * Every fact that a bundle states. A schema that the interface does not name is read at the place of the interface where it is
 * used, once for all bundles.
 *
 * @param rows the facts of the interface
 * @param read the names of such schemas that were read
 */
export function factsOf(service: string, root: JsonObject, rows: readonly Fact[], read: Set<string>): Atom[] {
  const atoms: Atom[] = [];
  const places = new Set(rows.map(({ place }) => place));
  const known = new Set(rows.map(({ place, fact }) => `${place}: ${fact}`));
  const named = new Set(rows.flatMap(({ place }) => /^[A-Z]\w*(?=[.[]|$)/.exec(place)?.[0] ?? []));

  /** An object with its basis: that of the target of a reference, which has its own. */
  const at = (value: unknown, around?: Basis): { node: JsonObject; basis: Basis | undefined; name?: string } => {
    const node = isObject(value) ? value : {};
    const { $ref } = node;
    if (typeof $ref !== "string") return { node, basis: dialect.basis.read(node) ?? around };
    const [kind = "", name = ""] = $ref.split("/").slice(2);
    return { ...at(Object(Object(root["components"])[kind])[name]), name };
  };

  const rules = (place: string, node: JsonObject): void => {
    for (const { id, basis } of dialect.rules.read(node)) atoms.push({ place, fact: `rule ${id}`, basis, holder: id });
  };

  /** @param holder the object around, which has what is said of a reference */
  const schema = (place: string, value: unknown, around: Basis | undefined, holder: unknown): void => {
    const { node, basis, name } = at(value, around);
    const add = (fact: string): void => void atoms.push({ place, fact, basis, holder: node });
    if (name !== undefined && Object(value)["deprecated"] === true)
      atoms.push({ place, fact: "deprecated", basis: around, holder });
    if (name !== undefined && (named.has(name) || !places.has(place)))
      return void atoms.push({ place, fact: name, basis: named.has(name) ? around : weaker(basis, around), holder });
    if (name !== undefined) read.add(name);
    content(place, node, basis, add);
  };

  const content = (place: string, node: JsonObject, basis: Basis | undefined, add: (fact: string) => void): void => {
    rules(place, node);
    const union = [...objects(node["oneOf"]), ...objects(node["anyOf"]), ...objects(node["allOf"])];
    const values = "const" in node ? [node["const"]] : Array.isArray(node["enum"]) ? node["enum"] : [];
    for (const one of values) add(one === null ? "null" : `is ${shown(one)}`);
    for (const one of [node["type"] ?? []].flat()) {
      const type = typeof node["format"] === "string" && one === "string" ? node["format"] : shown(one);
      // The values and the members of a union have types, too, and what the interface names is an object.
      const isSaid = values.length > 0 || union.length > 0 || named.has(place);
      if (!isSaid || one === "null" || known.has(`${place}: ${type}`)) add(type);
    }
    if (!["type", "const", "enum", "oneOf", "anyOf", "allOf"].some((key) => key in node)) add("any");
    for (const [key, words] of Object.entries(limits)) if (key in node) add(`${words} ${shown(node[key])}`);
    if (node["deprecated"] === true) add("deprecated");
    if (dialect.extensible.read(node)) add("extensible");
    for (const member of union) schema(place, member, basis, node);
    if ("items" in node) schema(`${place}[]`, node["items"], basis, node);
    const more = node["additionalProperties"];
    if (more === false) add("closed");
    else if (more === true || (isObject(more) && Object.keys(more).length === 0)) add("open");
    else if (more !== undefined) schema(`${place}{}`, more, basis, node);
    for (const [name, property] of entries(node["properties"])) schema(`${place}.${name}`, property, basis, node);
    for (const name of [node["required"] ?? []].flat())
      atoms.push({ place: `${place}.${shown(name)}`, fact: "required", basis, holder: node });
  };

  const parameter = (place: string, value: unknown, around: Basis | undefined): string | undefined => {
    const { node, basis, name } = at(value, around);
    const where = name === undefined ? `${place} ${shown(node["in"])} ${shown(node["name"])}` : shown(node["name"]);
    const add = (fact: string, own: Basis | undefined): void =>
      void atoms.push({ place: where, fact, basis: own, holder: node });
    if (name !== undefined) add(`in ${shown(node["in"])}`, basis);
    // OpenAPI itself requires those in the path.
    if (node["required"] === true) add("required", node["in"] === "path" ? undefined : basis);
    rules(where, node);
    schema(where, node["schema"], basis, node);
    return node["in"] === "path" || name === undefined ? undefined : where;
  };

  const json = (place: string, node: JsonObject, basis: Basis | undefined): void => {
    for (const [type, media] of entries(node["content"])) {
      const own = at(media, basis);
      if (type === "application/json") schema(place, media["schema"], own.basis, node);
      else atoms.push({ place, fact: type, basis: own.basis, holder: media });
    }
  };

  const operation = (place: string, node: JsonObject): void => {
    const basis = dialect.basis.read(node);
    const add = (fact: string, own: Basis | undefined, holder: unknown = node): void =>
      void atoms.push({ place, fact, basis: own, holder });
    // The interface names the operations of the training service alone, and the id of one.
    const isNamed = service === "training";
    if (isNamed) add(`named ${shown(node["summary"])}`, basis);
    add(`id ${shown(node["operationId"])}`, undefined);
    for (const tag of [node["tags"] ?? []].flat()) if (isNamed) add(`in ${shown(tag)}`, basis);
    rules(place, node);
    // A security requirement has no basis. Where there is a choice, a rule says where it comes from.
    const said = dialect.rules.read(node).find(({ id }) => /-(key|credentials)$/.test(id))?.basis;
    const security = objects(node["security"] ?? root["security"]);
    for (const one of security) {
      const [key = "none"] = Object.keys(one);
      add(`key ${key}`, known.has(`${place}: key ${key}`) ? basis : (said ?? basis), one);
    }
    for (const one of [node["parameters"] ?? []].flat()) {
      const shared = parameter(place, one, basis);
      if (shared !== undefined) add(`takes ${shared}`, at(one, basis).basis, shared);
    }
    if (node["requestBody"] !== undefined) {
      const body = at(node["requestBody"], basis);
      json(`${place} body`, body.node, body.basis);
      if (body.node["required"] === true)
        atoms.push({ place: `${place} body`, fact: "required", basis: body.basis, holder: body.node });
    }
    for (const [status, response] of entries(node["responses"])) {
      const own = at(response, basis);
      add(`status ${status}`, own.basis, own.node);
      json(`${place} ${status}`, own.node, own.basis);
      for (const [name, header] of entries(own.node["headers"])) {
        const shared = at(header, own.basis);
        atoms.push({ place, fact: `returns ${name}`, basis: shared.basis, holder: shared.node });
      }
    }
  };

  const info = at(root["info"]);
  const document = { place: service, basis: info.basis, holder: info.node };
  atoms.push({ ...document, fact: `version ${shown(info.node["version"])}` });
  atoms.push({ ...document, fact: `openapi ${shown(root["openapi"])}` });
  for (const { url } of objects(root["servers"]))
    atoms.push({ place: service, fact: `server ${shown(url)}`, basis: undefined, holder: undefined });
  for (const [path, item] of entries(root["paths"]))
    for (const method of httpMethods)
      if (isObject(item[method])) operation(`${service} ${method.toUpperCase()} ${path}`, item[method]);
  const components = Object(root["components"]);
  for (const [name, scheme] of entries(components["securitySchemes"])) {
    const fact = `${shown(scheme["type"])} ${shown(scheme["scheme"])}`;
    atoms.push({ place: name, fact, basis: dialect.basis.read(scheme), holder: scheme });
  }
  const schemas = entries(components["schemas"]);
  const component = ([name, node]: [string, JsonObject]): void => {
    const basis = dialect.basis.read(node);
    content(name, node, basis, (fact) => void atoms.push({ place: name, fact, basis, holder: node }));
  };
  for (const one of schemas) if (named.has(one[0])) component(one);
  // What no place of the table led to.
  for (const one of schemas) if (!named.has(one[0]) && !read.has(one[0])) component(one);
  return atoms;
}
