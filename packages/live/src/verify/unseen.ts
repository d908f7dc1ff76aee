import { jsonOf, locateIn, type Operation } from "@trainyard/document";
import { chooseSchemes } from "../request.ts";
import type { LiveService } from "../service.ts";
import { groupBy } from "./group.ts";
import { pathsOf } from "./probes/requests.ts";
import type { Run } from "./run.ts";

/** The declared statuses that a run did not see, and why: `training models.delete: 200 (needs --write)`. */
export function unseenIn(run: Run): string[] {
  const rows = run.services.flatMap((service) =>
    service.document.operations
      .filter(({ name, aliasOf }) => aliasOf === undefined && run.options.only?.(service.name, name) !== false)
      .flatMap((operation) => {
        const unseen = [...operation.responses.keys()].filter((status) => !run.seen.get(operation)?.has(status));
        const byReason = groupBy(unseen, (status) => reasonOf(run, service, operation, status));
        const name = `${service.name} ${operation.name}`;
        return [...byReason].map(([why, statuses]) => ({ name, what: `${statuses.join(", ")} (${why})` }));
      }),
  );
  return [...groupBy(rows, ({ what }) => what)].map(
    ([what, all]) => `${all.map(({ name }) => name).join(", ")}: ${what}`,
  );
}

function reasonOf(run: Run, service: LiveService, operation: Operation, status: string): string {
  const { safe, security } = operation;
  const isSuccess = status.startsWith("2");
  const missed = run.ended ?? "the service did not return it";
  if (["400", "401", "404", "422"].includes(status)) return missed;
  if (!isSuccess && status !== "409") return "cannot be provoked";
  if (!safe && !run.options.writes) return "needs --write";
  const stopped = run.stopped.get(operation);
  if (stopped !== undefined || !isSuccess || run.ended !== undefined) return stopped ?? missed;
  const needsKey = security.length > 0 && security.every((schemes) => schemes.length > 0);
  if (needsKey && chooseSchemes(operation, service.credentials).length === 0) return "needs a key";
  const names = neededBy(run, service, operation).filter((name) => run.options.set[name] === undefined);
  return safe && names.length > 0 ? `needs --set ${names.join(", ")}` : missed;
}

/** The names of the texts that a request needs: path parameters if the run knows none, else those of its query and body. */
function neededBy(run: Run, service: LiveService, operation: Operation): string[] {
  const where = pathsOf(run, service, operation).length === 0 ? "path" : "query";
  const named = operation.parameters.filter((one) => one.in === where && one.required).map(({ name }) => name);
  const schema = where === "path" ? undefined : jsonOf(operation.body?.content ?? new Map())?.schema;
  if (schema === undefined) return named;
  const required = [schema.node["required"] ?? []].flat().map(String);
  const isText = (name: string) =>
    locateIn(service.document.root, schema, "properties", name).node["type"] === "string";
  return [...named, ...required.filter(isText)];
}
