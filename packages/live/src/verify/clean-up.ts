import { isObject } from "@trainyard/core/validation";
import { successStatuses, type Operation } from "@trainyard/document";
import { requestOf, type Sent } from "../request.ts";
import { shownRequest } from "./findings.ts";
import { refusal, unknownPath } from "./probes/requests.ts";
import { BudgetSpent, isOurs, nameOf, send, type Created, type Run } from "./run.ts";
import { isPerformed, type Exchange } from "./wire.ts";

/** What a run left, in a sentence, and the request that deletes it, if there is one. */
export interface Left extends Partial<Sent> {
  readonly what: string;
}

const again = "to find what was created";

/** Deletes what the run created. Says what is left, and what requests created that should have been rejected. */
export async function cleanUp(run: Run): Promise<{ left: Left[]; accidents: string[] }> {
  const left: Left[] = [];
  const accidents: string[] = [];
  // What is below another resource goes first. What is found under another id is added meanwhile.
  const depthOf = ({ path }: Created): number => Object.keys(path).length;
  for (const created of run.created.sort((a, b) => depthOf(b) - depthOf(a))) {
    const { service, id, deletion, path, creation, isAccident } = created;
    const remains = created.remains ?? (deletion && (await remove(run, created, deletion)));
    const what = `${service.name} ${creation.operation?.name ?? "an unknown operation"} ${id}`;
    const outcome = remains === undefined ? "deleted" : `not deleted, because ${remains}`;
    if (deletion !== undefined && remains !== created.remains) {
      const named = `${what}${nameOf(creation)}`.replaceAll(/[\s\p{Cc}]+/gu, " ");
      left.push({ ...(await requestOf(service, deletion, { path })), what: `${named}: ${outcome}` });
    } else if (remains !== undefined && !isAccident) left.push({ what: `${what}${nameOf(creation)}: ${outcome}` });
    if (isAccident) accidents.push(`${what} (${shownRequest(creation)}): ${outcome}`);
  }
  run.created = [];
  return { left, accidents };
}

/** Deletes a resource. Returns why it remains; undefined if it does not. */
async function remove(run: Run, created: Created, deletion: Operation): Promise<string | undefined> {
  const { service, path, isAccident, isDeleted } = created;
  const says = "The client can delete what it created.";
  const expected = { statuses: successStatuses(deletion), says, isAdopted: true };
  const target = { run, service, operation: deletion };
  // What was created without the key may belong to nobody, so its deletion may fail.
  const isCertain = isOurs(deletion) && !isAccident && !isDeleted;
  const deleted = await orSpent(send(target, { path }, "to clean up", isCertain ? expected : undefined, isLast));
  const status = deleted?.answer.status ?? 0;
  const why = status === 0 ? "its deletion got no response" : `its deletion returned ${status}`;
  if (status >= 400 && status !== 404) return why;
  const isFound = await lookForIt(run, deletion, created, true);
  if (isFound === true) return `${why}, and it is still there`;
  if (status === 404 && !isDeleted)
    return (await findAgain(run, created)) ? undefined : `${why}, so it may exist under another id`;
  return status === 0 && isFound === undefined ? why : undefined;
}

const isLast = { isLast: true };

/** Whether the run deletes it by another id later: it repeats the creation, if that returns what exists. */
async function findAgain(run: Run, created: Created): Promise<boolean> {
  const { service, id, creation, isAccident } = created;
  const { operation, body, path, tried } = creation;
  const name = nameOf(creation);
  if (isAccident || name === "") return false;
  const isFound = (): boolean => {
    const later = run.created.slice(run.created.indexOf(created));
    return later.some((one) => one.service === service && one.id !== id && nameOf(one.creation) === name);
  };
  if (!isFound() && operation?.alwaysIf !== undefined && isObject(body) && tried !== again) {
    const repeated = { path, body: { ...body, ...operation.alwaysIf } };
    await orSpent(send({ run, service, operation }, repeated, again, undefined, isLast));
  }
  return isFound();
}

async function orSpent(exchange: Promise<Exchange>): Promise<Exchange | undefined> {
  return exchange.catch((error: unknown) => {
    if (!(error instanceof BudgetSpent)) throw error;
    return undefined;
  });
}

/**
 * Checks that a deleted resource and everything below it return 404, also for a second deletion. Returns whether it is still found;
 * undefined if nothing says so.
 * @param isAtEnd whether to look once even if the run was interrupted or has no other calls left
 */
export async function lookForIt(
  run: Run,
  deletion: Operation,
  { service, path }: Pick<Exchange, "service" | "path">,
  isAtEnd = false,
): Promise<boolean | undefined> {
  const below = service.document.operations.filter(
    ({ path: other, method }) => method === "GET" && (other === deletion.path || other.startsWith(`${deletion.path}/`)),
  );
  let isFound: boolean | undefined;
  for (const operation of [...below, deletion]) {
    const isLook = isAtEnd && isFound === undefined && operation !== deletion;
    // A stranger's document does not say that it is gone.
    const isDeclared = isOurs(operation) && operation.responses.has("404");
    if (!isLook && (run.options.signal?.aborted === true || run.spare <= 0 || !isDeclared)) continue;
    // Resources below it have ids of their own, which do not exist any more.
    const values = { path: { ...unknownPath({ service, operation }), ...path } };
    const expected = isDeclared ? { ...refusal(operation, 404), says: "A deleted resource returns 404." } : undefined;
    const target = { run, service, operation };
    const looked = await orSpent(send(target, values, `after ${deletion.name}`, expected, { isLast: isLook }));
    if (operation === deletion || looked === undefined) continue;
    if (isPerformed(looked)) isFound = true;
    else if (looked.answer.status === 404) isFound ??= false;
  }
  return isFound;
}
