import { Failure } from "../failure.ts";
import { type JsonObject, isObject } from "../json.ts";
import { type InputFault, planErrors, requestId } from "./answers.ts";
import { planBody } from "./body.ts";
import { withPath, withTag } from "./entries.ts";
import { planHandler } from "./handler.ts";
import { pageParameters, pagination, planPage } from "./page.ts";
import { pathParameters } from "./path-parameters.ts";
import type { Plan } from "./plan.ts";
import { planSamples } from "./samples.ts";
import { Source } from "./source.ts";
import { fit, kebab, methodName, sentence, subjectOf, summaryOf } from "./naming.ts";
import { toYaml } from "./yaml.ts";

export const verbs = ["get", "post", "put", "patch", "delete"] as const;

export interface NewOperation {
  readonly service: string;
  /** The name of the method: `models.rename`. */
  readonly method: string;
  readonly verb: string;
  readonly path: string;
  readonly summary?: string | undefined;
  readonly description?: string | undefined;
  readonly tag?: string | undefined;
  readonly basis: string;
  readonly resend?: string | undefined;
  /** The name of the body's schema, which is created if it does not exist. Without it, there is no body. */
  readonly body?: string | undefined;
  /** The name of the response's schema, which is created if it does not exist. */
  readonly answer?: string | undefined;
  /** Whether it returns pages of that schema. */
  readonly page?: boolean | undefined;
}

/** Plans an operation: its file, its line in the document, its tag, missing schemas, and its examples. */
export function planOperation(plan: Plan, request: NewOperation): void {
  const { service, method, path, basis } = request;
  const source = new Source(plan, service);
  const verb = request.verb.toLowerCase();
  const resend = request.resend ?? (verb === "post" || verb === "patch" ? "never" : "always");
  check(source, request, verb, resend);
  const name = kebab(method);
  const summary = request.summary ?? summaryOf(method);
  const tag = fit("tag", request.tag ?? kebab(method.split(".")[0] ?? ""), /^[a-z][a-z0-9-]*$/, "it in kebab case");
  const document = source.read("openapi.yaml");
  const security = credential(document);
  const body = request.body === undefined ? undefined : planBody(source, request.body, basis, `${name}-request`);
  const isPage = request.page === true;
  const answer = (isPage ? planPage : planBody)(source, request.answer ?? subjectOf(method), basis, name);
  const keyed = resend === "with-key";
  const inPath = pathParameters(source, path);
  const parameters = [
    ...inPath.map(({ parameter }) => parameter),
    ...(isPage ? pageParameters : []),
    ...(keyed ? [key] : []),
  ];
  const errors = planErrors(source, {
    name,
    path,
    keyed,
    secured: security !== undefined || document["security"] !== undefined,
    hasBody: body !== undefined,
    isPage,
    fault: isPage ? limitTooHigh : missing(body?.first ?? ""),
  });
  const operation: JsonObject = {
    summary,
    description: sentence(request.description ?? summary),
    operationId: `${summary.toLowerCase().replaceAll(/\s+/g, "_")}${path}`.replaceAll(/\W/g, "_") + `_${verb}`,
    tags: [tag],
    "x-basis": basis,
    "x-client-method": method,
    "x-resend": resend,
    ...(isPage ? { "x-pagination": pagination } : {}),
    ...(security === undefined ? {} : { security: [{ [security]: [] }] }),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(body === undefined ? {} : { requestBody: { required: true, content: body.content } }),
    responses: { "200": { description: "The answer.", headers: requestId, content: answer.content }, ...errors },
  };
  plan.create(source.file(`paths/${name}.yaml`), toYaml(operation));
  const entry = `${verb}:\n  $ref: paths/${name}.yaml`;
  plan.edit(source.file("openapi.yaml"), (text) => withTag(withPath(source, text, path, entry), tag));
  planHandler(plan, service, method);
  planSamples(plan, {
    service,
    method,
    verb,
    path,
    security: security ?? (document["security"] === undefined ? undefined : "apiKey"),
    parameters: inPath.map(({ name: parameter, value }) => [parameter, value] as const),
    body: body?.value,
    keyed,
    isPage,
  });
}

const key: JsonObject = { $ref: "../../common/parameters/IdempotencyKey.yaml" };

const limitTooHigh: InputFault = {
  name: "limit-too-high",
  summary: "A limit that is too high",
  loc: ["query", "limit"],
  msg: "This must be at most 100.",
  type: "less_than_equal",
};

function missing(property: string): InputFault {
  const loc = property === "" ? ["body"] : ["body", property];
  const what = property === "" ? "A body" : `"${property}"`;
  return { name: "missing", summary: `${what} is missing`, loc, msg: `${what} is required.`, type: "missing" };
}

function check(source: Source, { method, path, body, page }: NewOperation, verb: string, resend: string): void {
  fit("method", method, methodName, "a group and a name, such as models.rename");
  fit("path", path, /^(\/[\w.~-]+|\/\{[a-z][a-z0-9_]*\})+$/, "one such as /v1/models/{model_id}");
  if (!verbs.some((one) => one === verb))
    throw new Failure(`"${verb}" is not a valid verb. Choose ${verbs.join(", ")}.`);
  if (body !== undefined && verb === "get") throw new Failure("A GET has no body. Omit it, or choose another verb.");
  if (page === true && verb !== "get")
    throw new Failure("Pages are read with a GET. Omit --page, or choose that verb.");
  fit("answer to whether it may be sent again", resend, /^(always|with-key|never)$/, "always, with-key or never");
  for (const other of source.operations()) {
    const taken = other.operation["x-client-method"];
    if (typeof taken !== "string") continue;
    if (taken === method) throw new Failure(`${method} already exists, in ${source.file(other.file)}.`);
    if (`${taken}.`.startsWith(`${method}.`) || `${method}.`.startsWith(`${taken}.`)) {
      throw new Failure(`${method} and ${taken} cannot both exist: one name would be a method and a group of methods.`);
    }
    if (other.path.replaceAll(/\{[^}]*\}/g, "{}") !== path.replaceAll(/\{[^}]*\}/g, "{}")) continue;
    if (other.path !== path) throw new Failure(`The path exists as ${other.path}. Use the same parameter names.`);
    if (other.verb === verb) throw new Failure(`${verb.toUpperCase()} ${path} already exists: ${taken}.`);
  }
}

/** The security scheme to name at each operation, if the document has none for all. */
function credential(document: JsonObject): string | undefined {
  if (document["security"] !== undefined) return undefined;
  const { components } = document;
  const schemes = isObject(components) && isObject(components["securitySchemes"]) ? components["securitySchemes"] : {};
  return "apiKey" in schemes ? "apiKey" : Object.keys(schemes)[0];
}
