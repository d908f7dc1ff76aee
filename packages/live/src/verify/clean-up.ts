import { requestOf, type Sent } from "../request.ts";
import type { Created } from "./known.ts";
import { unknownPath } from "./probes/requests.ts";
import type { Run } from "./run.ts";
import { BudgetSpent } from "./wire.ts";

/** Deletes everything that the run created, and checks that it is gone. Returns the deletions that failed, as requests. */
export async function cleanUp(run: Run): Promise<Sent[]> {
  const left: Sent[] = [];
  for (const created of run.known.created) {
    const { service, deletion, path } = created;
    const sent = requestOf(service, deletion, { path });
    try {
      const { answer } = await run.exchange(
        { service, operation: deletion, sent, body: undefined, path, tried: "to clean up" },
        { statuses: "success", says: "The client can delete what it created." },
        true,
      );
      if (answer.status >= 200 && answer.status < 300) await lookForIt(run, created);
      else if (answer.status !== 404) left.push(sent);
    } catch (error) {
      if (!(error instanceof BudgetSpent)) throw error;
      left.push(sent);
    }
  }
  run.known.created = [];
  return left;
}

/** Checks that a deleted resource and everything below it return 404, also for a second deletion. */
export async function lookForIt(run: Run, { service, deletion, path }: Created): Promise<void> {
  const below = service.document.operations.filter(
    ({ path: other, method }) => method === "GET" && (other === deletion.path || other.startsWith(`${deletion.path}/`)),
  );
  for (const operation of [deletion, ...below]) {
    if (!operation.responses.has("404") || run.wire.left <= run.known.created.length) continue;
    const response = operation.responses.get("404");
    await run
      .send(
        service,
        operation,
        // Resources below it have ids of their own, which do not exist any more.
        { path: { ...unknownPath(operation), ...path } },
        {
          tried: `after ${deletion.name}`,
          expected: {
            statuses: [404],
            ...(response && { pointer: response.pointer }),
            says: "A deleted resource returns 404.",
          },
        },
      )
      .catch((error: unknown) => {
        if (run.options.signal?.aborted !== true && !(error instanceof BudgetSpent)) throw error;
      });
  }
}
