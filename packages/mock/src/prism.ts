import { isObject, memberAt, type Fault, type JsonObject, type Loc } from "@trainyard/core/validation";
import { isJson, readDocument } from "@trainyard/document";
import { validatorOf, type Generate } from "@trainyard/host";

/** Creates the function that generates bodies from their schemas with Prism. Prism is loaded on demand. */
export function createPrism(document: object): Generate {
  let ready: ReturnType<typeof load> | undefined;
  return async (operation, status, mediaType) => {
    const { prism, resources, config } = await (ready ??= load(document));
    const resource = resources.find((r) => r.path === operation.path && r.method.toUpperCase() === operation.method);
    if (!resource) throw new Error(`Prism found no ${operation.method} ${operation.path} in the document.`);
    const mock = { dynamic: false, code: status, mediaTypes: [mediaType] };
    // The template matches the operation, whatever the parameters of the request.
    const request = { method: operation.key, url: { path: operation.path }, headers: {} };
    const result = await prism.request(request, [resource], { ...config, mock })();
    if (result._tag === "Left") throw result.left;
    const { body } = result.right.output;
    return body === undefined || !isJson(mediaType)
      ? body
      : repaired(body, (value) => validatorOf(document).answer(operation, status, mediaType, value) ?? []);
  };
}

/**
 * What Prism does not generate by the schema: the end of a recursive one, `pattern`, `uniqueItems`, `multipleOf` with limits.
 * Replaces each invalid part by the first simple value that is valid there, or leaves it out.
 */
function repaired(body: unknown, judge: (value: unknown) => readonly Fault[]): unknown {
  let value = body;
  for (let faults = judge(value), rounds = 0; faults.length > 0 && rounds < 50; faults = judge(value), rounds++) {
    const { loc = [] } = faults[0] ?? {};
    // The innermost part first.
    const paths = loc.map((_, at) => loc.slice(0, loc.length - at));
    const candidates = [
      ...simple.map((part) => withPart(value, loc, part)),
      ...paths.map((path) => withPart(value, path, undefined)),
    ];
    const better = candidates.find((one) => judge(one).length < faults.length);
    if (better === undefined) return value;
    value = better;
  }
  return value;
}

const numbers = Array.from({ length: 101 }, (_, number) => number);
const simple: readonly unknown[] = [
  "a",
  "A",
  "1",
  "a1",
  "abc",
  "ABC",
  [],
  {},
  ["a", "b"],
  [1, 2],
  true,
  null,
  ...numbers,
];

/** A copy with another part at a path, or without it. */
function withPart(value: unknown, [first, ...rest]: Loc, part: unknown): unknown {
  if (first === undefined) return part;
  const replaced = withPart(memberAt(value, [first]), rest, part);
  if (Array.isArray(value))
    return replaced === undefined ? value.toSpliced(Number(first), 1) : value.with(Number(first), replaced);
  const { [first]: _, ...others } = isObject(value) ? value : {};
  return replaced === undefined ? others : { ...others, [first]: replaced };
}

async function load(document: object) {
  const [{ createInstance, getHttpOperationsFromSpec }, { createLogger }] = await Promise.all([
    import("@stoplight/prism-http"),
    import("@stoplight/prism-core"),
  ]);
  const config = {
    isProxy: false as const,
    mock: { dynamic: false },
    // The request was already validated, with the service's own errors.
    validateRequest: false,
    checkSecurity: false,
    validateResponse: false,
    errors: false,
    upstreamProxy: undefined,
  };
  const prism = createInstance(config, { logger: createLogger("mock", { level: "silent" }) });
  return { prism, config, resources: await getHttpOperationsFromSpec(answersOf(document)) };
}

/** A copy of the document with only the responses of its operations: loading the rest would take most of the time. */
function answersOf(document: object): JsonObject {
  const copy: JsonObject = JSON.parse(JSON.stringify(document));
  for (const { node, parameters } of readDocument(copy).operations) {
    for (const parameter of parameters) delete parameter.node["schema"];
    for (const key of ["parameters", "requestBody", "security", "callbacks"]) delete node[key];
  }
  delete copy["security"];
  return copy;
}
