import { pascalCase } from "@trainyard/document";
import { docBlock } from "./doc-comment.ts";
import { propertyName } from "./names.ts";
import { isAuthorization, schemesOf } from "./schemes.ts";
import type { Service } from "./service.ts";

/** How many addresses a type lists. */
const most = 100;

/** The addresses of each server of a document, by the values of its variables, the default first; none if it is not a whole one. */
export function addressesOf(bundle: object): string[][] {
  const { servers }: { servers?: unknown } = Object(bundle);
  return (Array.isArray(servers) ? servers : []).map((server: unknown) => {
    const { url, variables } = Object(server);
    let filled = [String(url)];
    for (const [name, variable] of Object.entries(Object(variables))) {
      const { default: value, enum: listed = [] } = Object(variable);
      const values = [...new Set([value ?? [], listed].flat().map(String))];
      filled = filled.flatMap((one) => values.map((text) => one.replaceAll(`{${name}}`, () => text))).slice(0, most);
    }
    return filled.filter((one) => /^https?:\/\/[^{}?#]+$/.test(one));
  });
}

const variableOf = (name: string): string => `the environment variable \`${name}\``;

const defaultOf = (all: readonly string[]): string => (all.length > 0 ? ` Default: ${all.join(", then ")}.` : "");

/** The option `baseUrl` of a document that has a choice of addresses. */
function baseUrlOption({ bundle, variables = {} }: Service): string {
  const all = addressesOf(bundle);
  const addresses = [...new Set(all.flat())].slice(0, most);
  if (addresses.length < 2) return "";
  const defaults = [
    ...(variables["baseUrl"] === undefined ? [] : [variableOf(variables["baseUrl"])]),
    ...(all[0]?.slice(0, 1) ?? []).map((one) => `\`${one}\``),
  ];
  const text = `The address of the service: one of its document, or any other.${defaultOf(defaults)}`;
  const type = [...addresses.map((one) => JSON.stringify(one)), "(string & {})", "undefined"].join(" | ");
  return `${docBlock({ text }, "  ")}  baseUrl?: ${type};\n`;
}

/** Writes the options of a client: those of every client, a credential for each scheme beside `apiKey`, and header values. */
export function clientOptions(service: Service, hasServers = false): string {
  const { name, operations, variables = {} } = service;
  // The schemes beside `apiKey`. Their names are those of the options with their credentials.
  const schemes = schemesOf(operations).filter((scheme) => scheme.name !== "apiKey");
  const secrets = schemes.map(({ name: option, description, carrier }) => {
    const defaults = [
      ...(variables[option] === undefined ? [] : [variableOf(variables[option])]),
      ...(isAuthorization(carrier) ? ["`apiKey`"] : []),
    ];
    const text = [
      description || `The credential of the security scheme \`${option}\`.`,
      ...(carrier?.kind === "basic"
        ? ["Written as `user:password`; without a colon it is the password of the user `api`."]
        : []),
      ...(carrier?.kind === "cookie" ? ["Sent as a cookie, which browsers do not let programs set."] : []),
      "A string, or a function that returns it, as for `apiKey`.",
    ].join(" ");
    return `${docBlock({ text: text + defaultOf(defaults) }, "  ")}  ${propertyName(option)}?: Secret | null;\n`;
  });
  const filled = new Map(operations.flatMap(({ optionHeaders }) => Object.entries(optionHeaders)));
  const headers = [...filled].map(([option, { header, description }]) => {
    const text = `${description} Sent as the header \`${header}\`.`.trim();
    return `${docBlock({ text }, "  ")}  ${propertyName(option)}?: string;\n`;
  });
  const members = [hasServers ? baseUrlOption(service) : "", ...secrets, ...headers].join("");
  const names = Object.values(variables).map((variable) => `\`${variable}\``);
  const read = `It reads ${names.length > 0 ? "the environment variables " : "no environment variables"}${names.join(", ")}.`;
  const doc = docBlock({ text: `The options of a client of the ${name} service. ${read}` });
  return `${doc}export interface ${pascalCase(name)}ClientOptions extends ClientOptions {${members === "" ? "" : `\n${members}`}}\n`;
}
