import { isDeepStrictEqual } from "node:util";
import type { Operation } from "@trainyard/document";
import { started } from "@trainyard/release/run";
import { exampleBody, type Bundle } from "./bundles.ts";

/**
 * Serves a bundle with `prism mock`, and requests each example of each response.
 * @returns the number of checked responses
 * @throws Error naming the responses that differ from the document
 */
export async function testWithPrism(node: string, folder: string, bundle: Bundle): Promise<number> {
  const args = ["node_modules/@stoplight/prism-cli/dist/index.js", "mock", "--port", "0", bundle.file];
  const { child, match } = await started(node, args, { cwd: folder }, /listening on (http:\/\/[\d.]+:\d+)/);
  try {
    const requests = bundle.document.operations.flatMap((operation) =>
      examplesOf(operation).map((one) => ({ operation, ...one })),
    );
    const faults: string[] = [];
    for (const { operation, status, type, name, value } of requests) {
      const fault = await ask(`${match[1]}`, operation, status, type, name, value);
      if (fault) faults.push(`${operation.method} ${operation.path} ${status} ${type} ${name}: ${fault}`);
    }
    if (faults.length > 0) throw new Error(`Prism's responses differ from the document:\n${faults.join("\n")}`);
    return requests.length;
  } finally {
    child.kill();
  }
}

function examplesOf({ responses }: Operation) {
  return [...responses].flatMap(([status, { content }]) =>
    [...content].flatMap(([type, { examples }]) =>
      [...examples].map(([name, value]) => ({ status, type, name, value })),
    ),
  );
}

/** Sends a valid request that prefers an example. Returns what is wrong with the response, if anything. */
async function ask(
  origin: string,
  operation: Operation,
  status: string,
  type: string,
  name: string,
  value: unknown,
): Promise<string | undefined> {
  const { method, parameters } = operation;
  const exampleOf = (parameter: string): string =>
    encodeURIComponent(String(parameters.find((one) => one.name === parameter)?.example));
  const path = operation.path.replace(/\{(\w+)\}/g, (_, parameter: string) => exampleOf(parameter));
  const query = parameters
    .filter((one) => one.in === "query" && one.required)
    .map((one) => `${one.name}=${exampleOf(one.name)}`);
  const body = exampleBody(operation);
  const response = await fetch(`${origin}${path}?${query.join("&")}`, {
    method,
    headers: {
      accept: type,
      authorization: "Bearer any",
      prefer: `code=${status}, example=${name}`,
      ...(body !== undefined && { "content-type": "application/json" }),
    },
    body: body === undefined ? null : JSON.stringify(body),
  });
  const text = await response.text();
  if (response.status !== Number(status)) return `answered ${response.status} with ${text.slice(0, 300)}`;
  const answer: unknown = type === "application/json" ? JSON.parse(text) : text;
  return isDeepStrictEqual(answer, value) ? undefined : `answered with ${text.slice(0, 300)}`;
}
