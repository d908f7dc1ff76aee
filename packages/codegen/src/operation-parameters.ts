import type { HttpMethod, OpenApiDocument, Operation, Parameter } from "./document.ts";
import type { OperationInfo } from "./operation-info.ts";

/** One operation while it is read. */
export interface Reading {
  readonly document: OpenApiDocument;
  readonly path: string;
  readonly method: HttpMethod;
  readonly operation: Operation;
  readonly parameters: readonly Parameter[];
  readonly aliases: ReadonlyMap<string, readonly string[]>;
  readonly fault: (message: string, cure: string, below?: readonly string[]) => void;
}

export function checkParameters({ path, parameters, fault }: Reading): void {
  const inPath = [...path.matchAll(/\{([^}]+)\}/g)].map(([, name = ""]) => name);
  const declared = parameters.filter((one) => one.in === "path").map((one) => one.name);
  for (const name of inPath.filter((one) => !declared.includes(one))) {
    fault(`The path holds {${name}}, and no path parameter has that name.`, `Declare the parameter ${name}.`);
  }
  for (const name of declared.filter((one) => !inPath.includes(one))) {
    fault(`The path parameter ${name} is not in the path.`, `Write {${name}} in the path, or remove the parameter.`);
  }
  for (const one of parameters) {
    const filled = one["x-client-option"] !== undefined;
    if (one.in === "cookie") fault(`${one.name} is a cookie, and clients send none.`, "Use a header.");
    if (one.in === "header" && one.required === true && !filled) {
      fault(
        `The header ${one.name} is required, and no method has a place for it.`,
        "Name the client option that fills it with x-client-option, or make it optional.",
      );
    }
  }
}

export function readOptionHeaders(parameters: readonly Parameter[]): OperationInfo["optionHeaders"] {
  const entries = parameters.flatMap(({ name: header, description, "x-client-option": option }) =>
    option === undefined ? [] : [[option, { header, ...(description !== undefined && { description }) }] as const],
  );
  return Object.fromEntries(entries);
}

/** In the order in which they stand in the path, which is the order of the arguments. */
export function orderedByPath(path: string, parameters: readonly Parameter[]): Parameter[] {
  return parameters
    .filter((one) => one.in === "path")
    .toSorted((a, b) => path.indexOf(`{${a.name}}`) - path.indexOf(`{${b.name}}`));
}

export function securityNames(document: OpenApiDocument, operation: Operation): string[] {
  const requirements = operation.security ?? document.security ?? [];
  return [...new Set(requirements.flatMap((requirement) => Object.keys(requirement)))];
}
