import type { Operation } from "@trainyard/document";
import { requestOf, type Sent } from "../request.ts";
import { shownRequest } from "./findings.ts";
import { refusal, unknownPath } from "./probes/requests.ts";
import { BudgetSpent, send, successesOf, type Run } from "./run.ts";
import type { Exchange } from "./wire.ts";

/**
 * Deletes everything that the run created, and checks that it is gone. Returns the deletions that failed, as requests, and what
 * requests created that the service should have rejected, in a sentence each.
 */
export async function cleanUp(run: Run): Promise<{ left: Sent[]; accidents: string[] }> {
  const left: Sent[] = [];
  const accidents: string[] = [];
  for (const { service, id, deletion, path, creation, isAccident, ...created } of run.created) {
    let { remains } = created;
    if (remains === undefined && deletion !== undefined) {
      const sent = await requestOf(service, deletion, { path });
      const exchange = { service, operation: deletion, sent, path, tried: "to clean up" };
      // What was created without the key may belong to nobody, so its deletion may fail.
      const expected = { statuses: successesOf(deletion), says: "The client can delete what it created." };
      const deleted = await orSpent(run.exchange(exchange, isAccident ? undefined : expected, true));
      const status = deleted?.answer.status ?? 0;
      if (status < 200 || status > 299) {
        remains = status ? `its deletion returned ${status}` : "its deletion got no response";
        if (status !== 404) left.push(sent);
      } else if (!isAccident) await lookForIt(run, deletion, { service, path });
    }
    const name = creation.operation?.name ?? "an unknown operation";
    const outcome = remains === undefined ? "deleted" : `not deleted, because ${remains}`;
    if (isAccident) accidents.push(`${service.name} ${name} ${id} (${shownRequest(creation)}): ${outcome}`);
  }
  run.created = [];
  return { left, accidents };
}

/** Undefined if the budget is spent. */
async function orSpent(exchange: Promise<Exchange>): Promise<Exchange | undefined> {
  return exchange.catch((error: unknown) => {
    if (!(error instanceof BudgetSpent)) throw error;
    return undefined;
  });
}

/** Checks that a deleted resource and everything below it return 404, also for a second deletion. */
export async function lookForIt(
  run: Run,
  deletion: Operation,
  { service, path }: Pick<Exchange, "service" | "path">,
): Promise<void> {
  const below = service.document.operations.filter(
    ({ path: other, method }) => method === "GET" && (other === deletion.path || other.startsWith(`${deletion.path}/`)),
  );
  for (const operation of [deletion, ...below]) {
    if (!operation.responses.has("404") || run.budget - run.sent <= run.created.length) continue;
    if (run.options.signal?.aborted) return;
    // Resources below it have ids of their own, which do not exist any more.
    const values = { path: { ...unknownPath({ service, operation }), ...path } };
    const expected = { ...refusal(operation, 404), says: "A deleted resource returns 404." };
    await orSpent(send({ run, service, operation }, values, `after ${deletion.name}`, expected));
  }
}
