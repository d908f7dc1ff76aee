import { isObject } from "@trainyard/core/validation";
import { exec, type JsonValue } from "jsonpath-rfc9535";
import { DocumentError } from "../problem.ts";
import type { Overlay, OverlayAction } from "./read-overlay.ts";

/**
 * Applies the actions of an overlay to a bundle in order, as the specification defines: objects are merged, items are
 * appended to lists, and other values are replaced. The bundle itself does not change.
 *
 * @returns the new bundle, and the actions whose target does not exist in it
 * @throws {@link DocumentError} if a target is not a JSONPath.
 */
export function applyOverlay<Bundle extends object>(
  bundle: Bundle,
  { file, actions }: Overlay,
): { readonly bundle: Bundle; readonly missed: readonly OverlayAction[] } {
  const copy = structuredClone(bundle);
  const missed = actions.filter((action) => {
    const targets = find(copy, file, action);
    // From last to first, because a removal from a list shifts the items behind it.
    for (const target of targets.toReversed()) change(copy, target, action);
    return targets.length === 0;
  });
  return { bundle: copy, missed };
}

type Path = readonly (string | number)[];

function find(document: object, file: string, { target, line }: OverlayAction): Path[] {
  const found: Path[] = [];
  try {
    exec(asJson(document), target, (_, path) => void found.push([...path]));
  } catch (error) {
    const message = `The target \`${target}\` is not a JSONPath: ${error instanceof Error ? error.message : String(error)}`;
    const cure = "Write a JSONPath of RFC 9535, such as `$.servers[0]` or `$.paths['/v1/health'].get`.";
    throw new DocumentError([{ file, line, message, cure }]);
  }
  return found;
}

/** Bundles are parsed from JSON. */
function asJson(value: unknown): JsonValue {
  const json: JsonValue = JSON.parse(JSON.stringify(value));
  return json;
}

function change(document: object, path: Path, { update, remove }: OverlayAction): void {
  const key = path.at(-1);
  if (key === undefined) {
    Object.assign(document, merged(document, update));
    return;
  }
  let parent: unknown = document;
  for (const step of path.slice(0, -1)) parent = Array.isArray(parent) ? parent[Number(step)] : member(parent, step);
  if (Array.isArray(parent)) {
    if (remove) parent.splice(Number(key), 1);
    else parent[Number(key)] = merged(parent[Number(key)], update);
  } else if (isObject(parent)) {
    if (remove) delete parent[key];
    else parent[key] = merged(parent[key], update);
  }
}

function member(value: unknown, key: string | number): unknown {
  return isObject(value) ? value[key] : undefined;
}

function merged(value: unknown, update: unknown): unknown {
  if (Array.isArray(value)) return value.concat(update);
  if (!isObject(value) || !isObject(update)) return update;
  const now = Object.entries(update).map(([key, item]) => [key, key in value ? merged(value[key], item) : item]);
  return { ...value, ...Object.fromEntries(now) };
}
