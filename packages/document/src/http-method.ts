/** The methods under which a path item of OpenAPI 3.1 can hold an operation, as documents write them. */
export const httpMethods = ["get", "put", "post", "delete", "options", "head", "patch", "trace"] as const;

/** A method as a document writes it: in lower case. */
export type HttpMethod = (typeof httpMethods)[number];
