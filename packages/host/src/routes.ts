import type { Operation } from "@trainyard/document";

/** The operations of a path. */
export interface Route {
  /** By method, in upper case. */
  readonly operations: ReadonlyMap<string, Operation>;
  /** The allowed methods. HEAD is included if GET is. */
  readonly allow: readonly string[];
  /** The parameters in the path, decoded. */
  readonly params: Readonly<Record<string, string>>;
}

interface Template extends Omit<Route, "params"> {
  /** Matches a path whose segments are encoded alike. */
  readonly pattern: RegExp;
  /** The names of the parameters, in each path that has this pattern. */
  readonly names: readonly (readonly string[])[];
}

/**
 * Creates the function that finds the route of a path. Paths are compared by decoded segments, so that `/v1/m%6Fdels`
 * matches `/v1/models`, and an encoded slash stays within its segment. Literal text takes precedence over parameters:
 * `/maps/all`, then `/maps/{id}.json`, then `/maps/{id}`. A trailing slash makes a different path.
 */
export function createRouter(operations: readonly Operation[]): (path: string) => Route | undefined {
  const byLength = new Map<number, Template[]>();
  // Paths that differ only in the names of their parameters are one template.
  const alike = new Map<string, Operation[]>();
  for (const operation of operations) {
    const pattern = operation.path.replaceAll(/\{[^{}]+\}/g, "{}");
    alike.set(pattern, [...(alike.get(pattern) ?? []), operation]);
  }
  for (const [pattern, here] of [...alike].toSorted(([a], [b]) => order(a, b))) {
    const { length } = pattern.split("/");
    byLength.set(length, [...(byLength.get(length) ?? []), readTemplate(pattern, here)]);
  }
  return (path) => {
    const segments = path.split("/").map(encodeAlike);
    if (segments.includes(undefined)) return undefined;
    const encoded = segments.join("/");
    for (const { pattern, names, operations: here, allow } of byLength.get(segments.length) ?? []) {
      const values = pattern.exec(encoded);
      if (values === null) continue;
      const pairs = names.flatMap((one) => one.map((name, at) => [name, decodeURIComponent(values[at + 1] ?? "")]));
      return { operations: here, allow, params: Object.fromEntries(pairs) };
    }
    return undefined;
  };
}

function readTemplate(pattern: string, here: readonly Operation[]): Template {
  const methods = new Set(here.flatMap(({ method }) => (method === "GET" ? ["GET", "HEAD"] : [method])));
  const texts = pattern.split("{}").map((text) => text.split("/").map(encodeAlike).join("/"));
  const paths = [...new Set(here.map(({ path }) => path))];
  return {
    // Of two operations with one method, the first counts.
    operations: new Map(here.toReversed().map((operation) => [operation.method, operation])),
    allow: [...methods],
    names: paths.map((path) => [...path.matchAll(/\{([^{}]+)\}/g)].map(([, name = ""]) => name)),
    pattern: new RegExp(`^${texts.map((text) => text.replace(/[.*()]/g, String.raw`\$&`)).join("([^/]+?)")}$`),
  };
}

/** Sorts by the literal text of each segment, from the left: the most first, and a segment without parameters before all. */
function order(left: string, right: string): number {
  const [a = [], b = []] = [left, right].map((path) =>
    path.split("/").map((segment) => (segment.includes("{") ? segment.replaceAll("{}", "").length : Infinity)),
  );
  const at = a.findIndex((weight, index) => weight !== b[index]);
  return a.length - b.length || (b[at] ?? 0) - (a[at] ?? 0);
}

/** A segment as it is compared, however it was encoded; undefined if its encoding is not valid. */
function encodeAlike(segment: string): string | undefined {
  if (/^[\w-]*$/.test(segment)) return segment;
  try {
    return encodeURIComponent(decodeURIComponent(segment));
  } catch {
    return undefined;
  }
}
