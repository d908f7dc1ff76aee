import { docBlock } from "./doc-comment.ts";
import type { OpenApiDocument } from "./document.ts";
import { pascalCase, propertyName } from "./names.ts";
import type { OperationInfo } from "./operation-info.ts";
import type { Service } from "./service.ts";

/** Writes the options of a client: those of every client, a secret for each scheme beside `apiKey`, and what fills headers. */
export function clientOptions({ name, bundle, operations }: Service): string {
  const secrets = secretOptions(bundle, operations).map(({ option, description }) => {
    const otherwise = `Default: the environment variable \`${variable(option)}\`, then \`apiKey\`.`;
    const text = `${description} A string, or a function that gives it, as \`apiKey\`. ${otherwise}`;
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

/** Schemes beside `apiKey` that clients use for some operation. Their names are those of the options that fill them. */
export function secretOptions(
  { components }: OpenApiDocument,
  operations: readonly OperationInfo[],
): { option: string; description: string }[] {
  // A client authenticates with the first scheme that an operation names.
  const used = new Set(
    operations.flatMap(({ security }) =>
      security
        .flat()
        .slice(0, 1)
        .map(({ name }) => name),
    ),
  );
  return Object.entries(components?.securitySchemes ?? {}).flatMap(([option, scheme]) => {
    if (option === "apiKey" || !used.has(option) || !isBearer(scheme)) return [];
    return [{ option, description: scheme.description ?? `The credential of the scheme \`${option}\`.` }];
  });
}

function headerOptions(
  operations: readonly OperationInfo[],
): { option: string; header: string; description: string }[] {
  const found = new Map<string, { option: string; header: string; description: string }>();
  for (const { optionHeaders } of operations) {
    for (const [option, { header, description }] of Object.entries(optionHeaders)) {
      found.set(option, { option, header, description: description ?? "" });
    }
  }
  return [...found.values()];
}

function isBearer(scheme: unknown): scheme is { description?: string } {
  if (typeof scheme !== "object" || scheme === null) return false;
  return "type" in scheme && scheme.type === "http" && "scheme" in scheme && scheme.scheme === "bearer";
}

/** `TRAINYARD_ACCESS_TOKEN` of `accessToken`. */
function variable(option: string): string {
  return `TRAINYARD_${option.replaceAll(/(?<=[a-z0-9])(?=[A-Z])/g, "_").toUpperCase()}`;
}
