import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { clientBanner, list, type Files } from "./files.ts";

const home = dirname(fileURLToPath(import.meta.resolve("@trainyard/core/package.json")));

/** The package has the license of the repository. */
const licenseFile = [join(home, "LICENSE"), join(home, "../../LICENSE")].find((file) => existsSync(file)) ?? "";

/** Whether the engine has this file, by its path in `core/`. */
export const isEngineFile = (file: string): boolean => existsSync(join(home, "dist", file));

/** The engine as its package has it, modules and types, for the folder `core/` beside a client. */
export function engineFiles(): Files {
  const { version, license, type, sideEffects, imports } = JSON.parse(readFileSync(join(home, "package.json"), "utf8"));
  const origin = `@trainyard/core ${version}, ${license} license, sha256:`;
  const conditions = Object.entries<{ default: string }>(imports["#runtime"]);
  const runtime = Object.fromEntries(conditions.map(([name, file]) => [name, file.default.replace("/dist/", "/")]));
  const own = {
    "//": `${clientBanner.slice("// ".length).trim()} ${origin}`,
    version,
    license,
    type,
    sideEffects,
    imports: { "#runtime": runtime },
  };
  // `http` needs `openapi-fetch`, which no generated client uses.
  const names = list(join(home, "dist")).filter((file) => /^(?!http\.).*\.(?:js|d\.ts)$/.test(file));
  const modules = names.map((file): [string, string] => {
    const text = readFileSync(join(home, "dist", file), "utf8").replace(/^\/\/# sourceMappingURL=.*\n?/m, "");
    return [`core/${file}`, seal(`${clientBanner}// ${origin}\n${text}`)];
  });
  const terms = seal(`${clientBanner}// ${origin}\n\n${readFileSync(licenseFile, "utf8")}`);
  const about = seal(`${JSON.stringify(own, undefined, 2)}\n`);
  return new Map([["core/LICENSE", terms], ["core/package.json", about], ...modules]);
}

const digest = /sha256:\w*/;

/** Writes into a text its own digest, by which a change by hand is seen, also after an upgrade of the engine. */
function seal(text: string): string {
  const hash = createHash("sha256").update(text.replace(digest, "sha256:")).digest("hex");
  return text.replace(digest, `sha256:${hash}`);
}

/** Whether a file of the engine is no longer as it was written. */
export function isEdited(text: string): boolean {
  return !digest.test(text) || seal(text) !== text;
}
