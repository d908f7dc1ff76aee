import { isObject } from "@trainyard/core/validation";

/** The keys of a path item in OpenAPI 3.2 that hold an operation, beside `additionalOperations`. */
export const httpMethods = ["get", "put", "post", "delete", "options", "head", "patch", "trace", "query"] as const;

/** A method as a bundle writes it: in lower case, or in capitals if it is one of `additionalOperations`. */
export type HttpMethod = (typeof httpMethods)[number] | Uppercase<string>;

/** The keys of a path item of a bundle that hold its operations. */
export function operationKeys(item: unknown): HttpMethod[] {
  if (!isObject(item)) return [];
  const further = Object.keys(item).filter(isFurther);
  const keys: HttpMethod[] = [...httpMethods, ...further.filter((key) => item[key.toLowerCase()] === undefined)];
  return keys.filter((key) => isObject(item[key]));
}

function isFurther(key: string): key is Uppercase<string> {
  return /^[A-Z][A-Z-]*$/.test(key);
}
