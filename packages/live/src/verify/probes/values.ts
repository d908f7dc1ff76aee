import { writeStyled, type Parameter } from "@trainyard/document";
import { sampleOf } from "@trainyard/host";
import { bodyMedia, headersFrom } from "../../request.ts";
import { textOf } from "../../text.ts";
import type { Run, Target } from "../run.ts";

type Texts = string | string[];
type Place = "query" | "header" | "cookie";

/** The parameters that a request must have, each with its names and texts; undefined if no value is known. */
function required(target: Target, where: Place): [name: string, sent: [string, Texts][] | undefined][] {
  return target.operation.parameters
    .filter((one) => one.in === where && one.required)
    .map((one) => [one.name, textsOf(target, one)]);
}

/** A parameter as it is sent: with the value of `--set`, else with its example, else with a value of its schema. */
function textsOf({ run, service }: Target, parameter: Parameter): [string, Texts][] | undefined {
  const { name, example, schema, style } = parameter;
  const own = given(run, name);
  if (own !== undefined) return [[name, own]];
  // Items that no style writes are sent as JSON, as the example shows them.
  const shown = style !== "json" && Array.isArray(example) ? example.map(textOf) : example;
  const { value, faults } =
    shown === undefined ? sampleOf(service.document.root, schema, "verify", "request") : { value: shown, faults: [] };
  if (faults.length > 0) return undefined;
  try {
    const written = writeStyled(parameter, value);
    return written.length > 0 ? written : undefined;
  } catch {
    // OpenAPI does not define how such a value is written.
    return undefined;
  }
}

/** The value of `--set`. */
function given({ options: { set = {} } }: Run, name: string): string | undefined {
  return Object.hasOwn(set, name) ? set[name] : undefined;
}

/** The required query parameters, and those of `--set`. */
export function queryOf(target: Target, without?: string): Record<string, Texts> {
  const { run, operation } = target;
  const own = Object.entries(run.options.set ?? {});
  const names = new Set(operation.parameters.filter((one) => one.in === "query").map(({ name }) => name));
  const pairs = required(target, "query").flatMap(([name, sent]) => (name === without ? [] : (sent ?? [])));
  return Object.fromEntries([...pairs, ...own.filter(([name]) => names.has(name) && name !== without)]);
}

/** The required headers, and the cookies. */
export function headersOf(target: Target): Record<string, string> {
  const pairs = (where: Place) => required(target, where).flatMap(([, sent]) => sent ?? []);
  return headersFrom(pairs("header"), pairs("cookie"));
}

/** The required parameters without an example whose schema gives no value either, so that no request can be made. */
export function valueless(target: Target): string[] {
  return (["query", "header", "cookie"] as const).flatMap((where) =>
    required(target, where).flatMap(([name, sent]) => (sent === undefined ? [name] : [])),
  );
}

/** The first example of a body; else a value of its schema, if the body is required. */
export function bodyOf({ service, operation }: Target): unknown {
  const media = bodyMedia(operation);
  const [first] = media?.examples.values() ?? [];
  if (first !== undefined || operation.body?.required !== true || media?.schema === undefined) return first;
  const { value, faults } = sampleOf(service.document.root, media.schema, "verify", "request");
  return faults.length === 0 ? value : undefined;
}

/** Whether a required parameter gets a value that the document does not show, so that the service may refuse it. */
export function isMadeUp({ run, operation }: Target): boolean {
  return operation.parameters.some(
    ({ in: where, name, required: must, example }) =>
      where !== "path" && must && example === undefined && given(run, name) === undefined,
  );
}
