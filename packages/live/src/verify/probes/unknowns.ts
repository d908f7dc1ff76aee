import { responseOf, type Operation } from "@trainyard/document";
import type { LiveService } from "../../service.ts";
import type { Expected, Run } from "../run.ts";
import { exampleBodies, unknownBody } from "./bodies.ts";
import { queryOf, unknownPath } from "./requests.ts";

/** Requests what does not exist: ids that are not in use, and texts that are not ids. */
export async function tryUnknown(run: Run, service: LiveService, operation: Operation): Promise<void> {
  const response = responseOf(operation, 404);
  if (response === undefined) return;
  const expected: Expected = { statuses: [404], pointer: response.pointer, says: `404: ${response.description}` };
  const [example] = exampleBodies(operation);
  const query = queryOf(run, operation);
  const hasPath = operation.parameters.some((one) => one.in === "path");
  if (hasPath) {
    const body = example?.[1];
    await run.send(
      service,
      operation,
      { path: unknownPath(operation), query, body },
      { tried: "with an unknown id", expected },
    );
    // A service may mistake the last segment of a path for another route.
    await run.send(
      service,
      operation,
      { path: unknownPath(operation, () => "verify-none"), query, body },
      { tried: "with a text that is not an id", expected },
    );
    return;
  }
  const body = unknownBody(service.document.root, operation, example?.[1], run.own);
  if (body !== undefined)
    await run.send(service, operation, { query, body }, { tried: "with names that do not exist", expected });
}
