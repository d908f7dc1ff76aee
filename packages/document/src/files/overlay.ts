import { existsSync, readFileSync } from "node:fs";
import { isObject, memberAt } from "@trainyard/core/validation";
import type { JsonValue } from "jsonpath-rfc9535";
import { DocumentError } from "./problem.ts";
import { jsonPath, yaml } from "./on-demand.ts";

/** One action of an overlay. */
export interface OverlayAction {
  readonly target: string;
  readonly update?: unknown;
  /** A JSONPath of one value of the document, which then serves as the update. */
  readonly copy?: string;
  readonly remove: boolean;
  /** The line in its file, counted from 1. */
  readonly line: number;
}

/** An OpenAPI Overlay (1.0 or 1.1): changes to a document in a separate file. */
export interface Overlay {
  /** The path as it was given. */
  readonly file: string;
  /** The service that it extends; all of them if it extends none. */
  readonly service?: string;
  readonly actions: readonly OverlayAction[];
}

const keys = new Set(["target", "description", "update", "copy", "remove"]);

/**
 * Reads an overlay from YAML or JSON.
 *
 * @param services the known services: `extends` names the document of one, such as `openapi/training/openapi.yaml`. Without
 * them, `extends` may name any document.
 * @throws {@link DocumentError} with every fault, each at its line.
 */
export function readOverlay(file: string, services?: readonly string[]): Overlay {
  const refuse = (message: string, cure: string, line?: number): never => {
    throw new DocumentError([{ file, ...(line !== undefined && { line }), message, cure }]);
  };
  if (!existsSync(file)) refuse("This overlay does not exist.", "Correct the path after --overlay.");
  const { isNode, LineCounter, parseDocument } = yaml();
  const counter = new LineCounter();
  const document = parseDocument(readFileSync(file, "utf8"), { lineCounter: counter, prettyErrors: false });
  const lineOf = (...path: (string | number)[]): number => {
    const node: unknown = document.getIn(path, true);
    return counter.linePos(isNode(node) ? (node.range?.[0] ?? 0) : 0).line;
  };
  const [broken] = document.errors;
  if (broken) {
    const cure = "Look at its indentation, brackets and quotes.";
    refuse(`Not valid YAML: ${broken.message}.`, cure, counter.linePos(broken.pos[0]).line);
  }
  const overlay: unknown = document.toJS();
  if (!isObject(overlay) || !/^1\.[01]\.\d+$/.test(String(overlay["overlay"]))) {
    const cure = "Begin it with `overlay: 1.0.0`, and add `info` and `actions`.";
    return refuse("This is not an OpenAPI Overlay.", cure, 1);
  }
  const actions: unknown[] = Array.isArray(overlay["actions"]) ? overlay["actions"] : [];
  if (actions.length === 0) {
    const cure = "Add `actions`, a list of `{target, update}` or `{target, remove: true}`.";
    refuse("The overlay has no actions.", cure, 1);
  }
  const faults = actions.flatMap((action, index) => {
    const message = faultOf(action, String(overlay["overlay"]));
    const cure = "Write `target`, a JSONPath, and beside it `update`, `remove: true` or, from 1.1.0 on, `copy`.";
    return message === undefined ? [] : [{ file, line: lineOf("actions", index), message, cure }];
  });
  if (faults.length > 0) throw new DocumentError(faults);
  const service = services && serviceOf(overlay["extends"]);
  if (services && service !== undefined && !services.includes(service)) {
    const all = services.map((name) => `openapi/${name}/openapi.yaml`).join(", ");
    const message = `It extends ${String(overlay["extends"])}, which is not one of the documents.`;
    refuse(message, `Extend one of ${all}, or leave \`extends\` out to extend all.`, lineOf("extends"));
  }
  return {
    file,
    ...(service !== undefined && { service }),
    actions: actions.filter(isObject).map(({ target, remove, update, copy }, index) => ({
      target: String(target),
      remove: remove === true,
      ...(update !== undefined && { update }),
      ...(typeof copy === "string" && { copy }),
      line: lineOf("actions", index),
    })),
  };
}

function faultOf(action: unknown, version: string): string | undefined {
  if (!isObject(action)) return "This action is not an object.";
  const isKey = (key: string): boolean => keys.has(key) && !(key === "copy" && version.startsWith("1.0."));
  const strange = Object.keys(action).find((key) => !isKey(key) && !key.startsWith("x-"));
  if (strange !== undefined) return `\`${strange}\` is not a key of an action.`;
  if (typeof action["target"] !== "string") return "This action has no target.";
  const { update, copy, remove } = action;
  if (update !== undefined && copy !== undefined) return "This action has both `update` and `copy`.";
  return update === undefined && typeof copy !== "string" && remove !== true ? "This action has no effect." : undefined;
}

/** `../trainyard/openapi/training/openapi.yaml` becomes `training`; other paths are returned unchanged. */
function serviceOf(extended: unknown): string | undefined {
  if (typeof extended !== "string") return undefined;
  return /([^/]+)\/openapi\.(?:ya?ml|json)$/.exec(extended)?.[1] ?? extended;
}

/**
 * Applies the actions of an overlay to a bundle in order, as the specification defines: objects are merged, items are
 * appended to lists, and other values are replaced. The bundle itself does not change.
 *
 * @param matched gets the actions whose target exists
 * @throws {@link DocumentError} if a target is not a JSONPath.
 */
export function applyOverlay<Bundle extends object>(
  bundle: Bundle,
  { file, actions }: Overlay,
  matched?: Set<OverlayAction>,
): Bundle {
  const holder = { bundle: structuredClone(bundle) };
  for (const action of actions) {
    const targets = find(holder.bundle, file, action, "target");
    const { remove, copy } = action;
    const update = copy === undefined || remove ? action.update : copied(holder.bundle, file, action);
    // From last to first, because a removal from a list shifts the items behind it.
    for (const target of targets.toReversed()) change(holder, ["bundle", ...target], { ...action, update });
    if (targets.length > 0) matched?.add(action);
  }
  return holder.bundle;
}

/** The actions of overlays that had no effect, each as a sentence with its location. */
export function missedActions(
  overlays: readonly Overlay[],
  matched: ReadonlySet<OverlayAction>,
  nameOf: (service: string | undefined) => string,
): string[] {
  return overlays.flatMap(({ file, service, actions }) =>
    actions
      .filter((action) => !matched.has(action))
      .map(({ line, target }) => {
        return `${file}:${line}  The target \`${target}\` does not exist in ${nameOf(service)}. The action had no effect.`;
      }),
  );
}

type Path = readonly (string | number)[];

/** The value that an action copies. A copy of it, because it may contain its target. */
function copied(document: object, file: string, action: OverlayAction): unknown {
  const [path, ...others] = find(document, file, action, "copy");
  if (path !== undefined && others.length === 0) return structuredClone(memberAt(document, path));
  const message = `\`copy: ${action.copy}\` selects ${path === undefined ? "nothing" : `${others.length + 1} values`}.`;
  throw new DocumentError([{ file, line: action.line, message, cure: "Select one value of the document." }]);
}

function find(document: object, file: string, action: OverlayAction, key: "target" | "copy"): Path[] {
  const found: Path[] = [];
  const { [key]: query = "", line } = action;
  try {
    // Bundles are parsed from JSON.
    jsonPath().exec(document as JsonValue, query, (_, path) => void found.push([...path]));
  } catch (error) {
    const message = `The ${key} \`${query}\` is not a JSONPath: ${error instanceof Error ? error.message : String(error)}`;
    const cure = "Write a JSONPath of RFC 9535, such as `$.servers[0]` or `$.paths['/v1/health'].get`.";
    throw new DocumentError([{ file, line, message, cure }]);
  }
  return found;
}

function change(holder: object, path: Path, { update, remove }: OverlayAction): void {
  const parent = path.slice(0, -1).reduce<object>((node, step) => Object(Reflect.get(node, step)), holder);
  const key = path.at(-1) ?? "";
  if (!remove) Reflect.set(parent, key, merged(Reflect.get(parent, key), update));
  else if (Array.isArray(parent)) parent.splice(Number(key), 1);
  else Reflect.deleteProperty(parent, key);
}

function merged(value: unknown, update: unknown): unknown {
  if (Array.isArray(value)) return value.concat(update);
  if (!isObject(value) || !isObject(update)) return update;
  const now = Object.entries(update).map(([key, item]) => [key, key in value ? merged(value[key], item) : item]);
  return { ...value, ...Object.fromEntries(now) };
}
