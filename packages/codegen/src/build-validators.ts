import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { readBundle } from "./bundle.ts";
import { nameInlineSchemas } from "./inline-schemas.ts";
import { DocumentError } from "./problem.ts";
import { validatorsModule } from "./validators.ts";
import { writeFiles } from "./files.ts";

/**
 * Writes `packages/<service>/dist/validators.js` and its types from the generated bundle. Not committed: the code is large,
 * and generated from the bundle alone.
 */
export async function buildValidators(root: string, service: string): Promise<string> {
  const source = `packages/${service}/src/generated/openapi.json`;
  if (!existsSync(join(root, source))) {
    const cure = "Generate it first: npx -y pnpm@12 generate";
    throw new DocumentError([{ file: source, message: `${service} has no bundle to generate validators from.`, cure }]);
  }
  const document = nameInlineSchemas(readBundle(readFileSync(join(root, source), "utf8"), source));
  const { code, types } = await validatorsModule(document);
  const folder = join(root, "packages", service, "dist");
  writeFiles(
    folder,
    new Map([
      ["validators.js", code],
      ["validators.d.ts", types],
    ]),
  );
  const count = Object.keys(document.components?.schemas ?? {}).length;
  return `${service}: ${count} validators, ${Math.round(code.length / 1000)} kB`;
}
