/** `pnpm editor`: writes the JSON Schemas with which editors check the files of the documents. */
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../../places.ts";
import { editorSchemas, schemaFolder } from "./kinds.ts";

const folder = join(root, schemaFolder);
const schemas = editorSchemas();
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
for (const [name, text] of schemas) writeFileSync(join(folder, name), text);
console.log(`${schemas.size} schemas in ${schemaFolder}`);
