import { isDeepStrictEqual } from "node:util";
import type { Operation } from "@trainyard/document";
import { refuse } from "@trainyard/release/steps";
import { bodyExamples, cases } from "@trainyard/testing/services";

/** Requests each example of each response of a service from a Prism. @returns the number of responses */
export async function askForExamples(service: string, origin: string): Promise<number> {
  const faults: string[] = [];
  let count = 0;
  for (const entry of cases.filter((one) => one.service === service)) {
    const { operation } = entry;
    const [body] = bodyExamples(entry).values();
    for (const [status, { content }] of operation.responses)
      for (const [type, { examples }] of content)
        for (const [name, value] of examples) {
          const headers = { accept: type, authorization: "Bearer any", prefer: `code=${status}, example=${name}` };
          const response = await fetch(origin + targetOf(operation), {
            method: operation.method,
            headers: { ...headers, ...(body !== undefined && { "content-type": "application/json" }) },
            body: body === undefined ? null : JSON.stringify(body),
          });
          const text = await response.text();
          const answer: unknown = type === "application/json" ? JSON.parse(text) : text;
          count++;
          if (response.status !== Number(status) || !isDeepStrictEqual(answer, value))
            faults.push(`${operation.name} ${status} ${type} ${name}: ${response.status} with ${text.slice(0, 300)}`);
        }
  }
  refuse(faults);
  return count;
}

/** The path of a valid request. */
function targetOf({ path, parameters }: Operation): string {
  const exampleOf = (name: string): string =>
    encodeURIComponent(String(parameters.find((one) => one.name === name)?.example));
  const query = parameters.filter((one) => one.in === "query" && one.required).map(({ name }) => name);
  return `${path.replace(/\{(\w+)\}/g, (_, name: string) => exampleOf(name))}?${query
    .map((name) => `${name}=${exampleOf(name)}`)
    .join("&")}`;
}
