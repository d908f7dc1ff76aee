import type { Conditions, NameIn, Reads } from "@trainyard/console";
import { readDocument, type Document } from "@trainyard/document";
import type { Call, Handler as AnyHandler, Handlers, NotModified, Refusal, TextAnswer } from "@trainyard/host";

/** What the pages alone read. The contract describes the rest, because programs read it, too. */
type OwnPath = Exclude<keyof Reads, "/runs" | "/runs/{run_id}/marks" | "/runs/{run_id}/rollouts.jsonl">;

/** A route: the name of its operation in logs, and the schemas of its query. */
interface AnyRoute {
  readonly name: string;
  readonly query: Readonly<Record<string, object>>;
  readonly required?: string;
  /** Whether the query also has the conditions for attempts, which the contract's export has. */
  readonly isFiltered?: true;
  readonly mediaType?: string;
}

interface Route<P extends OwnPath> extends AnyRoute {
  /** Without the conditions, which are those of the contract. Some routes have a split or words of their own. */
  readonly query: { readonly [Name in Exclude<keyof Reads[P]["query"], keyof Conditions>]-?: object } & {
    readonly split?: object;
    readonly q?: object;
  };
}

const text = { type: "string" };
const words = { type: "string", minLength: 1 };
const step = { type: "integer", minimum: 0 };
const among = (...values: string[]) => ({ enum: values });
const upTo = (maximum: number, minimum = 1) => ({ type: "integer", minimum, maximum });
const steps = { split: text, from: step, to: step };
const curve = { ...steps, by: words };
const list = { after: text, limit: upTo(200) };
const order = { type: "string", pattern: "^-?(step|reward|advantage|tokens|turns|tool_calls|metric\\..+)$" };

/** The routes of the pages, below `/_local`. */
const routes: { readonly [P in OwnPath]: Route<P> } = {
  "/runs/{run_id}": { name: "runs.get", query: {} },
  "/runs/{run_id}/keys": { name: "runs.keys", query: {} },
  "/runs/{run_id}/curve": { name: "runs.curve", query: curve, isFiltered: true },
  "/runs/{run_id}/curve.csv": { name: "runs.exportCurve", query: curve, isFiltered: true, mediaType: "text/csv" },
  "/runs/{run_id}/groups": {
    name: "runs.groups.list",
    query: { ...list, sort: among("place", "flagged") },
    isFiltered: true,
  },
  "/runs/{run_id}/groups/{group_id}": { name: "runs.groups.get", query: {} },
  "/runs/{run_id}/rollouts": {
    name: "runs.rollouts.list",
    query: { ...list, sort: order, offset: step },
    isFiltered: true,
  },
  "/runs/{run_id}/rollouts/search": {
    name: "runs.rollouts.search",
    query: { text: words },
    required: "text",
    isFiltered: true,
    mediaType: "application/jsonl",
  },
  "/runs/{run_id}/jobs": { name: "runs.jobs.list", query: list },
  "/runs/{run_id}/jobs/{job_id}/events": { name: "runs.jobs.events", query: list },
  "/runs/{run_id}/jobs/{job_id}/log": { name: "runs.jobs.log", query: {} },
  "/runs/{run_id}/tasks": {
    name: "runs.tasks.list",
    query: {
      ...list,
      ...steps,
      q: text,
      sort: among("change", "-change", "mean", "-mean", "flat", "-flat", "-attempts", "name"),
    },
  },
  "/runs/{run_id}/tasks/{task}": { name: "runs.tasks.get", query: steps },
  "/compare": { name: "compare.get", query: { runs: text, split: text, last: upTo(100) }, required: "runs" },
  "/changes": { name: "runs.changes", query: { after: step, wait_ms: upTo(30_000, 0) } },
};

type Handler<P extends OwnPath> = (
  call: Pick<Call, "owner" | "headers" | "signal"> & { path: Record<NameIn<P>, string>; query: Reads[P]["query"] },
) => Promise<{ status: 200; body: Reads[P]["answer"] } | TextAnswer | NotModified | Refusal>;

/** What the pages read, by the names of the operations. The routes have validated what the handlers get. */
export function consoleReads(open: AnyHandler, handlers: { readonly [P in OwnPath]: Handler<P> }): Handlers {
  const reads = Object.entries(handlers).map(([path, handler]) => [routes[path as OwnPath].name, handler]);
  return { "console.open": open, ...(Object.fromEntries(reads) as Handlers) };
}

/** The document of a service. That of the control interface also has the routes of the pages. */
export function servedDocument(service: string, root: object): Document {
  const document = readDocument(root);
  return service === "local" ? withConsole(document) : document;
}

/** The routes of the pages beside the operations of the control interface: they are served alike, and refuse alike. */
function withConsole(document: Document): Document {
  const { paths } = document.root as { paths: Record<string, Record<string, { responses: Record<string, object> }>> };
  const { "200": _, ...refusals } = paths["/runs/{run_id}/rollouts.jsonl"]?.["get"]?.responses ?? {};
  const conditions = document.operations.find(({ name }) => name === "runs.rollouts.export")?.parameters ?? [];
  const operation = (name: string, mediaType = "application/json") => ({
    operationId: name,
    responses: {
      "200": { description: "What the page shows.", content: { [mediaType]: { schema: {} } } },
      ...refusals,
    },
  });
  const parameter = (name: string, place: string, isRequired: boolean, schema: object) => ({
    name,
    in: place,
    required: isRequired,
    schema,
  });
  const reads = Object.entries<AnyRoute>(routes).map(([path, { name, query, required, isFiltered, mediaType }]) => {
    const inPath = Array.from(path.matchAll(/\{(\w+)\}/g), ([, one = ""]) => parameter(one, "path", true, text));
    const inQuery = Object.entries(query).map(([one, schema]) => parameter(one, "query", one === required, schema));
    const filters = isFiltered
      ? conditions.filter((one) => one.in === "query" && one.name !== "text" && !(one.name in query))
      : [];
    const parameters = [...inPath, ...inQuery, ...filters.map(({ node }) => node)];
    return [path, { get: { ...operation(name, mediaType), parameters } }];
  });
  const { responses, ...session } = operation("console.open");
  const open = {
    ...session,
    security: [],
    requestBody: {
      required: true,
      content: { "application/json": { schema: { type: "object" } } },
    },
    responses: { ...responses, "403": refusals["404"] },
  };
  const own = { ...Object.fromEntries(reads), "/console/session": { post: open } };
  return readDocument({ ...document.root, paths: { ...paths, ...own } });
}
