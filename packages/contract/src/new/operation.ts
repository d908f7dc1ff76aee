import { Failure } from "../failure.ts";
import { type JsonObject, capital, text } from "../json.ts";
import { isObject, memberAt } from "@trainyard/core/validation";
import { type Body, planBody, planPage } from "./body.ts";
import { fit, kebab, sentence, spaced, subjectOf } from "./naming.ts";
import { type Plan, operationsOf, requireService } from "./plan.ts";
import { inYaml, toYaml, withEntry, withTag } from "./yaml.ts";

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

/** Plans an operation: its file, its line in the document, its tag, missing schemas, examples, and its samples. */
export function planOperation(plan: Plan, request: NewOperation): void {
  const { service, method, path, basis, page = false } = request;
  requireService(plan, service);
  const verb = request.verb.toLowerCase();
  const resend = request.resend ?? (verb === "post" || verb === "patch" ? "never" : "always");
  const tag = request.tag ?? kebab(method.split(".")[0] ?? "");
  check(plan, request, verb, resend);
  fit("tag", tag, /^[a-z][a-z0-9-]*$/, "it in kebab case");
  const folder = `openapi/${service}`;
  const document = plan.yaml(`${folder}/openapi.yaml`);
  const name = kebab(method);
  const [last = "", group = ""] = method.split(".").toReversed();
  const noun = page || last === "list" ? group : subjectOf(method);
  const summary = request.summary ?? `${capital(spaced(last))} ${spaced(noun)}`;
  const body =
    request.body === undefined ? undefined : planBody(plan, request.body, { service, basis, file: `${name}-request` });
  const answer = (page ? planPage : planBody)(plan, request.answer ?? subjectOf(method), {
    service,
    basis,
    file: name,
  });
  const inPath = [...path.matchAll(/\{([^}]*)\}/g)].map(([, one = ""]) => pathParameter(plan, folder, one));
  const keyed = resend === "with-key";
  const parameters = [
    ...inPath.map(({ parameter }) => parameter),
    ...(page ? ["After", "Limit"] : []).map((one) => ({ $ref: `../../common/parameters/${one}.yaml` })),
    ...(keyed ? [{ $ref: "../../common/parameters/IdempotencyKey.yaml" }] : []),
  ];
  const security = credential(document);
  const secured = security !== undefined || document["security"] !== undefined;
  const badRequest = (body !== undefined || page) && plan.has(`${folder}/responses/BadRequest.yaml`);
  const sharedInvalid = page && !badRequest && plan.has(`${folder}/responses/InvalidPage.yaml`);
  const ownInvalid = (body !== undefined || page) && !badRequest && !sharedInvalid;
  const first = body?.first ?? "";
  plan.fill("operation", {
    service,
    name,
    operationId: operationId(summary, path, verb),
    tag,
    basis,
    method,
    resend,
    page,
    keyed,
    secured,
    badRequest,
    sharedInvalid,
    limitFault: ownInvalid && page,
    missingFault: ownInvalid && !page,
    fault: ownInvalid && (page ? "limit-too-high" : "missing"),
    missing: first === "" ? "A body" : `The property ${first}`,
    missingAt: first === "" ? "[body]" : `[body, ${first}]`,
    summary: inYaml(summary),
    description: inYaml(sentence(request.description ?? summary)),
    security: security ?? "",
    parameters: parameters.length === 0 ? "" : toYaml(parameters).trimEnd(),
    bodySchema: body?.schema ?? "",
    bodyExamples: body?.examples ?? "",
    answerSchema: answer.schema,
    answerExamples: answer.examples,
    ...notFound(plan, service, path),
  });
  for (const [, file = ""] of plan.read(`${folder}/paths/${name}.yaml`).matchAll(/\.\.\/(responses\/\w+\.yaml)/g))
    plan.read(`${folder}/${file}`);
  plan.edit(`${folder}/openapi.yaml`, (before) =>
    withTag(
      withEntry(before, ["paths", path, verb], { $ref: `paths/${name}.yaml` }),
      tag,
      `${capital(tag.replaceAll("-", " "))}.`,
    ),
  );
  planHandler(plan, service, method);
  if (!plan.has("packages/samples")) return;
  const values = inPath.map((one) => [one.name, one.value]);
  const ids = values.length > 1 ? [Object.fromEntries(values)] : values.map(([, value]) => value);
  const scheme = security ?? (secured ? "apiKey" : "");
  plan.fill("samples", {
    service,
    name,
    method,
    page,
    keyed,
    single: !page,
    Name: capital(service),
    address: `TRAINYARD_${service.toUpperCase()}_URL`,
    ...samplesOf(body, verb),
    path: inPath.reduce((filled, one) => filled.replace(`{${one.name}}`, one.value), path),
    token: scheme && (scheme === "accessToken" ? "TRAINYARD_ACCESS_TOKEN" : "TRAINYARD_API_KEY"),
    headers: secured || keyed || body !== undefined,
    args: [...ids, ...(body === undefined ? [] : [body.value])]
      .map((value) => JSON.stringify(value, null, 2))
      .concat(keyed ? '{ idempotencyKey: "a-key-of-your-own" }' : [])
      .join(", "),
  });
}

/** The body of a request in the languages of the samples. */
function samplesOf(body: Body | undefined, verb: string): Readonly<Record<string, string>> {
  const json = body === undefined ? "" : JSON.stringify(body.value, null, 2);
  const words: Readonly<Record<string, string>> = { null: "None", true: "True", false: "False" };
  return {
    curlMethod: verb === (body === undefined ? "get" : "post") ? "" : verb.toUpperCase(),
    pythonMethod: verb === "get" ? "" : verb.toUpperCase(),
    shellBody: json.replaceAll("'", String.raw`'\''`).replaceAll("\n", "\n  "),
    pythonBody: json
      .replaceAll(/^ +/gm, "$&$&")
      .replaceAll(/\b(null|true|false)(?=,?$)/gm, (word) => words[word] ?? word)
      .replaceAll(/([^[{,])(?=\n *[\]}])/g, "$1,"),
  };
}

function operationId(summary: string, path: string, verb: string): string {
  return `${summary.toLowerCase().replaceAll(/\s+/g, "_")}${path}`.replaceAll(/\W/g, "_") + `_${verb}`;
}

function check(plan: Plan, { service, method, path, body, page }: NewOperation, verb: string, resend: string): void {
  fit("method", method, /^[a-z][a-zA-Z0-9]*(\.[a-z][a-zA-Z0-9]*)+$/, "a group and a name, such as models.rename");
  fit("path", path, /^(\/[\w.~-]+|\/\{[a-z][a-z0-9_]*\})+$/, "one such as /v1/models/{model_id}");
  fit("verb", verb, new RegExp(`^(${verbs.join("|")})$`), verbs.join(", "));
  if (body !== undefined && verb === "get") throw new Failure("A GET has no body. Omit it, or choose another verb.");
  if (page === true && verb !== "get")
    throw new Failure("Pages are read with a GET. Omit --page, or choose that verb.");
  fit("answer to whether it may be sent again", resend, /^(always|with-key|never)$/, "always, with-key or never");
  for (const other of operationsOf(plan, service)) {
    const taken = other.operation["x-client-method"];
    if (typeof taken !== "string") continue;
    if (taken === method) throw new Failure(`${method} already exists, in ${other.file}.`);
    if (`${taken}.`.startsWith(`${method}.`) || `${method}.`.startsWith(`${taken}.`)) {
      throw new Failure(`${method} and ${taken} cannot both exist: one name would be a method and a group of methods.`);
    }
    if (other.path.replaceAll(/\{[^}]*\}/g, "{}") !== path.replaceAll(/\{[^}]*\}/g, "{}")) continue;
    if (other.path !== path) throw new Failure(`The path exists as ${other.path}. Use the same parameter names.`);
    if (other.verb === verb) throw new Failure(`${verb.toUpperCase()} ${path} already exists: ${taken}.`);
  }
}

/** The security scheme to name at each operation, if the document has none for all. */
function credential({ security, components }: JsonObject): string | undefined {
  const schemes = isObject(components) ? components["securitySchemes"] : undefined;
  if (security !== undefined || !isObject(schemes)) return undefined;
  return "apiKey" in schemes ? "apiKey" : Object.keys(schemes)[0];
}

/** The example of an id that is a UUID. The services return 404 for an id that is not one. */
const uuid = "6f1d2c84-3b5e-4f0a-9c27-8e4b1a5d7f30";

/** A parameter of a path with an example value: one of the service, or a new one. */
function pathParameter(
  plan: Plan,
  folder: string,
  name: string,
): { name: string; parameter: JsonObject; value: string } {
  for (const file of plan.list(`${folder}/parameters`)) {
    const existing = plan.yaml(`${folder}/parameters/${file}`);
    if (existing["in"] !== "path" || existing["name"] !== name) continue;
    return { name, parameter: { $ref: `../parameters/${file}` }, value: text(existing["example"]) || uuid };
  }
  const thing = thingOf(name);
  const [description, value] = /(^|_)id$/.test(name)
    ? [`The id of the ${thing}. One that is no UUID gives 404.`, uuid]
    : [`The ${name.replaceAll("_", " ")}.`, `demo-${thing.replaceAll(" ", "-")}`];
  const parameter = { name, in: "path", required: true, description, schema: { type: "string" }, example: value };
  return { name, parameter, value };
}

/** What a path parameter identifies: `model` for `model_id` and `model_name`. */
function thingOf(parameter: string): string {
  return parameter.replace(/_?(id|name)$/, "").replaceAll("_", " ") || "thing";
}

/** The 404 of an operation on the same thing, if it is shared; else one of its own, like another error of the service. */
function notFound(plan: Plan, service: string, path: string): Readonly<Record<string, string>> {
  const parameter = /\{([^}]*)\}[^{]*$/.exec(path)?.[1];
  if (parameter === undefined) return {};
  const follow = plan.follow(`openapi/${service}/paths`);
  let like: unknown = follow("../responses/InternalServerError.yaml").schema;
  for (const { path: other, operation } of operationsOf(plan, service)) {
    const known = memberAt(operation, ["responses", "404"]);
    const shared = memberAt(known, ["$ref"]);
    if (typeof shared === "string" && other.includes(`{${parameter}}`)) return { sharedNotFound: shared };
    if (isObject(known)) like = typeof shared === "string" ? follow(shared).schema : known;
  }
  const noun = thingOf(parameter);
  const media = memberAt(like, ["content", "application/json"]);
  const [example] = Object.values(memberAt(media, ["examples"]) ?? {});
  const { value } = follow(text(memberAt(example, ["$ref"]))).schema;
  // The first sentence of a body is its message for people.
  const unknown = JSON.stringify(value).replace(/"[^"]* [^"]*"/, JSON.stringify(`There is no such ${noun}.`));
  return {
    noun,
    errorSchema: text(memberAt(media, ["schema", "$ref"])),
    ownNotFound: toYaml(JSON.parse(unknown)).trimEnd(),
  };
}

/**
 * Plans the handler of a new operation in the local server, if the server has the service: it returns an example of the
 * document until somebody writes the real one.
 */
export function planHandler(plan: Plan, service: string, method: string): void {
  const file = `packages/server/src/handlers/${service}.ts`;
  if (!plan.has(file)) return;
  plan.edit(file, (text) => withHandler(text, service, method));
  plan.notes.push(`The local server returns an example for ${method}. Write its handler in ${file}.`);
}

/** A file with one more handler, at the end of the object that a function returns as `Handlers<"service">`. */
function withHandler(text: string, service: string, method: string): string {
  // The indentation tells the function's own `return` and end from those inside it: oxfmt writes each file.
  const record = new RegExp(`(\\): Handlers<"${service}"> \\{[^]*?\\n {2}return \\{)([^]*?)(\\s*\\};\\n\\}\\n)`);
  if (!record.test(text)) return text;
  const added = text.replace(record, (_, before: string, handlers: string, after: string) => {
    const comma = handlers === "" || handlers.endsWith(",") ? "" : ",";
    return `${before}${handlers}${comma}\n    "${method}": byExample,${after}`;
  });
  const imported = /^import \{([^}]*)\} from "@trainyard\/host";$/m;
  const names = imported.exec(text)?.[1];
  if (names === undefined) return `import { byExample } from "@trainyard/host";\n${added}`;
  return /\bbyExample\b/.test(names)
    ? added
    : added.replace(imported, `import { byExample,${names}} from "@trainyard/host";`);
}
