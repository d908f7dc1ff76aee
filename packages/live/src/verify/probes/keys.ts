import { responseOf, type Operation } from "@trainyard/document";
import type { LiveService } from "../../service.ts";
import { chooseSchemes, written, type Values } from "../../request.ts";
import type { Expected, Run } from "../run.ts";
import { pathsOf, shownRequests, unknownPath } from "./requests.ts";

/** Calls an operation without a key, with a wrong key, and with the right key in a wrong place. */
export async function tryKeys(run: Run, service: LiveService, operation: Operation): Promise<void> {
  const needed = operation.security.length > 0 && operation.security.every((schemes) => schemes.length > 0);
  if (!needed) return;
  const values = harmless(run, service, operation);
  const refused = responseOf(operation, 401);
  const expected: Expected = {
    statuses: [401],
    says: `401: ${refused?.description ?? "A call without a key is rejected."}`,
    ...(refused && { pointer: refused.pointer }),
  };
  await run.send(service, operation, { ...values, credentials: {} }, { tried: "without a key", expected });
  const schemes = chooseSchemes(operation, service.credentials);
  const [scheme] = schemes;
  const key = service.credentials[scheme?.name ?? ""];
  if (scheme === undefined || key === undefined)
    return run.findings.note(`${service.name}: no key is set, so operations that need one were called without it.`);
  const wrong = Object.fromEntries(schemes.map(({ name }) => [name, `verify-${crypto.randomUUID()}`]));
  // A service that accepts any key and says so is a mock. When it rejects a request, the key is not the reason.
  if (!operation.safe && (await takesAnyKey(run, service))) return;
  const tried = "with a wrong key";
  await run.send(service, operation, { ...values, credentials: wrong }, { tried, expected });
  if (!operation.safe || operation.aliasOf !== undefined) return;
  const begun = Object.fromEntries(schemes.map(({ name }) => [name, `${service.credentials[name]}-verify`]));
  await run.send(
    service,
    operation,
    { ...values, credentials: begun },
    { tried: "with characters after the key", expected },
  );
  const carriers = new Set(operation.security.flat().map(({ carrier }) => carrier?.kind));
  const query = { ...values.query, ...(carriers.has("query") ? {} : { api_key: key, key, access_token: key }) };
  const headers = carriers.has("header")
    ? {}
    : { "x-api-key": key, "api-key": key, cookie: `api_key=${key}; token=${key}` };
  await run.send(
    service,
    operation,
    { ...values, query, headers, credentials: {} },
    { tried: "with the key where the contract does not declare it", expected },
  );
  if (carriers.has("basic") || !carriers.has("bearer")) return;
  const [, name, value] = written({ kind: "basic" }, key);
  await run.send(
    service,
    operation,
    { ...values, headers: { [name]: value }, credentials: {} },
    { tried: "with the key as basic authentication", expected },
  );
}

/** Whether a service returns an example for a wrong key, and marks it as one. The request is sent once. */
async function takesAnyKey(run: Run, service: LiveService): Promise<boolean> {
  const remembered = run.known.takesAnyKey.get(service);
  if (remembered !== undefined) return remembered;
  const looking = service.document.operations.find(
    ({ safe, security, path }) =>
      safe && !path.includes("{") && security.length > 0 && security.every((set) => set.length > 0),
  );
  if (looking === undefined) return false;
  const wrong = Object.fromEntries(looking.security.flat().map(({ name }) => [name, `verify-${crypto.randomUUID()}`]));
  const values = { ...harmless(run, service, looking), credentials: wrong };
  const { answer } = await run.send(service, looking, values, { tried: "with a wrong key" });
  const takes = answer.isExample && answer.status < 300;
  run.known.takesAnyKey.set(service, takes);
  return takes;
}

/** A request that has no effect even if the service does not check the key: it is safe, or names what does not exist. */
function harmless(run: Run, service: LiveService, operation: Operation): Values {
  if (operation.safe) {
    const [path] = pathsOf(run, service, operation);
    const [first] = shownRequests(run, operation, path ?? unknownPath(operation));
    return first?.values ?? {};
  }
  return { path: unknownPath(operation), ...(operation.body && { body: {} }) };
}
