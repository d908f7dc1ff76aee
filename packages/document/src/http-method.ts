/** The keys of a path item in OpenAPI 3.1 that hold an operation. */
export const httpMethods = ["get", "put", "post", "delete", "options", "head", "patch", "trace"] as const;

/** A method as a document writes it: in lower case. */
export type HttpMethod = (typeof httpMethods)[number];
