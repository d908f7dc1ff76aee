import type { JsonObject } from "@trainyard/core/validation";
import { readDocument } from "@trainyard/document";
import type { Generate } from "@trainyard/host";

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
    return result.right.output.body;
  };
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
