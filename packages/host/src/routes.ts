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
  /** A literal segment as text, a parameter by its name. */
  readonly segments: readonly (string | { readonly name: string })[];
}

/**
 * Creates the function that finds the route of a path. Paths are compared by decoded segments, so that `/v1/m%6Fdels`
 * matches `/v1/models`, and an encoded slash stays within its segment. Literal segments take precedence over parameters. A
 * trailing slash makes a different path.
 */
export function createRouter(operations: readonly Operation[]): (path: string) => Route | undefined {
  const templates = [...new Set(operations.map(({ path }) => path))]
    .map((path) => readTemplate(path, operations))
    .toSorted((a, b) => order(a) - order(b));
  const byLength = new Map<number, Template[]>();
  for (const template of templates) {
    const { length } = template.segments;
    byLength.set(length, [...(byLength.get(length) ?? []), template]);
  }
  return (path) => {
    const segments = path.split("/").map(decode);
    for (const template of byLength.get(segments.length) ?? []) {
      const params = match(template, segments);
      if (params) return { operations: template.operations, allow: template.allow, params };
    }
    return undefined;
  };
}

function readTemplate(path: string, operations: readonly Operation[]): Template {
  const here = operations.filter((operation) => operation.path === path);
  const methods = new Set(here.flatMap(({ method }) => (method === "GET" ? ["GET", "HEAD"] : [method])));
  return {
    operations: new Map(here.map((operation) => [operation.method, operation])),
    allow: [...methods],
    segments: path.split("/").map((segment) => {
      const name = /^\{(.+)\}$/.exec(segment)?.[1];
      return name === undefined ? segment : { name };
    }),
  };
}

/** Sorts literal segments first: one binary digit per segment. */
function order({ segments }: Template): number {
  return segments.reduce((digits, segment) => digits * 2 + (typeof segment === "string" ? 0 : 1), 0);
}

function match({ segments: template }: Template, segments: readonly (string | undefined)[]) {
  const params: Record<string, string> = {};
  for (let index = 0; index < template.length; index++) {
    const expected = template[index] ?? "";
    const segment = segments[index];
    if (typeof expected === "string") {
      if (segment !== expected) return undefined;
    } else {
      if (segment === undefined || segment === "") return undefined;
      params[expected.name] = segment;
    }
  }
  return params;
}

function decode(segment: string): string | undefined {
  if (!segment.includes("%")) return segment;
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}
