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
  /** A literal segment as text. */
  readonly segments: readonly (string | Pattern)[];
}

/** A segment with parameters: `{id}`, `{id}.json`. */
interface Pattern {
  readonly names: readonly string[];
  readonly match: RegExp;
  /** The number of literal characters. */
  readonly literal: number;
}

/**
 * Creates the function that finds the route of a path. Paths are compared by decoded segments, so that `/v1/m%6Fdels`
 * matches `/v1/models`, and an encoded slash stays within its segment. Literal text takes precedence over parameters:
 * `/maps/all`, then `/maps/{id}.json`, then `/maps/{id}`. A trailing slash makes a different path.
 */
export function createRouter(operations: readonly Operation[]): (path: string) => Route | undefined {
  const templates = [...new Set(operations.map(({ path }) => path))]
    .map((path) => readTemplate(path, operations))
    .toSorted(order);
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
    segments: path.split("/").map(readSegment),
  };
}

function readSegment(segment: string): string | Pattern {
  // Text and names in turns.
  const parts = segment.split(/\{([^{}]+)\}/);
  if (parts.length === 1) return segment;
  const texts = parts.filter((_, index) => index % 2 === 0);
  return {
    names: parts.filter((_, index) => index % 2 === 1),
    match: new RegExp(`^${texts.map((text) => text.replace(/[.*+?^$()|[\]{}\\]/g, "\\$&")).join("([^]+?)")}$`),
    literal: texts.join("").length,
  };
}

/** Compares by the literal text of each segment, from the left: the most first. Paths of other lengths do not compete. */
function order({ segments: a }: Template, { segments: b }: Template): number {
  const weight = (segment: string | Pattern = "") => (typeof segment === "string" ? Infinity : segment.literal);
  const index = a.findIndex((segment, at) => weight(segment) !== weight(b[at]));
  return a.length - b.length || (index < 0 ? 0 : weight(b[index]) - weight(a[index]));
}

function match({ segments: template }: Template, segments: readonly (string | undefined)[]) {
  const params: Record<string, string> = {};
  for (let index = 0; index < template.length; index++) {
    const expected = template[index] ?? "";
    const segment = segments[index];
    if (typeof expected === "string") {
      if (segment !== expected) return undefined;
    } else {
      const values = segment === undefined ? null : expected.match.exec(segment);
      if (values === null) return undefined;
      for (const [at, name] of expected.names.entries()) params[name] = values[at + 1] ?? "";
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
