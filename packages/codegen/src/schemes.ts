import { pointerTokens } from "@trainyard/core/validation";
import { pascalCase, variableName, type Carrier, type Security, type SecurityScheme } from "@trainyard/document";
import type { OperationFault, OperationInfo } from "./operation-info.ts";

/** The security schemes that operations use, each once, in order of use. */
export function schemesOf(operations: readonly OperationInfo[]): SecurityScheme[] {
  const schemes = operations.flatMap(({ security }) => security.flat());
  return [...new Map(schemes.map((scheme) => [scheme.name, scheme])).values()];
}

/** Whether a credential is sent in `Authorization`. If its own option is missing, `apiKey` is sent instead. */
export function isAuthorization(carrier: Carrier | undefined): boolean {
  return carrier?.kind === "bearer" || carrier?.kind === "basic";
}

/** The environment variables of a client's address and credentials, by the names of its options. */
export function variablesOf(
  operations: readonly OperationInfo[],
  prefix: string,
  address: string = variableName(prefix, "url"),
): Record<string, string> {
  const schemes = schemesOf(operations);
  const options = schemes.map(({ name }) => name);
  if (schemes.some(({ carrier }) => isAuthorization(carrier))) options.unshift("apiKey");
  const variables: Record<string, string> = { baseUrl: address };
  for (const option of options) {
    const variable = variableName(prefix, option);
    // No variable is that of two options, such as of the address and of a scheme `url`.
    if (!Object.values(variables).includes(variable)) variables[option] = variable;
  }
  return variables;
}

/** The alternatives that clients can send; all of them if there are none. */
export function sendable(security: Security): Security {
  const kept = security.filter(
    (schemes) =>
      schemes.every(({ carrier }) => carrier !== undefined) &&
      schemes.filter(({ carrier }) => isAuthorization(carrier)).length < 2,
  );
  return kept.length > 0 ? kept : security;
}

/** The code with which `@trainyard/core` sends a credential; undefined for the default, a bearer token. */
export function carrierCode({ carrier }: SecurityScheme): string | undefined {
  if (carrier === undefined || carrier.kind === "bearer") return undefined;
  return carrier.kind === "basic" ? "basic" : `in${pascalCase(carrier.kind)}(${JSON.stringify(carrier.name)})`;
}

/** The parts of a document's security that clients do not support. */
export function schemeFaults(operations: readonly OperationInfo[]): OperationFault[] {
  const unknown = schemesOf(operations).flatMap(({ pointer, name, carrier }): OperationFault[] => {
    if (carrier !== undefined) return [];
    const message = `Clients cannot send the credential of the security scheme ${name}.`;
    const cure = "Make it `http` with `bearer` or `basic`, an `apiKey`, `oauth2` or `openIdConnect`.";
    return [{ pointer: pointerTokens(pointer), message, cure }];
  });
  const crowded = operations.flatMap(({ path, method, security }) =>
    security.flatMap((schemes): OperationFault[] => {
      const names = schemes.filter(({ carrier }) => isAuthorization(carrier)).map(({ name }) => name);
      if (names.length < 2) return [];
      const message = `${names.join(" and ")} are needed together, and both are sent in Authorization, which holds one.`;
      const cure = "Write them as alternatives, or send one of them in a header of its own.";
      return [{ pointer: ["paths", path, method, "security"], message, cure }];
    }),
  );
  return [...unknown, ...crowded];
}
