import { isObject } from "@trainyard/core/validation";
import type { Operation } from "@trainyard/document";
import { requestOf, type Sent } from "../request.ts";
import { shownRequest } from "./findings.ts";
import { refusal, unknownPath } from "./probes/requests.ts";
import { headersOf } from "./probes/values.ts";
import { BudgetSpent, nameOf, successesOf, type Created, type Expected, type Run } from "./run.ts";
import { isPerformed, type Exchange } from "./wire.ts";

/** What a run created and could not delete: the request that deletes it, and what it is, in a sentence. */
export interface Left extends Sent {
  readonly what: string;
}

type Place = Pick<Exchange, "service" | "path">;

/** What a run tries to find the right id of what it created. */
const again = "to find what was created";

/**
 * Deletes everything that the run created, and looks whether it is gone. Returns what is left, and what requests created that the
 * service should have rejected, in a sentence each.
 */
export async function cleanUp(run: Run): Promise<{ left: Left[]; accidents: string[] }> {
  const left: Left[] = [];
  const accidents: string[] = [];
  // What is found under another id is added meanwhile.
  for (const created of run.created) {
    const { service, id, deletion, path, creation, isAccident } = created;
    let { remains } = created;
    const name = creation.operation?.name ?? "an unknown operation";
    if (remains === undefined && deletion !== undefined) {
      remains = await remove(run, created, deletion);
      const named = `${service.name} ${name} ${id}${nameOf(creation)}`.replaceAll(/[\s\p{Cc}]+/gu, " ");
      const what = `${named}: not deleted, because ${remains}`;
      if (remains !== undefined) left.push({ ...(await requestFor(run, deletion, { service, path })), what });
    }
    const outcome = remains === undefined ? "deleted" : `not deleted, because ${remains}`;
    if (isAccident) accidents.push(`${service.name} ${name} ${id} (${shownRequest(creation)}): ${outcome}`);
  }
  run.created = [];
  return { left, accidents };
}

/** Deletes a resource. Returns why it remains; undefined if it does not. */
async function remove(run: Run, created: Created, deletion: Operation): Promise<string | undefined> {
  const { service, path, isAccident, isDeleted } = created;
  const says = "The client can delete what it created.";
  // What was created without the key may belong to nobody, so its deletion may fail.
  const expected = isAccident || isDeleted ? undefined : { statuses: successesOf(deletion), says };
  const deleted = await ask(run, deletion, created, "to clean up", expected, true);
  const status = deleted?.answer.status ?? 0;
  const why = status === 0 ? "its deletion got no response" : `its deletion returned ${status}`;
  if (status >= 400 && status !== 404) return why;
  const isFound = await lookForIt(run, deletion, { service, path }, true);
  if (isFound === true) return `${why}, and it is still there`;
  if (status === 404 && !isDeleted)
    return !isAccident && (await findAgain(run, created)) ? undefined : `${why}, so it may exist under another id`;
  return status === 0 && isFound === undefined ? why : undefined;
}

/**
 * Whether the run has another id of what it created, which it deletes later. If it has none, it repeats the creation, if that returns
 * what exists.
 */
async function findAgain(run: Run, created: Created): Promise<boolean> {
  const { service, id, creation } = created;
  const { operation, body, path, tried } = creation;
  const name = nameOf(creation);
  const isFound = (): boolean =>
    name !== "" &&
    run.created
      .slice(run.created.indexOf(created))
      .some((one) => one.service === service && one.id !== id && nameOf(one.creation) === name);
  if (isFound() || operation?.alwaysIf === undefined || !isObject(body) || tried === again) return isFound();
  const same = { ...body, ...operation.alwaysIf };
  const sent = await requestOf(service, operation, { body: same });
  await orSpent(run.exchange({ service, operation, sent, body: same, path, tried: again }, undefined, true));
  return isFound();
}

function requestFor(run: Run, operation: Operation, { service, path }: Place): Promise<Sent> {
  return requestOf(service, operation, { path, headers: headersOf({ run, service, operation }) });
}

/** Undefined if the budget is spent. */
async function orSpent(exchange: Promise<Exchange>): Promise<Exchange | undefined> {
  return exchange.catch((error: unknown) => {
    if (!(error instanceof BudgetSpent)) throw error;
    return undefined;
  });
}

async function ask(
  run: Run,
  operation: Operation,
  { service, path }: Place,
  tried: string,
  expected: Expected | undefined,
  isLast: boolean,
): Promise<Exchange | undefined> {
  const sent = await requestFor(run, operation, { service, path });
  return orSpent(run.exchange({ service, operation, sent, path, tried }, expected, isLast));
}

/**
 * Checks that a deleted resource and everything below it return 404, also for a second deletion. Returns whether it is still found;
 * undefined if nothing says so.
 *
 * @param isLast whether to look once even if the run was interrupted or has no other calls left
 */
export async function lookForIt(
  run: Run,
  deletion: Operation,
  { service, path }: Place,
  isLast = false,
): Promise<boolean | undefined> {
  const below = service.document.operations.filter(
    ({ path: other, method }) => method === "GET" && (other === deletion.path || other.startsWith(`${deletion.path}/`)),
  );
  let isFound: boolean | undefined;
  for (const operation of [...below, deletion]) {
    const isReserved = isLast && isFound === undefined && operation !== deletion;
    const isDeclared = operation.responses.has("404");
    const isEnded = run.options.signal?.aborted === true || run.spare <= 0;
    if (!isReserved && (isEnded || !isDeclared)) continue;
    // Resources below it have ids of their own, which do not exist any more.
    const values = { service, path: { ...unknownPath({ service, operation }), ...path } };
    const expected = { ...refusal(operation, 404), says: "A deleted resource returns 404." };
    const looked = await ask(
      run,
      operation,
      values,
      `after ${deletion.name}`,
      isDeclared ? expected : undefined,
      isReserved,
    );
    if (operation === deletion || looked === undefined) continue;
    if (isPerformed(looked)) isFound = true;
    else if (looked.answer.status === 404) isFound ??= false;
  }
  return isFound;
}
