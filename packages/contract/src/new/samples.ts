import { type Json, isObject } from "../json.ts";
import type { Plan } from "./plan.ts";
import { capital, kebab } from "./naming.ts";

/** The call that the samples show in each language. */
export interface Sample {
  readonly service: string;
  readonly method: string;
  readonly verb: string;
  readonly path: string;
  /** The security scheme that it requires. */
  readonly security: string | undefined;
  /** Path parameters, each with a value, in order. */
  readonly parameters: readonly (readonly [name: string, value: string])[];
  readonly body: Json | undefined;
  readonly keyed: boolean;
  readonly isPage: boolean;
}

/** Plans one sample program per language that calls an operation. */
export function planSamples(plan: Plan, sample: Sample): void {
  if (!plan.has("packages/samples")) return;
  const file = `packages/samples/${sample.service}/${kebab(sample.method)}`;
  plan.create(`${file}.ts`, typescript(sample));
  plan.create(`${file}.sh`, shell(sample));
  plan.create(`${file}.py`, python(sample));
}

const keyValue = "a-key-of-your-own";

function typescript({ service, method, parameters, body, keyed, isPage }: Sample): string {
  const create = `create${capital(service)}Client`;
  const [only, ...others] = parameters;
  const path = others.length > 0 ? [Object.fromEntries(parameters)] : only === undefined ? [] : [only[1]];
  const args = [
    // oxfmt removes the quotes that TypeScript does not need.
    ...[...path, ...(body === undefined ? [] : [body])].map((value) => JSON.stringify(value, null, 2)),
    ...(keyed ? [`{ idempotencyKey: "${keyValue}" }`] : []),
  ];
  const call = `${service}.${method}(${args.join(", ")})`;
  return `import { ${create} } from "@trainyard/${service}";

const ${service} = ${create}();

${isPage ? `const items = ${call};\n${eachItem}` : `const answer = await ${call};\nconsole.log(answer);`}
`;
}

const eachItem = `// Iterating asks for page after page; awaiting gives one.
for await (const item of items) {
  console.log(item);
}`;

/** The path with values in it, and the headers. */
function request({ service, path, parameters, security, body, keyed }: Sample): {
  address: string;
  path: string;
  headers: string[][];
} {
  const filled = parameters.reduce((text, [name, value]) => text.replace(`{${name}}`, value), path);
  const token = security === "accessToken" ? "TRAINYARD_ACCESS_TOKEN" : "TRAINYARD_API_KEY";
  return {
    address: `TRAINYARD_${service.toUpperCase()}_URL`,
    path: filled,
    headers: [
      ...(security === undefined ? [] : [["Authorization", "Bearer ", token]]),
      ...(keyed ? [["Idempotency-Key", keyValue]] : []),
      ...(body === undefined ? [] : [["Content-Type", "application/json"]]),
    ],
  };
}

function shell(sample: Sample): string {
  const { address, path, headers } = request(sample);
  const { verb, body } = sample;
  const implied = body === undefined ? "get" : "post";
  const method = verb === implied ? "" : ` -X ${verb.toUpperCase()}`;
  const lines = [
    `curl -sS --fail-with-body${method} "$${address}${path}"`,
    ...headers.map(
      ([name, value = "", variable]) => `  -H "${name}: ${value}${variable === undefined ? "" : `$${variable}`}"`,
    ),
    ...(body === undefined
      ? []
      : [
          `  -d '${JSON.stringify(body, null, 2)
            .replaceAll("'", String.raw`'\''`)
            .replaceAll("\n", "\n  ")}'`,
        ]),
  ];
  return `${lines.join(" \\\n")}\n`;
}

function python(sample: Sample): string {
  const { address, path, headers } = request(sample);
  const { verb, body } = sample;
  const written = headers.map(([name, value = "", variable]) =>
    variable === undefined
      ? `        "${name}": "${value}",\n`
      : `        "${name}": f"${value}{os.environ['${variable}']}",\n`,
  );
  const parts = [
    `    os.environ["${address}"]\n    + "${path}",\n`,
    verb === "get" ? "" : `    method="${verb.toUpperCase()}",\n`,
    written.length === 0 ? "" : `    headers={\n${written.join("")}    },\n`,
    body === undefined ? "" : `    data=json.dumps(\n        ${pythonLiteral(body, "        ")}\n    ).encode(),\n`,
  ];
  return `import json
import os
import urllib.request

request = urllib.request.Request(
${parts.join("")})
with urllib.request.urlopen(request) as response:
    print(json.load(response))
`;
}

function pythonLiteral(value: Json, indent: string): string {
  if (value === null) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (Array.isArray(value)) return `[${value.map((item) => pythonLiteral(item, indent)).join(", ")}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const members = Object.entries(value).map(
    ([name, item]) => `${indent}    ${JSON.stringify(name)}: ${pythonLiteral(item, `${indent}    `)},\n`,
  );
  return members.length === 0 ? "{}" : `{\n${members.join("")}${indent}}`;
}
