import { sides, type Comparison } from "../comparison.ts";
import { operationKeys, type DocumentNode, absent, child, children } from "@trainyard/document";
import { type Document } from "../document.ts";
import { operationName } from "../location.ts";
import { pointerTokens as tokens } from "@trainyard/core/validation";
import { annotation, childPair, compareKeys, isOneSided, keysOf } from "./keys.ts";
import { compareOperation } from "./operation.ts";

/** A path as requests match it: the names of its parameters do not matter. */
function shape(path: string): string {
  return path.replaceAll(/\{[^}]*\}/g, "{}");
}

interface Operation {
  readonly name: string;
  readonly path: DocumentNode;
  readonly operation: DocumentNode;
  readonly template: string;
}

/** Operations by method and shape of their path. */
function operations(document: Document): Map<string, Operation> {
  const found = new Map<string, Operation>();
  for (const [template, at] of children(document.at("/paths"))) {
    for (const method of operationKeys(at.value)) {
      const operation = child(at, method);
      found.set(`${method} ${shape(template)}`, {
        name: operationName(document, template, method),
        path: at,
        operation,
        template,
      });
    }
  }
  return found;
}

const only = ["operation", "operation-added", "operation-removed"] as const;

/** Compares all operations of a service. They are matched by method and path, so that their names may change. */
export function comparePaths(comparison: Comparison): void {
  const before = operations(comparison.base);
  const now = operations(comparison.revision);
  const moves = moved(before, now);
  for (const [key, base] of before) {
    const revision = now.get(moves.get(key) ?? key);
    comparison.operation(base.name, () => {
      const pair = {
        base: base.operation,
        revision: revision?.operation ?? absent(base.operation),
      };
      if (isOneSided(comparison, pair, ...only) || revision === undefined) return;
      if (moves.has(key)) {
        const prefix = prefixOf(base, revision);
        const from = `The operation ${base.name} moved: \`${address(base)}\` became \`${address(revision)}\`.`;
        const what = prefix === undefined ? from : `\`${prefix}\` precedes its path now.`;
        comparison.report("operation-moved", pair, what);
      }
      comparison.about(base.operation, () => {
        compareOperation(comparison, { path: { base: base.path, revision: revision.path }, operation: pair });
      });
    });
  }
  for (const [key, revision] of now) {
    if (before.has(key) || [...moves.values()].includes(key)) continue;
    const at = { base: absent(revision.operation), revision: revision.operation };
    comparison.operation(revision.name, () => void isOneSided(comparison, at, ...only));
  }
  compareItems(comparison, before, now);
}

function address({ template, operation }: Operation): string {
  return `${(tokens(operation.pointer).at(-1) ?? "").toUpperCase()} ${template}`;
}

/** What precedes the path of an operation now. */
function prefixOf(base: Operation, revision: Operation): string | undefined {
  const [was, is] = [shape(base.template), shape(revision.template)];
  return is.length > was.length && is.endsWith(was) ? revision.template.slice(0, -base.template.length) : undefined;
}

/** Operations with another address now, by name; without one, if the same precedes the paths of several now. */
function moved(
  before: ReadonlyMap<string, Operation>,
  now: ReadonlyMap<string, Operation>,
): ReadonlyMap<string, string> {
  const come = [...now].filter(([key]) => !before.has(key));
  const names = ({ operation }: Operation): unknown[] =>
    ["x-client-method", "operationId"].map((key) => child(operation, key).value).filter((name) => name !== undefined);
  const gone = [...before].filter(([key]) => !now.has(key));
  const prefixed = (key: string, prefix: string): string => key.replace(" ", ` ${shape(prefix)}`);
  const prefix = gone
    .slice(1, 2)
    .flatMap(([, base]) => come.flatMap(([, other]) => prefixOf(base, other) ?? []))
    .find((some) => gone.every(([key]) => now.has(prefixed(key, some))));
  const found = new Map<string, string>();
  for (const [key, base] of gone) {
    const previous = names(base);
    const target =
      come.find(([, other]) => names(other).some((name) => previous.includes(name))) ??
      (prefix === undefined ? undefined : come.find(([other]) => other === prefixed(key, prefix)));
    if (target !== undefined && ![...found.values()].includes(target[0])) found.set(key, target[0]);
  }
  return found;
}

/** Compares paths apart from their operations. */
function compareItems(comparison: Comparison, before: Map<string, Operation>, now: Map<string, Operation>): void {
  const all = sides((side) => comparison[side].at("/paths"));
  const used = new Set([...before.values(), ...now.values()].map(({ template }) => template));
  for (const key of keysOf(all)) if (!used.has(key)) comparison.exhaust(childPair(all, key), () => undefined);
  const seen = new Set<string>();
  const rules = { summary: annotation("description-changed"), description: annotation("description-changed") };
  for (const [key, { path }] of before) {
    const revision = now.get(key)?.path;
    if (revision === undefined || seen.has(path.pointer)) continue;
    seen.add(path.pointer);
    const methods = [path, revision].flatMap(({ value }) => operationKeys(value));
    compareKeys(comparison, { base: path, revision }, { rules, skip: [...methods, "parameters", "servers"] });
  }
}
