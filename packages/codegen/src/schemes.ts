import type { Carrier, SecurityScheme } from "@trainyard/document";
import type { OperationFault, OperationInfo } from "./operation-info.ts";

/** The security schemes that some operation takes, each once, in the order of their use. */
export function schemesOf(operations: readonly OperationInfo[]): SecurityScheme[] {
  const schemes = operations.flatMap(({ security }) => security.flat());
  return [...new Map(schemes.map((scheme) => [scheme.name, scheme])).values()];
}

/** Whether a credential is sent in `Authorization`. Where its own option is not given, `apiKey` is sent in its place. */
export function isAuthorization(carrier: Carrier | undefined): boolean {
  return carrier?.kind === "bearer" || carrier?.kind === "basic";
}

/** How `@trainyard/core` sends a credential, as code; undefined for a bearer token, which is what it sends where nothing is said. */
export function carrierCode({ carrier }: SecurityScheme): { readonly name: string; readonly code: string } | undefined {
  if (carrier === undefined || carrier.kind === "bearer") return undefined;
  if (carrier.kind === "basic") return { name: "basic", code: "basic" };
  const name = carrier.kind === "header" ? "inHeader" : "inQuery";
  return { name, code: `${name}(${JSON.stringify(carrier.name)})` };
}

/** What of a document's security no client can be made of. */
export function schemeFaults(operations: readonly OperationInfo[]): OperationFault[] {
  const unknown = schemesOf(operations).flatMap(({ name, carrier }): OperationFault[] => {
    const pointer = ["components", "securitySchemes", name];
    if (carrier === undefined) {
      const cure =
        "Make it `http` with `bearer` or `basic`, `apiKey` in `header` or `query`, `oauth2` or `openIdConnect`.";
      return [{ pointer, message: `Clients cannot send the credential of the security scheme ${name}.`, cure }];
    }
    if (/^[a-z][A-Za-z0-9]*$/.test(name)) return [];
    const cure = "Give it a name in camel case, such as `projectKey`.";
    return [{ pointer, message: `The security scheme ${name} cannot be the name of an option of the client.`, cure }];
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
