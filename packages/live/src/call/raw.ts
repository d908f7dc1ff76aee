import { httpMethods, nearest } from "@trainyard/document";
import { createRouter } from "@trainyard/host";
import { UsageError } from "@trainyard/terminal/command";
import { allOperations, serviceAt, type Contract, type Found, type LiveService } from "../contract.ts";
import { bodyMedia } from "../request.ts";
import type { CallTerminal } from "./command.ts";

/**
 * The operation of `trainyard call GET /v1/…`, and where it is sent: any path, which may begin with that of its service, or
 * any address, with any body and any response. Its service is the one that declares it, else the one that is there, or has
 * the most similar path. No key goes to an address that is not its own.
 */
export function rawOperation(
  contracts: readonly Contract[],
  name: string | undefined,
  method: string,
  target: string,
  addresses: readonly string[],
  { environment, err }: CallTerminal,
): Found & { readonly service: LiveService } {
  const all = allOperations(contracts, name);
  const key = [...httpMethods, ...all.map(({ operation }) => operation.key)].find(
    (one) => one.toUpperCase() === method,
  );
  if (key === undefined) throw new UsageError(`There is no method ${method}. There are: ${httpMethods.join(", ")}.`);
  const [, host, written = ""] = /^(https?:\/\/[^/?#]+)?([^#]*)/i.exec(target) ?? [];
  const path = written.replace(/\?.*/s, "");
  const bases = new Map(contracts.map((contract) => [contract, baseOf(contract)]));
  const isThere = ({ contract }: Found) => host !== undefined && bases.get(contract)?.origin === new URL(host).origin;
  const prefixOf = ({ contract, document }: Found) =>
    [bases.get(contract)?.pathname.replace(/\/$/, ""), document.prefix].find(
      (one) => one && path.startsWith(`${one}/`),
    );
  const isDeclared = (found: Found) => {
    const routeOf = createRouter([found.operation]);
    return [path, path.slice(prefixOf(found)?.length ?? 0)].some((one) => routeOf(one)?.operations.has(method));
  };
  const paths = all.map(({ operation }) => operation.path);
  const similar = nearest(path, paths, () => Number.MAX_VALUE);
  const declared = all.find((one) => isThere(one) && isDeclared(one)) ?? all.find(isDeclared);
  const like =
    declared ?? all.find(isThere) ?? all.find(prefixOf) ?? all.find(({ operation }) => operation.path === similar);
  if (like === undefined) throw new UsageError("The document has no operations.");
  const { contract, document } = like;
  const isElsewhere = host !== undefined && !isThere(like);
  const own = serviceAt(contract, isElsewhere ? [host] : addresses, true, environment);
  const where = host ?? contract.name;
  if (like !== declared) err(`No document declares ${method} ${path}. The call is sent to ${where}.\n`);
  if (isElsewhere && Object.keys(own.credentials).length > 0)
    err(`No key is sent to ${host}. If it is an address of ${contract.name}, add --base-url ${host}.\n`);
  const isWhole = host !== undefined || prefixOf(like) !== undefined;
  const baseUrl = isWhole ? new URL(own.baseUrl).origin : own.baseUrl;
  const schemes = document.operations.flatMap(({ security }) => security.flat().map(({ name: scheme }) => scheme));
  const type = (declared && bodyMedia(declared.operation)?.mediaType) ?? "application/json";
  const operation = {
    security: [...new Set(schemes)].map((scheme) => ({ [scheme]: [] })).concat({}),
    ...(!["get", "head"].includes(key) && { requestBody: { content: { [type]: {} } } }),
    responses: { default: { description: "", content: { "*/*": {} } } },
  };
  const place = written.replace(/^(?!\/)/, "/").replaceAll(/[{}]/g, encodeURIComponent);
  const bundle = { ...contract.bundle(), paths: { [place]: { [key]: operation } } };
  const [found = like] = allOperations([{ ...contract, bundle: () => bundle }], undefined);
  return {
    ...found,
    // Messages name what was typed, and no operation that nobody declares.
    operation: { ...found.operation, name: `${method} ${path}` },
    service: { ...own, baseUrl, ...(isElsewhere && { credentials: {} }) },
  };

  /** The address of a service; undefined if it has none, and none is needed. */
  function baseOf(contract: Contract): URL | undefined {
    try {
      return new URL(serviceAt(contract, addresses, true, environment).baseUrl);
    } catch {
      return undefined;
    }
  }
}
