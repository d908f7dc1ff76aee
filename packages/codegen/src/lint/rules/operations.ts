/** The rules of operations, as clients call them: names, parameters, responses and retries. */
import { existsSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { isObject, type JsonObject } from "@trainyard/core/validation";
import { commonOptions, dialect, forbiddenMethodParts, nearest } from "@trainyard/document";
import { parseFile } from "@trainyard/document/files";
import { isAlias, nameOf, type Operation, operationsOf, eachOperation, requestSchemaOf } from "../document.ts";
import { listOf, nodeOf } from "../node.ts";
import type { Place, Rule } from "../redocly.ts";
import { partsOf } from "../schema.ts";

/** The keys of an operation that affect clients. An alias is called like its operation. */
const shared = [dialect.resend, dialect.timeout, dialect.pagination, dialect.stream];
const { key: aliasKey } = dialect.aliasOf;
const { key: clientMethodKey } = dialect.clientMethod;

/** An alias names an operation of the document with the same HTTP method, has no other keys than it, and no method. */
export const aliasOf: Rule = () => ({
  Root(root, context) {
    const operations = operationsOf(root, context);
    for (const alias of operations.filter(isAlias)) {
      const id = alias.node[aliasKey];
      const target = operations.find(({ node }) => node["operationId"] === id);
      const location = alias.location.child(aliasKey);
      if (!target) {
        const message = `No operation of this document has the operationId \`${String(id)}\`. Write the operationId of the original operation.`;
        context.report({ message, location });
        continue;
      }
      if (isAlias(target)) {
        const message = `${nameOf(target)} is an alias itself. Name the original operation.`;
        context.report({ message, location });
      }
      if (target.method !== alias.method) {
        const message = `An alias must have the HTTP method of its operation, but ${nameOf(target)} has another one. Name an operation with ${alias.method.toUpperCase()}.`;
        context.report({ message, location });
      }
      if (Object.hasOwn(alias.node, clientMethodKey)) {
        const message = `An alias must not have a client method. Remove \`${clientMethodKey}\`.`;
        context.report({ message, location: alias.location.child(clientMethodKey).key() });
      }
      for (const { key } of shared) {
        if (Object.hasOwn(alias.node, key) && !isDeepStrictEqual(alias.node[key], target.node[key])) {
          const message = `An alias must behave like its operation. Remove \`${key}\`, or use the value of ${nameOf(target)}.`;
          context.report({ message, location: alias.location.child(key).key() });
        }
      }
    }
  },
});

/**
 * Each operation that is not an alias has one unique method; no method is the group of another; its file is named after it.
 */
export const clientMethod: Rule = () => ({
  Root(root, context) {
    const methods = new Map<string, Operation>();
    const take = (method: string, operation: Operation, location: Place): void => {
      const before = methods.get(method);
      if (before) {
        const message = `\`${method}\` is already the method of ${nameOf(before)}. Choose another name.`;
        context.report({ message, location });
      }
      const word = method.split(".").find((each) => forbiddenMethodParts.has(each));
      if (word !== undefined) {
        const message = `No part of a method may be named \`${word}\`, because JavaScript gives that name a special meaning. Choose another name.`;
        context.report({ message, location });
      }
      methods.set(method, operation);
    };
    for (const operation of operationsOf(root, context)) {
      const method = operation.node[clientMethodKey];
      const location = operation.location.child(clientMethodKey);
      if (method === undefined && !isAlias(operation)) {
        const message = `${nameOf(operation)} has no \`${clientMethodKey}\`. Add the name of the client's method, such as \`models.list\`.`;
        context.report({ message, location: operation.location.key() });
      }
      if (typeof method !== "string") continue;
      take(method, operation, location);
      const file = fileOf(operation, context.location.source.absoluteRef);
      if (file !== undefined && file !== kebabOf(method)) {
        const message = `An operation's file must be named after its method. Rename \`${file}.yaml\` to \`${kebabOf(method)}.yaml\`.`;
        context.report({ message, location });
      }
    }
    for (const [method, operation] of methods) {
      const group = [...methods.keys()].find((other) => other.startsWith(`${method}.`));
      if (group === undefined) continue;
      const message = `\`${method}\` cannot be a method, because \`${group}\` makes it a group. Rename one of them.`;
      context.report({ message, location: operation.location.child(clientMethodKey) });
    }
  },
});

/** The name of the operation's own file, if it has one. */
function fileOf(operation: Operation, document: string): string | undefined {
  const file = operation.location.source.absoluteRef;
  return file === document || operation.location.pointer !== "#/" ? undefined : basename(file, ".yaml");
}

function kebabOf(method: string): string {
  return method.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`).replaceAll(".", "-");
}

const { key: clientOptionKey } = dialect.clientOption;

/** Options of every client and of every call. */
export const taken: ReadonlySet<string> = new Set([...commonOptions, "apiKey", "accessToken"]);

/** A client option fills one parameter, and does not have the name of a common option. */
export const clientOption: Rule = () => ({
  Root(root, context) {
    const parameters = new Map<string, string>();
    const judged = new Set<string>();
    for (const { node, location } of operationsOf(root, context).flatMap((operation) => operation.parameters)) {
      const option = node[clientOptionKey];
      if (typeof option !== "string" || judged.has(location.absolutePointer)) continue;
      judged.add(location.absolutePointer);
      const place = location.child(clientOptionKey);
      if (taken.has(option)) {
        const message = `Every client already has an option \`${option}\`. Choose another name.`;
        context.report({ message, location: place });
      }
      if (node["required"] === true) {
        const message = `An option is optional, so it cannot fill a required parameter. Make the parameter optional, or remove \`${clientOptionKey}\`.`;
        context.report({ message, location: place.key() });
      }
      const name = String(node["name"]);
      const filled = parameters.get(option);
      if (filled !== undefined && filled !== name) {
        const message = `The option \`${option}\` fills \`${filled}\` already. Choose another name.`;
        context.report({ message, location: place });
      }
      parameters.set(option, name);
    }
  },
});

/**
 * An operationId is a name in snake case, the path with `_` for each character that is not a letter, digit or `_`, and the
 * method: `log_v1_preview_models__model_id__log_post`. The name is the summary, or the name that an interface gives. An alias has `_alias` after its summary, because many generators
 * drop underscores: two ids that differ only in those would become the same name. A released one stays: generators name
 * functions by it, so another summary does not change it.
 */
export const operationId: Rule = () => ({
  Root(root, context) {
    const released = releasedPaths(context.location.source.absoluteRef);
    const first = new Map<unknown, Operation>();
    for (const operation of operationsOf(root, context)) {
      const { summary, operationId: id } = operation.node;
      const location = operation.location.child("operationId");
      const other = id === undefined ? undefined : first.get(id);
      if (other) {
        const message = `\`${String(id)}\` is also the operationId of ${nameOf(other)}. Each operation has its own.`;
        context.report({ message, location: [location, other.location.child("operationId")] });
      } else first.set(id, operation);
      if (typeof summary !== "string") continue;
      const name = summary.trim().toLowerCase().replaceAll(/\s+/g, "_");
      const alias = isAlias(operation) ? "_alias" : "";
      const kept = released[operation.path]?.[operation.method]?.operationId;
      const built = `${`${name}${alias}${operation.path}`.replaceAll(/\W/g, "_")}_${operation.method}`;
      const end = built.slice(name.length);
      const isNamed = String(id).endsWith(end) && /^[a-z\d]+(?:_[a-z\d]+)*$/.test(String(id).slice(0, -end.length));
      if (kept === undefined ? isNamed : id === kept) continue;
      const message =
        kept === undefined
          ? `The operationId must be built from summary, path and method. Write \`${built}\` for ${nameOf(operation)}.`
          : `The operationId of ${nameOf(operation)} is released, and must stay. Write \`${kept}\`.`;
      context.report({ message, location });
    }
  },
});

type Paths = Readonly<Record<string, Readonly<Record<string, { readonly operationId?: string }>>>>;

/** The paths of the service's last release. @param document its `openapi.yaml` */
export function releasedPaths(document: string): Paths {
  const [service, all] = [dirname(document), dirname(dirname(document))];
  const file = join(basename(all), "released", `${basename(service)}.json`);
  if (!existsSync(join(dirname(all), file))) return {};
  const { paths = {} } = parseFile(dirname(all), file) as { paths?: Paths };
  return paths;
}

/** The responses that an operation must declare, and why. */
const required: readonly (readonly [
  codes: readonly string[],
  needs: (operation: Operation, root: JsonObject) => boolean,
  why: string,
])[] = [
  [["200"], () => true, "success is always 200"],
  [["401"], isSecured, "its credential can be missing or invalid"],
  [["404"], ({ path }) => path.includes("{"), "its path names something that may not exist"],
  [["409"], hasParameter("header", "idempotency-key"), "the same key can be sent with another body"],
  [["413"], hasBody, "its body can be too large"],
  [["422", "400"], (operation) => hasBody(operation) || hasParameter("query")(operation), "its input can be invalid"],
  [["429"], isSecured, "a caller can send too many requests"],
  [["500"], () => true, "any operation can fail"],
  [["503"], () => true, "any service can be overloaded"],
];

/** Each operation declares every possible response, so that clients and mocks support it. */
export const requiredResponses: Rule = eachOperation((operation, context, root) => {
  const declared = Object.keys(nodeOf(operation.node["responses"]));
  const location = operation.location.child("responses");
  for (const [codes, needs, why] of required) {
    if (!needs(operation, root) || codes.some((code) => declared.includes(code))) continue;
    const message = `${nameOf(operation)} declares no ${codes.join(" or ")}: ${why}. Add that response.`;
    context.report({ message, location: location.key() });
  }
  for (const code of declared) {
    if (code === "200" || !/^(?:[123]|default)/.test(code)) continue;
    const message = `Success is always 200. Declare the response of ${code} as 200.`;
    context.report({ message, location: location.child(code).key() });
  }
});

function hasBody({ node }: Operation): boolean {
  return node["requestBody"] !== undefined;
}

function hasParameter(place: string, name?: string): (operation: Operation) => boolean {
  return ({ parameters }) =>
    parameters.some(
      ({ node }) => node["in"] === place && (name === undefined || String(node["name"]).toLowerCase() === name),
    );
}

/** Whether every call needs a credential; `{}` among the alternatives means that it does not. */
function isSecured({ node }: Operation, root: JsonObject): boolean {
  const alternatives = listOf(node["security"] ?? root["security"]);
  return alternatives.length > 0 && alternatives.every((each) => isObject(each) && Object.keys(each).length > 0);
}

const { key: resendKey } = dialect.resend;

/**
 * Each operation declares whether it may be retried, `with-key` requires a declared `Idempotency-Key`, and a condition names
 * properties of the body.
 */
export const resend: Rule = eachOperation((operation, context) => {
  const value = operation.node[resendKey];
  const { rule, alwaysIf = {} } = dialect.resend.read(operation.node) ?? {};
  if (value === undefined && !isAlias(operation)) {
    const message = `${nameOf(operation)} does not declare whether it may be retried. Add \`${resendKey}: always\`, \`with-key\` or \`never\`.`;
    context.report({ message, location: operation.location.key() });
  }
  if (value === undefined) return;
  const keyed = operation.parameters.some(
    ({ node }) => node["in"] === "header" && String(node["name"]).toLowerCase() === "idempotency-key",
  );
  const location = operation.location.child(resendKey);
  if (rule === "with-key" && !keyed) {
    const message =
      "`with-key` requires that the operation declares the key. Add the header parameter `Idempotency-Key`, or choose `always` or `never`.";
    context.report({ message, location });
  }
  if (rule !== "with-key" && keyed) {
    const message = `The operation declares \`Idempotency-Key\`, so it may be retried with one. Write \`${resendKey}: with-key\`, or remove the parameter.`;
    context.report({ message, location });
  }
  const body = requestSchemaOf(operation, context);
  const parts = body === undefined ? [] : [...partsOf(body, context)];
  const names = parts.flatMap(({ node }) => Object.keys(nodeOf(node["properties"])));
  for (const name of Object.keys(alwaysIf).filter((one) => !names.includes(one))) {
    const meant = nearest(name, names);
    const message = `The body of ${nameOf(operation)} has no property \`${name}\`, so the condition never holds. Name one that the body has.`;
    const place = location.child(["always-if", name]).key();
    context.report({ message, location: place, ...(meant !== undefined && { suggest: [`\`${meant}\``] }) });
  }
});
