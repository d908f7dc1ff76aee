/** Errors across two copies of the packages: the imported one, and the one at the given path. */
import { pathToFileURL } from "node:url";
import * as own from "@trainyard/training";

const [entry = "", minified] = process.argv.slice(2);
const other: typeof own = await import(pathToFileURL(entry).href);

function expect(holds: boolean, what: string): void {
  if (!holds) throw new Error(`Not so: ${what}.`);
}

expect(own.NotFoundError !== other.NotFoundError, "there are two copies");
if (minified) expect(own.NotFoundError.name !== "NotFoundError", "the bundle has other names for its classes");

const options = { headers: { prefer: "code=404" }, maxRetries: 0 };
for (const [thrower, catcher] of [
  [own, other],
  [other, own],
] as const) {
  const client = thrower.createTrainingClient(options);
  const error = await client.models.delete("3f2b8c1e-7a54-4d0e-9c61-2b8f5d3a9e70").catch((error: unknown) => error);
  expect(error instanceof catcher.NotFoundError, "an error of one copy is that of the other");
  expect(error instanceof catcher.ApiError, "and an error of the same base");
  expect(error instanceof catcher.TrainyardError, "and of the base of all");
  expect(!(error instanceof catcher.ConflictError), "and no other error");
  expect(error instanceof Error && error.name === "NotFoundError", "its name is as it is exported");
  expect(error instanceof Error && error.stack?.startsWith("NotFoundError: ") === true, "its stack has the name");
}
