import type { Operation } from "@trainyard/document";
import type { LiveService } from "../../service.ts";
import { judgeError } from "../judge-answer.ts";
import type { Run } from "../run.ts";
import type { Exchange } from "../wire.ts";
import { written } from "../../request.ts";

/** Sends requests that match no operation: to an unknown path, and with a method that a path does not support. */
export async function tryProtocol(run: Run, service: LiveService): Promise<void> {
  const { operations } = service.document;
  const unknown = await plain(run, service, "GET", "/verify-no-such-path", "an unknown path");
  if (unknown.answer.status !== 404 && unknown.answer.status !== 0)
    run.report(unknown, {
      pointer: "#",
      basis: "http",
      says: "A path that is not in the document returns 404.",
      seen: `status ${unknown.answer.status}`,
    });
  else judgeError(run, unknown);
  const paths = new Set(
    operations.filter(({ path, aliasOf }) => !path.includes("{") && aliasOf === undefined).map(({ path }) => path),
  );
  for (const path of paths) {
    const here = operations.filter((operation) => operation.path === path);
    if (here.some(({ name }) => run.options.only?.(service.name, name) === false)) continue;
    await tryMethod(run, service, path, here);
  }
}

async function tryMethod(run: Run, service: LiveService, path: string, here: readonly Operation[]): Promise<void> {
  const declared = new Set(here.map(({ method }) => method));
  const method = ["PATCH", "PUT", "DELETE"].find((one) => !declared.has(one));
  const [first] = here;
  if (method === undefined || first === undefined) return;
  const exchange = await plain(run, service, method, path, "a method that the document does not declare for this path");
  const { answer } = exchange;
  const says = `The path supports ${[...declared].join(", ")}. Other methods return 405, and \`Allow\` lists the supported ones (RFC 9110).`;
  const breach = { pointer: first.item.pointer, basis: "http", says } as const;
  if (answer.status === 0) return;
  if (answer.status !== 405) return run.report(exchange, { ...breach, seen: `status ${answer.status}` });
  const allow = answer.headers.get("allow");
  const allowed = (allow ?? "").split(",").map((one) => one.trim().toUpperCase());
  const missing = [...declared].filter((one) => !allowed.includes(one));
  if (allow === null || missing.length > 0)
    run.report(exchange, { ...breach, seen: allow === null ? "no Allow" : `Allow: ${allow}` });
  const surplus = allowed.filter((one) => one !== "" && !declared.has(one) && !["HEAD", "OPTIONS"].includes(one));
  if (allow !== null && surplus.length > 0)
    run.report(exchange, { ...breach, certainty: "not declared", seen: `Allow: ${allow}` });
  judgeError(run, exchange);
}

/** A request that matches no operation, with the key. */
function plain(run: Run, service: LiveService, method: string, path: string, tried: string): Promise<Exchange> {
  const scheme = service.document.operations
    .flatMap(({ security }) => security.flat())
    .find(({ name }) => service.credentials[name] !== undefined);
  const [where, name, value] = written(scheme?.carrier, service.credentials[scheme?.name ?? ""] ?? "");
  const headers = { accept: "application/json", ...(scheme && where === "header" && { [name]: value }) };
  return run.exchange({
    service,
    operation: undefined,
    sent: { method, url: service.baseUrl + path, headers },
    body: undefined,
    path: {},
    tried,
  });
}
