import { variableName } from "@trainyard/core/variable-name";
import { pascalCase } from "@trainyard/document";
import { docBlock } from "./doc-comment.ts";
import { propertyName } from "./names.ts";
import { isAuthorization, schemesOf } from "./schemes.ts";
import type { Service } from "./service.ts";

/** Writes the options of a client: those of every client, a credential for each scheme beside `apiKey`, and header values. */
export function clientOptions({ name, operations }: Service): string {
  // The schemes beside `apiKey`. Their names are those of the options with their credentials.
  const schemes = schemesOf(operations).filter((scheme) => scheme.name !== "apiKey");
  const secrets = schemes.map(({ name: option, description, carrier }) => {
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
  const filled = new Map(operations.flatMap(({ optionHeaders }) => Object.entries(optionHeaders)));
  const headers = [...filled].map(([option, { header, description }]) => {
    const text = `${description} Sent as the header \`${header}\`.`.trim();
    return `${docBlock({ text }, "  ")}  ${propertyName(option)}?: string;\n`;
  });
  const members = [...secrets, ...headers].join("");
  const doc = docBlock({ text: `The options of a client of the ${name} service.` });
  return `${doc}export interface ${pascalCase(name)}ClientOptions extends ClientOptions {${members === "" ? "" : `\n${members}`}}\n`;
}
