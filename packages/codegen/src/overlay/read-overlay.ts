import { existsSync, readFileSync } from "node:fs";
import { isObject, type JsonObject } from "@trainyard/core/validation";
import { isNode, LineCounter, parseDocument } from "yaml";
import { DocumentError, type Problem } from "../problem.ts";

/** One action of an overlay. */
export interface OverlayAction {
  readonly target: string;
  readonly update?: unknown;
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

const keys = new Set(["target", "description", "update", "remove"]);

/**
 * Reads an overlay from YAML or JSON.
 *
 * @param services the known services: `extends` names the document of one, such as `openapi/training/openapi.yaml`
 * @throws {@link DocumentError} with every fault, each at its line.
 */
export function readOverlay(file: string, services: readonly string[], shown: string = file): Overlay {
  const refuse = (message: string, cure: string, line?: number): never => {
    throw new DocumentError([{ file: shown, ...(line !== undefined && { line }), message, cure }]);
  };
  if (!existsSync(file)) refuse("This overlay does not exist.", "Correct the path after --overlay.");
  const counter = new LineCounter();
  const document = parseDocument(readFileSync(file, "utf8"), { lineCounter: counter, prettyErrors: false });
  const lineOf = (...path: (string | number)[]): number => {
    const node: unknown = document.getIn(path, true);
    return counter.linePos(isNode(node) ? (node.range?.[0] ?? 0) : 0).line;
  };
  const [broken] = document.errors;
  if (broken)
    refuse(
      `Not valid YAML: ${broken.message}.`,
      "Look at its indentation, brackets and quotes.",
      counter.linePos(broken.pos[0]).line,
    );
  const overlay: unknown = document.toJS();
  if (!isObject(overlay) || !/^1\.[01]\.\d+$/.test(String(overlay["overlay"]))) {
    return refuse(
      "This is not an OpenAPI Overlay.",
      "Begin it with `overlay: 1.0.0`, and add `info` and `actions`.",
      1,
    );
  }
  const actions = Array.isArray(overlay["actions"]) ? overlay["actions"] : [];
  if (actions.length === 0)
    refuse(
      "The overlay has no actions.",
      "Add `actions`, a list of `{target, update}` or `{target, remove: true}`.",
      1,
    );
  const faults = actions.flatMap(
    (action: unknown, index) => faultOf(action, { file: shown, line: lineOf("actions", index) }) ?? [],
  );
  if (faults.length > 0) throw new DocumentError(faults);
  const service = serviceOf(overlay["extends"]);
  if (service !== undefined && !services.includes(service)) {
    const all = services.map((name) => `openapi/${name}/openapi.yaml`).join(", ");
    refuse(
      `It extends ${String(overlay["extends"])}, which is not one of the documents.`,
      `Extend one of ${all}, or leave \`extends\` out to extend all.`,
      lineOf("extends"),
    );
  }
  return {
    file: shown,
    ...(service !== undefined && { service }),
    actions: actions.filter(isObject).map((action, index) => ({
      target: String(action["target"]),
      remove: action["remove"] === true,
      ...(action["update"] !== undefined && { update: action["update"] }),
      line: lineOf("actions", index),
    })),
  };
}

function faultOf(action: unknown, location: { readonly file: string; readonly line: number }): Problem | undefined {
  const cure = "Write `target`, a JSONPath, and beside it `update` or `remove: true`.";
  if (!isObject(action)) return { ...location, message: "This action is not an object.", cure };
  const strange = Object.keys(action).find((key) => !keys.has(key) && !key.startsWith("x-"));
  if (strange !== undefined) return { ...location, message: `\`${strange}\` is not a key of an action.`, cure };
  if (typeof action["target"] !== "string") return { ...location, message: "This action has no target.", cure };
  return changes(action) ? undefined : { ...location, message: "This action has no effect.", cure };
}

function changes(action: JsonObject): boolean {
  return action["update"] !== undefined || action["remove"] === true;
}

/** `../trainyard/openapi/training/openapi.yaml` becomes `training`; other paths are returned unchanged. */
function serviceOf(extended: unknown): string | undefined {
  if (typeof extended !== "string") return undefined;
  return /([^/]+)\/openapi\.(?:ya?ml|json)$/.exec(extended)?.[1] ?? extended;
}
