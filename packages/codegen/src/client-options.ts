import { pascalCase } from "@trainyard/document";
import { docBlock } from "./doc-comment.ts";
import { propertyName } from "./names.ts";
import { isAuthorization, schemesOf } from "./schemes.ts";
import type { Service } from "./service.ts";

/** Writes the options of a client: those of every client, a credential for each scheme beside `apiKey`, and header values. */
export function clientOptions({ name, operations, variables = {} }: Service): string {
  // The schemes beside `apiKey`. Their names are those of the options with their credentials.
  const schemes = schemesOf(operations).filter((scheme) => scheme.name !== "apiKey");
  const secrets = schemes.map(({ name: option, description, carrier }) => {
    const defaults = [
      ...(variables[option] === undefined ? [] : [`the environment variable \`${variables[option]}\``]),
      ...(isAuthorization(carrier) ? ["`apiKey`"] : []),
    ];
    const text = [
      description || `The credential of the security scheme \`${option}\`.`,
      ...(carrier?.kind === "basic"
        ? ["Written as `user:password`; without a colon it is the password of the user `api`."]
        : []),
      ...(carrier?.kind === "cookie" ? ["Sent as a cookie, which browsers do not let programs set."] : []),
      "A string, or a function that returns it, as for `apiKey`.",
      ...(defaults.length > 0 ? [`Default: ${defaults.join(", then ")}.`] : []),
    ].join(" ");
    return `${docBlock({ text }, "  ")}  ${propertyName(option)}?: Secret | null;\n`;
  });
  const filled = new Map(operations.flatMap(({ optionHeaders }) => Object.entries(optionHeaders)));
  const headers = [...filled].map(([option, { header, description }]) => {
    const text = `${description} Sent as the header \`${header}\`.`.trim();
    return `${docBlock({ text }, "  ")}  ${propertyName(option)}?: string;\n`;
  });
  const members = [...secrets, ...headers].join("");
  const names = Object.values(variables).map((variable) => `\`${variable}\``);
  const read = `It reads ${names.length > 0 ? "the environment variables " : "no environment variables"}${names.join(", ")}.`;
  const doc = docBlock({ text: `The options of a client of the ${name} service. ${read}` });
  return `${doc}export interface ${pascalCase(name)}ClientOptions extends ClientOptions {${members === "" ? "" : `\n${members}`}}\n`;
}
