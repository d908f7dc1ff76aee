import type { DocumentOperation } from "./document.ts";

/** What a path leads to. */
export interface Route {
  /** By method, upper case. */
  readonly operations: ReadonlyMap<string, DocumentOperation>;
  /** The parameters in the path, decoded. */
  readonly params: Readonly<Record<string, string>>;
}

/**
 * Makes the function that finds what a path leads to. Paths are compared segment by segment after decoding, so that
 * `/v1/m%6Fdels` is `/v1/models`, and an encoded slash stays within its segment. A literal segment comes before a
 * parameter. A slash at the end makes another path.
 */
export function createRouter(operations: readonly DocumentOperation[]): (path: string) => Route | undefined {
  const templates = [...new Set(operations.map(({ path }) => path))]
    .map((path) => ({ segments: path.split("/"), byMethod: byMethod(operations, path) }))
    .toSorted((a, b) => order(a.segments).localeCompare(order(b.segments)));
  return (path) => {
    const segments = path.split("/").map(decode);
    for (const { segments: template, byMethod } of templates) {
      const params = match(template, segments);
      if (params) return { operations: byMethod, params };
    }
    return undefined;
  };
}

function byMethod(operations: readonly DocumentOperation[], path: string): Map<string, DocumentOperation> {
  return new Map(
    operations.filter((operation) => operation.path === path).map((operation) => [operation.method, operation]),
  );
}

/** Literal segments first: `0` sorts before `1`. */
function order(segments: readonly string[]): string {
  return segments.map((segment) => (segment.includes("{") ? "1" : "0")).join("");
}

function match(template: readonly string[], segments: readonly (string | undefined)[]) {
  if (template.length !== segments.length) return undefined;
  const params: Record<string, string> = {};
  for (const [index, expected] of template.entries()) {
    const segment = segments[index];
    const name = /^\{(.+)\}$/.exec(expected)?.[1];
    if (segment === undefined || (name === undefined ? segment !== expected : segment === "")) return undefined;
    if (name !== undefined) params[name] = segment;
  }
  return params;
}

function decode(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}
