import { variableName } from "@trainyard/core/variable-name";
import { pascalCase, type SecurityScheme } from "@trainyard/document";
import { docBlock } from "./doc-comment.ts";
import { propertyName } from "./names.ts";
import type { OperationInfo } from "./operation-info.ts";
import { isAuthorization, schemesOf } from "./schemes.ts";
import type { Service } from "./service.ts";

/** Writes the options of a client: those of every client, a credential for each scheme beside `apiKey`, and header values. */
export function clientOptions({ name, operations }: Service): string {
  const secrets = secretOptions(operations).map(({ name: option, description, carrier }) => {
    const text = [
      description || `The credential of the security scheme \`${option}\`.`,
      ...(carrier?.kind === "basic"
        ? ["Written as `user:password`; without a colon it is the password of the user `api`."]
        : []),
      ...(carrier?.kind === "cookie" ? ["Sent as a cookie, which browsers do not let programs set."] : []),
      "A string, or a function that returns it, as for `apiKey`.",
      `Default: the environment variable \`${variableName(option)}\`${isAuthorization(carrier) ? ", then `apiKey`" : ""}.`,
    ].join(" ");
    return `${docBlock({ text }, "  ")}  ${propertyName(option)}?: Secret | null;\n`;
  });
  const headers = headerOptions(operations).map(({ option, header, description }) => {
    const text = `${description} Sent as the header \`${header}\`.`.trim();
    return `${docBlock({ text }, "  ")}  ${propertyName(option)}?: string;\n`;
  });
  const members = [...secrets, ...headers].join("");
  const doc = docBlock({ text: `The options of a client of the ${name} service.` });
  return `${doc}export interface ${pascalCase(name)}ClientOptions extends ClientOptions {${members === "" ? "" : `\n${members}`}}\n`;
}

/** The schemes beside `apiKey`. Their names are those of the options with their credentials. */
function secretOptions(operations: readonly OperationInfo[]): SecurityScheme[] {
  return schemesOf(operations).filter(({ name }) => name !== "apiKey");
}

function headerOptions(
  operations: readonly OperationInfo[],
): { option: string; header: string; description: string }[] {
  const found = new Map<string, { option: string; header: string; description: string }>();
  for (const { optionHeaders } of operations) {
    for (const [option, { header, description }] of Object.entries(optionHeaders)) {
      found.set(option, { option, header, description });
    }
  }
  return [...found.values()];
}
