import { isObject } from "@trainyard/core/validation";
import { each, items, json, raw, resent, type Mutant } from "../mutant.ts";

const withKey = { headers: { authorization: "Bearer key-of-harbor" } };
const object = "auxiliary objects.read";
const completions = "inference chat.completions.create";

const refuse: Mutant["change"] = (answer, { headers }) => {
  if (headers.has("authorization")) return;
  answer.status = 401;
  answer.text = '{"detail": "A key, please."}';
};

/** Answers once that there are too many requests. */
const busy =
  (seconds: string): Mutant["change"] =>
  (answer, { memory, method }) => {
    if (memory.has("told") || method !== "GET") return;
    memory.set("told", true);
    answer.status = 429;
    answer.headers.set("retry-after", seconds);
    answer.text = '{"detail": "Too many requests."}';
  };

/** Statuses and keys. */
export const statuses: readonly Mutant[] = [
  raw("training models.create 200 writing", "creation returns 201", /201/, { status: 201 }),
  raw("training health.check", "health returns 500", /500/, {
    status: 500,
    text: '{"detail": "Something went wrong."}',
  }),
  raw("training trainingJobs.get 404", "an unknown id returns 400", /404|400/, { status: 400 }),
  raw("inference models.list", "a redirect is returned", /307/, (answer, { url }) => {
    answer.status = 307;
    answer.headers.set("location", `${url.pathname}/`);
  }),
  raw("training * 404", "an unknown path returns 200", /404/, (answer, { url }) => {
    if (/models|jobs/.test(url.pathname)) return;
    answer.status = 200;
  }),
  raw("training * 405", "a 405 has no Allow header", /Allow/, { headers: { allow: undefined } }),
  raw("training health.check any", "HEAD returns another status than GET", /HEAD/, (answer, { method }) => {
    if (method === "HEAD") answer.status = 404;
  }),
  raw("training * 405", "another method is accepted as GET", /405/, { status: 200 }),
  raw("inference models.list any", "HEAD returns another media type than GET", /HEAD/, (answer, { method }) => {
    if (method === "HEAD") answer.headers.set("content-type", "text/html");
  }),
  raw("inference models.list 401", "WWW-Authenticate is missing", /WWW-Authenticate/i, {
    headers: { "www-authenticate": undefined },
  }),
  resent("inference models.list 401", "no key is required", /401/, ({ headers }) =>
    headers.has("authorization") ? undefined : withKey,
  ),
  resent("training trainingJobs.get 401", "any key is accepted", /401/, ({ headers }) =>
    headers.has("authorization") ? withKey : undefined,
  ),
  resent("inference models.list 401", "a key in the query is accepted", /401/, ({ url }) => {
    const key = url.searchParams.get("api_key");
    return key === null ? undefined : { headers: { authorization: `Bearer ${key}` } };
  }),
  resent("auxiliary hardware.list 401", "a key with additional characters is accepted", /401/, ({ headers }) =>
    headers.get("authorization")?.startsWith(withKey.headers.authorization) ? withKey : undefined,
  ),
  raw(`${object} any`, "the password of basic authentication is not accepted", /basicKey/, (answer, { headers }) => {
    if (!headers.get("authorization")?.startsWith("Basic")) return;
    answer.status = 401;
    answer.headers.set("www-authenticate", "Bearer");
    answer.text = '{"reason": "No."}';
  }),
  raw("training models.create 401", "WWW-Authenticate names a scheme that is not supported", /WWW-Authenticate/, {
    headers: { "www-authenticate": "Digest realm=x" },
  }),
  raw("training health.check any", "health requires a key", /without a key/, refuse),
  raw("training * 422", "an invalid body returns 400", /422/, { status: 400 }),
  raw("training * 401", "a wrong key returns 403", /401/, { status: 403 }),
  raw("training * 404", "an unknown id is an error of the service", /404/, { status: 500 }),
  raw("training trainingJobs.createRl 200 writing", "a job is accepted with 202", /202/, { status: 202 }),
  raw("training models.delete 200 writing", "a deletion has no body", /204/, { status: 204, text: "" }),
  raw("training models.listBase any", "the list of base models requires a key", /without a key/, refuse),
  raw(
    "training * any",
    "the path with a slash at its end does not exist",
    /completions\/|succeeds/,
    (answer, { url }) => {
      if (!url.pathname.endsWith("/")) return;
      answer.status = 404;
      answer.text = '{"detail": "Not found."}';
    },
  ),
  resent("training models.checkpoints.list 422", "a limit of 101 is accepted", /limit 101/, ({ url }) =>
    url.searchParams.get("limit") === "101" ? { query: { limit: undefined } } : undefined,
  ),
  resent("training trainingJobs.events.list 422", "a limit of 0 is accepted", /limit 0/, ({ url }) =>
    url.searchParams.get("limit") === "0" ? { query: { limit: undefined } } : undefined,
  ),
  resent(
    "training models.checkpoints.list 422",
    "an order that does not exist is accepted",
    /order verify-none/,
    ({ url }) => (url.searchParams.has("order") ? { query: { order: undefined } } : undefined),
  ),
  resent("auxiliary hardware.list 422", "a required parameter may be missing", /without model/, () => ({
    query: { model: "tiny" },
  })),
  raw("training models.create 422", "a text is taken for a boolean", /422/, (answer, { body }) => {
    if (body["return_existing"] !== "yes") return;
    answer.status = 200;
    answer.text = JSON.stringify({ id: crypto.randomUUID(), entity: "harbor", ...body });
  }),
];

/** Headers. */
export const headers: readonly Mutant[] = [
  raw("inference models.list", "x-request-id is missing", /x-request-id/, { headers: { "x-request-id": undefined } }),
  raw("training * any", "x-request-id is always the same", /x-request-id/, { headers: { "x-request-id": "req_1" } }),
  raw("training health.check", "the media type is wrong", /text\/plain/, { headers: { "content-type": "text/plain" } }),
  raw("training health.check", "the charset is not UTF-8", /iso-8859-1/i, {
    headers: { "content-type": "application/json; charset=iso-8859-1" },
  }),
  raw("inference models.list", "the body is not valid JSON", /JSON/, (answer) => {
    answer.text = answer.text.slice(0, -1);
  }),
  raw("training models.listBase", "the body is empty", /empty|JSON/, { text: "" }),
  raw("training models.listBase", "Retry-After is not a number or date", /Retry-After/i, busy("soon")),
  raw("training * 404", "a 404 has no x-request-id", /x-request-id/, { headers: { "x-request-id": undefined } }),
  raw("inference chat.completions.create 200", "an x-request-id is empty", /x-request-id/, {
    headers: { "x-request-id": "" },
  }),
  raw("training trainingJobs.get 404", "a 404 has the media type of a page", /text\/html/, {
    headers: { "content-type": "text/html" },
  }),
  raw("inference models.list 401", "a 401 has no media type", /no Content-Type/, {
    headers: { "content-type": undefined },
  }),
  raw("training * any", "one 429 says to wait an hour", /Retry-After/i, busy("3600")),
  raw("inference * any", "one 429 says to wait a second and a half", /Retry-After/i, busy("1.5")),
];

/** The body of an error. */
export const errors: readonly Mutant[] = [
  json("training trainingJobs.get 404", "an error has the format of another service", /detail/, () => ({
    error: { message: "There is no such job." },
  })),
  json("training models.create 422", "an error for an invalid body does not list the invalid fields", /detail/, () => ({
    message: "The body is not valid.",
  })),
  raw("auxiliary feedback.stats 422", "an error is an HTML page", /text\/html|media type|Content-Type/i, (answer) => {
    answer.headers.set("content-type", "text/html");
    answer.text = "<h1>Bad request</h1>";
  }),
  resent(`${object} 422`, "an unknown property is accepted", /422/, ({ body: { project_id, object_id, digest } }) => ({
    body: { project_id, object_id, digest },
  })),
  raw("auxiliary feedback.stats 400", "an invalid percentile returns 422 instead of 400", /400|422/, {
    status: 422,
    text: JSON.stringify({ detail: [{ loc: ["body", "metrics", 0], msg: "No.", type: "value_error" }] }),
  }),
  json("training models.create 422", "an error names an invalid field without its path", /detail|loc/, ({ detail }) => {
    for (const fault of Array.isArray(detail) ? detail : []) if (isObject(fault)) fault["loc"] = ["body"];
  }),
  json("training models.create 422", "an error lists a fault twice", /once/, (body) => {
    if (Array.isArray(body["detail"])) body["detail"] = [...body["detail"], ...body["detail"]];
  }),
  json(`${completions} 400`, "an error does not name the invalid parameter", /param/, ({ error }) => {
    if (isObject(error)) error["param"] = null;
  }),
  resent("training chat.completions.create 422", "an invalid body is accepted", /422/, () => ({
    body: { model: "demo/tiny", messages: [{ role: "user", content: "?" }] },
  })),
  resent(`${completions} 404`, "a request for an unknown model is answered by another model", /404/, ({ body }) => ({
    body: { ...body, model: "demo/tiny", stream: false },
  })),
  resent("inference models.list 400", "an invalid header parameter is accepted", /400/, () => ({
    headers: { "compat-project": undefined },
  })),
  json("auxiliary * any", "an error has no reason", /reason/, { reason: undefined }),
  json("training * 422", "a fault in the body is one in the query", /body|entry/, (body) => {
    for (const { loc } of items(body, "detail")) if (Array.isArray(loc) && loc[0] === "body") loc[0] = "query";
  }),
  json("training * 422", "only the first of several faults is listed", /each fault/, (body) => {
    body["detail"] = items(body, "detail").slice(0, 1);
  }),
  json("auxiliary * 422", "only the last of several faults is listed", /each fault/, (body) => {
    body["detail"] = items(body, "detail").slice(-1);
  }),
  json("training * 422", "the index of an item in `loc` is a text", /entry|loc/, (body) => {
    for (const fault of items(body, "detail")) if (Array.isArray(fault["loc"])) fault["loc"] = fault["loc"].map(String);
  }),
  json("training * 422", "a fault has no message", /msg/, each({ msg: undefined }, "detail")),
  json("training trainingJobs.get 404", "the sentence of an error is a list", /detail/, {
    detail: (sentence) => [sentence],
  }),
  json("inference * any", "an error has no code", /permitted forms/, ({ error }) => {
    if (isObject(error)) delete error["code"];
  }),
];
