import type { Operation, Parameter } from "@trainyard/document";
import type { OperationInfo, Refuse } from "./operation-info.ts";

export function checkParameters({ path, parameters }: Operation, refuse: Refuse): void {
  const inPath = [...path.matchAll(/\{([^}]+)\}/g)].map(([, name = ""]) => name);
  const declared = parameters.filter((one) => one.in === "path").map((one) => one.name);
  for (const name of inPath.filter((one) => !declared.includes(one))) {
    refuse(`The path contains {${name}}, but no path parameter has that name.`, `Declare the parameter ${name}.`);
  }
  for (const name of declared.filter((one) => !inPath.includes(one))) {
    refuse(`The path parameter ${name} is not in the path.`, `Write {${name}} in the path, or remove the parameter.`);
  }
  for (const one of parameters) {
    if (one.in === "cookie") refuse(`${one.name} is a cookie, which clients do not send.`, "Use a header.");
    if (one.in === "header" && one.required && one.clientOption === undefined) {
      refuse(
        `The header ${one.name} is required, but no method can send it.`,
        "Name the client option that fills it with x-client-option, or make it optional.",
      );
    }
  }
}

export function readOptionHeaders(parameters: readonly Parameter[]): OperationInfo["optionHeaders"] {
  const entries = parameters.flatMap(({ name: header, description, clientOption }) =>
    clientOption === undefined ? [] : [[clientOption, { header, description }] as const],
  );
  return Object.fromEntries(entries);
}

/** In the order of the path, which is the order of the arguments. */
export function orderedByPath(path: string, parameters: readonly Parameter[]): Parameter[] {
  return parameters
    .filter((one) => one.in === "path")
    .toSorted((a, b) => path.indexOf(`{${a.name}}`) - path.indexOf(`{${b.name}}`));
}
