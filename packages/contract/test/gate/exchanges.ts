import { type Json } from "@trainyard/document";
import type { JsonObject } from "../../src/json.ts";
import { type Row, rowsOf } from "./row.ts";

const json = (schema: Json): JsonObject => ({ "application/json": { schema } });
const answer = (schema: Json, more: JsonObject = {}): JsonObject => ({
  description: "Done.",
  content: json(schema),
  ...more,
});
const result = (more: JsonObject): JsonObject => answer({ $ref: "#/components/schemas/Result" }, more);

/** Parts of the only operation; its other parts stay as they are. */
const parts = {
  query: (parameter: JsonObject) => ({ operation: { parameters: [{ name: "limit", in: "query", ...parameter }] } }),
  result: (more: JsonObject) => ({ operation: { responses: { "200": result(more) } } }),
  header: (schema: Json) => parts.result({ headers: { "x-kind": { schema } } }),
  errors: (schemas: JsonObject) => {
    const errors = Object.entries(schemas).map(([status, schema]) => [status, answer(schema)]);
    return { operation: { responses: { "200": result({}), ...Object.fromEntries(errors) } } };
  },
  /** A path with the names of its parameters, as they are declared. */
  path: (names: JsonObject) => {
    const parameter = (name: Json): JsonObject => ({ name, in: "path", required: true, schema: { type: "string" } });
    const paths = Object.entries(names).map(([path, all]): [string, Json] => {
      const parameters = Array.isArray(all) ? all.map(parameter) : [];
      return [path, { get: { operationId: path.replaceAll(/\W/g, ""), parameters, responses: {} } }];
    });
    return { root: { paths: Object.fromEntries(paths) } };
  },
  callback: ({ body = properties("id"), answer: own = properties("ok") }: JsonObject) => {
    const post = { requestBody: { content: json(body) }, responses: { "200": answer(own) } };
    return { operation: { callbacks: { done: { "{$request.body#/url}": { post } } } } };
  },
};

const properties = (name: string): JsonObject => ({ type: "object", properties: { [name]: { type: "string" } } });

/** Changes of the only operation: of its parameters, bodies, responses and callbacks, and of our own keys. */
export const exchanges: readonly Row[] = rowsOf(
  `
path: two path parameters are exchanged | breaking | The service reads each value as the other parameter.
  {"/a/{x}/{y}": [x, y]} → {"/a/{y}/{x}": [x, y]}
path: three path parameters are in another order | breaking | The service reads each value as another parameter.
  {"/a/{x}/{y}/{z}": [x, y, z]} → {"/a/{y}/{z}/{x}": [x, y, z]}
path: a path parameter moves to the place of a removed one | breaking | A value for it is in another place.
  {"/a/{x}/{y}": [x, y]} → {"/a/{y}/{z}": [y, z]}
path: two path parameters are renamed | breaking for source | URLs stay the same; calls by path use the names.
  {"/a/{x}/{y}": [x, y]} → {"/a/{v}/{w}": [v, w]}
path: a path parameter gets the name of one of another path | breaking for source | URLs stay the same.
  {"/a/{x}": [x], "/b/{y}": [y]} → {"/a/{y}": [y], "/b/{y}": [y]}
path: two path parameters are declared in another order | neutral | The path has the order.
  {"/a/{x}/{y}": [x, y]} → {"/a/{x}/{y}": [y, x]}
query: an optional query parameter gets another name | breaking | The old name loses its effect.
  {schema: {type: integer}} → {name: page_size, schema: {type: integer}}
operation: a required cookie is added | breaking | Calls without it are rejected.
  {} → {parameters: [{name: session, in: cookie, required: true, schema: {type: string}}]}
operation: an optional cookie is added | additive | It is optional.
  {} → {parameters: [{name: session, in: cookie, schema: {type: string}}]}
query: a header parameter becomes required | breaking | Calls without it are rejected.
  {in: header, schema: {type: string}} → {in: header, required: true, schema: {type: string}}
query: a header parameter becomes optional | additive | Calls with it are still accepted.
  {in: header, required: true, schema: {type: string}} → {in: header, schema: {type: string}}
query: a list in a query is no longer exploded | breaking | It is written in another form.
  {schema: {type: array, items: {type: string}}} → {explode: false, schema: {type: array, items: {type: string}}}
query: a list in a query gets another delimiter | breaking | It is written in another form.
  {explode: false, schema: {type: array, items: {type: string}}}
  → {explode: false, style: pipeDelimited, schema: {type: array, items: {type: string}}}
query: the default of a query parameter changes | breaking or warning | Callers that leave it out get more.
  {schema: {type: integer, default: 20}} → {schema: {type: integer, default: 50}}
query: the default of a query parameter is written down | additive or warning | The service may have had it before.
  {schema: {type: integer}} → {schema: {type: integer, default: 20}}
query: a query parameter accepts another type | additive | Accepted values stay accepted.
  {schema: {type: integer}} → {schema: {type: [integer, string]}}
query: the JSON of a parameter states its charset | neutral or warning | The meaning is the same.
  {content: {"application/json": {schema: {type: string}}}}
  → {content: {"application/json; charset=utf-8": {schema: {type: string}}}}
operation: a body is no longer required | additive | Calls with a body are still accepted.
  {requestBody: {required: true, content: {"application/json": {schema: {type: string}}}}}
  → {requestBody: {content: {"application/json": {schema: {type: string}}}}}
operation: a media type of the body is removed | breaking | It was accepted.
  {requestBody: {content: {"application/json": {schema: {type: string}}, "text/plain": {schema: {type: string}}}}}
  → {requestBody: {content: {"application/json": {schema: {type: string}}}}}
result: a response may be a file, too | additive or warning | Callers that ask for the old one get it.
  {} → {content: {"application/json": {schema: {$ref: "#/components/schemas/Result"}}, "text/csv": {schema: {type: string}}}}
errors: an error becomes a range of the same body
  | warning or breaking or additive | Callers that handle 404 may get another one.
  {"404": {type: string}} → {4XX: {type: string}}
errors: the body of the default response changes | breaking | Programs read errors.
  {default: {type: object, required: [error], properties: {error: {type: string}}}}
  → {default: {type: object, properties: {error: {type: object, required: [],
    properties: {code: {type: string}}}}}}
errors: an error for missing rights is added
  | additive or neutral or warning | Clients handle undeclared errors by their status.
  {} → {"403": {type: string}}
errors: the body of an error loses a property | breaking | Programs read it.
  {"404": {type: object, properties: {error_type: {type: string}, message: {type: string}}}}
  → {"404": {type: object, properties: {message: {type: string}}}}
errors: the body of an error gets a property | additive | No program reads it yet.
  {"404": {type: object, properties: {message: {type: string}}}}
  → {"404": {type: object, properties: {message: {type: string}, code: {type: string}}}}
result: the description of a response changes | neutral | Responses stay the same.
  {} → {description: Ready.}
header: a response header gets an enumeration | additive or neutral | It has fewer values.
  {type: string} → {type: string, enum: [a]}
header: a response header loses its enumeration | breaking or warning | It may have other values.
  {type: string, enum: [a]} → {type: string}
header: a response header may be a list of types | neutral or additive | The meaning is the same.
  {type: string} → {anyOf: [{type: string}]}
callback: callers of a callback must return another field | breaking | Their answers do not have it.
  {} → {answer: {type: object, required: [ok], properties: {ok: {type: string}}}}
callback: a callback sends another field | additive | Programs ignore it.
  {} → {body: {type: object, required: [note], properties: {id: {type: string}, note: {type: string}}}}
callback: a callback no longer sends a field | breaking | Programs read it.
  {} → {body: {type: object, properties: {}}}
operation: a read may no longer be repeated | breaking or warning | Calls that failed fail at once.
  {x-resend: always} → {x-resend: never}
operation: a call may no longer be repeated under a condition | breaking or warning | Calls that failed fail at once.
  {x-resend: {rule: never, always-if: {dry: true}}} → {x-resend: never}
operation: a call may be repeated under another condition | breaking or warning | Some calls that failed fail at once.
  {x-resend: {rule: never, always-if: {dry: true}}} → {x-resend: {rule: never, always-if: {dry: false}}}
operation: an operation gets a second path | breaking or additive | The path is another name of an operation.
  {} → {x-alias-of: runs.start}
`,
  parts,
);
