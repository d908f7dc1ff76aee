import { createLogger } from "@stoplight/prism-core";
import { getHttpOperationsFromSpec } from "@stoplight/prism-http";
import { createServer } from "@stoplight/prism-http-server";

/** A Prism server of one document. */
export interface Prism {
  readonly url: string;
  close(): Promise<void>;
}

/**
 * Serves a document with an unmodified Prism server on a free port of loopback. It answers an invalid request, a wrong key
 * and a response of its own that is invalid with an error, and generates nothing if the document has an example.
 *
 * @param upstream the service to forward to: then it answers nothing itself, and names violations in the header `sl-violations`
 */
export async function startPrism(document: object, upstream?: string): Promise<Prism> {
  const own = upstream === undefined;
  const server = createServer(await operationsOf(document), {
    cors: true,
    components: { logger: createLogger("prism", { enabled: false }) },
    config: {
      mock: { dynamic: false },
      ...(own ? { isProxy: false } : { isProxy: true, upstream: new URL(upstream) }),
      validateRequest: true,
      validateResponse: true,
      checkSecurity: own,
      errors: own,
      upstreamProxy: undefined,
    },
  });
  const url = await server.listen(0, "127.0.0.1");
  return { url, close: () => server.close() };
}

const read = new WeakMap<object, ReturnType<typeof getHttpOperationsFromSpec>>();

/** Prism's form of a document. It is shared, because Prism keeps the validators that it compiles for it. */
function operationsOf(document: object): ReturnType<typeof getHttpOperationsFromSpec> {
  // A copy, because Prism resolves references in place, and the document is shared.
  const operations = read.get(document) ?? getHttpOperationsFromSpec(structuredClone(document));
  read.set(document, operations);
  return operations;
}
