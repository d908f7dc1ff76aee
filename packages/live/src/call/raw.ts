import { httpMethods, nearest } from "@trainyard/document";
import { allOperations, UsageError, type Found } from "../contract.ts";
import { bodyMedia } from "../request.ts";

/**
 * The operation of `trainyard call GET /v1/…`: any path, with any body and any response. Its service is the one that
 * declares it, else the one with the most similar path.
 *
 * @param target the path, and a query after `?`
 * @param err prints that no document declares it
 */
export async function rawOperation(
  all: readonly Found[],
  method: string,
  target: string,
  err: (text: string) => void,
): Promise<Found> {
  const key = [...httpMethods, ...all.map(({ operation }) => operation.key)].find(
    (one) => one.toUpperCase() === method,
  );
  if (key === undefined) throw new UsageError(`There is no method ${method}. There are: ${httpMethods.join(", ")}.`);
  const { createRouter } = await import("@trainyard/host");
  const path = target.replace(/\?.*/s, "");
  const declared = all.find(({ document, operation }) => {
    const routeOf = createRouter([operation]);
    return [path, path.replace(document.prefix, "")].some((one) => routeOf(one)?.operations.has(method));
  });
  const paths = all.map(({ operation }) => operation.path);
  const similar = nearest(path, paths, () => Number.MAX_VALUE);
  const like = declared ?? all.find(({ operation }) => operation.path === similar) ?? all[0];
  if (like === undefined) throw new UsageError("The document has no operations.");
  const { contract, document } = like;
  if (like !== declared) err(`No document declares ${method} ${path}. The call is sent to ${contract.name}.\n`);
  const root = contract.bundle();
  const schemes = document.operations.flatMap(({ security }) => security.flat().map(({ name }) => name));
  const type = (declared && bodyMedia(declared.operation)?.mediaType) ?? "application/json";
  const operation = {
    security: [...new Set(schemes)].map((name) => ({ [name]: [] })).concat({}),
    ...(!["get", "head"].includes(key) && { requestBody: { content: { [type]: {} } } }),
    responses: { default: { description: "", content: { "*/*": {} } } },
  };
  const bundle = { ...root, paths: { [target]: { [key]: operation } } };
  const [found = like] = allOperations([{ ...contract, bundle: () => bundle }], undefined);
  // Messages name what was typed, and no operation that nobody declares.
  return { ...found, operation: { ...found.operation, name: `${method} ${path}` } };
}
