import { type Json, isObject } from "../json.ts";
import type { Plan } from "./plan.ts";
import { capital } from "./naming.ts";

/** Plans the package of a client: its hand-written files, and a test that holds for any operations. */
export function planPackage(plan: Plan, name: string, title: string): void {
  const folder = `packages/${name}`;
  const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;
  plan.create(`${folder}/package.json`, json(manifest(name, title)));
  plan.create(`${folder}/turbo.json`, `{\n  "extends": ["//"],\n  "tags": ["client"]\n}\n`);
  plan.create(
    `${folder}/tsconfig.build.json`,
    `{
  "extends": "../../tsconfig.base.json",
  "compilerOptions": { "rootDir": "src", "outDir": "dist" },
  "include": ["src"],
  "exclude": ["**/*.test.ts", "**/*.test-d.ts"]
}
`,
  );
  plan.create(
    `${folder}/src/index.ts`,
    `/**
 * A typed client of the ${title.charAt(0).toLowerCase()}${title.slice(1)}.
 *
 * @module
 */
export * from "@trainyard/core";
export * from "./generated/client.ts";
export type * from "./generated/schema.ts";
`,
  );
  plan.create(`${folder}/src/client.test.ts`, test(name));
  plan.create(`${folder}/README.md`, readme(name, title));
  for (const user of users) {
    const file = `packages/${user}/package.json`;
    if (plan.has(file)) plan.edit(file, (text) => withDependency(text, `@trainyard/${name}`));
  }
}

/** The packages that serve or show every service. */
const users = ["mock", "samples", "server"];

/** A manifest with one more dependency, sorted. */
function withDependency(text: string, name: string): string {
  const manifest: Json = JSON.parse(text);
  if (!isObject(manifest)) return text;
  const dependencies = isObject(manifest["dependencies"]) ? manifest["dependencies"] : {};
  const all = Object.entries({ ...dependencies, [name]: "workspace:^" }).sort(([a], [b]) => (a < b ? -1 : 1));
  return `${JSON.stringify({ ...manifest, dependencies: Object.fromEntries(all) }, null, 2)}\n`;
}

function manifest(name: string, title: string): Record<string, unknown> {
  return {
    name: `@trainyard/${name}`,
    version: "0.1.0",
    description: `Typed client of the ${title.charAt(0).toLowerCase()}${title.slice(1)}`,
    keywords: ["api-client", name, "openapi", "typescript"],
    license: "MIT",
    files: ["CHANGELOG.md", "dist", "src", "!src/**/*.test.ts", "!src/**/*.test-d.ts"],
    type: "module",
    sideEffects: false,
    exports: {
      ".": { "@trainyard/source": "./src/index.ts", types: "./dist/index.d.ts", default: "./dist/index.js" },
      "./http": {
        "@trainyard/source": "./src/generated/http.ts",
        types: "./dist/generated/http.d.ts",
        default: "./dist/generated/http.js",
      },
      "./validators": { types: "./dist/validators.d.ts", default: "./dist/validators.js" },
      "./openapi.json": "./src/generated/openapi.json",
      "./openapi.yaml": "./src/generated/openapi.yaml",
      "./package.json": "./package.json",
    },
    publishConfig: { access: "public", provenance: true },
    scripts: {
      build: `node ../../scripts/compile.ts && node --conditions=@trainyard/source ../codegen/src/cli.ts validators ${name}`,
      test: `vitest run --root ../.. --project ${name} --outputFile.json packages/${name}/.cache/tests.json`,
    },
    dependencies: { "@trainyard/core": "workspace:^" },
    devDependencies: { vitest: "catalog:" },
    engines: { node: ">=20" },
  };
}

function test(name: string): string {
  const create = `create${capital(name)}Client`;
  return `import { expect, it } from "vitest";
import { ${create}, operations } from "./index.ts";

const client = ${create}({ baseUrl: "http://127.0.0.1:4010/${name}", apiKey: "a-key" });

it.each(Object.keys(operations))("has the method %s", (name) => {
  const method = name.split(".").reduce<unknown>((part, key) => Reflect.get(Object(part), key), client);
  expect(method).toBeTypeOf("function");
});
`;
}

function readme(name: string, title: string): string {
  return `# @trainyard/${name}

A typed client of the ${title.charAt(0).toLowerCase()}${title.slice(1)}.

The packages are not in the npm registry yet. In a clone of the repository, \`npx -y pnpm@12 release pack\` packs them into
\`.cache/clients\`; \`manifest.md\` in that folder has the line that installs each package with npm, pnpm or Bun. With npm, and with
the clone beside your program:

\`\`\`sh
npm install ../trainyard/.cache/clients/trainyard-core-*.tgz ../trainyard/.cache/clients/trainyard-${name}-*.tgz
\`\`\`

Node 20 and newer, Deno, Bun, workerd and browsers; ESM only. The address and the key come from options, or from
\`TRAINYARD_${name.toUpperCase()}_URL\` and \`TRAINYARD_API_KEY\`. The options of the client and of a call, errors and retries are those of
\`@trainyard/core\`.
`;
}
