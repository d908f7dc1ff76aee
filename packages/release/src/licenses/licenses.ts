import { type Component, nameOf, type Sbom } from "../sbom/sbom.ts";

/** The allowed licenses of packages that are installed with ours: those that require no more than a notice. */
const allowed = new Set(["0BSD", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "CC0-1.0", "ISC", "MIT"]);

/** Packages that declare their license in an outdated form, with the license that their LICENSE file states. */
const stated: Readonly<Record<string, string>> = {
  "compute-gcd@1.2.1": "MIT",
  "compute-lcm@1.1.2": "MIT",
  "validate.io-function@1.0.2": "MIT",
  "validate.io-integer@1.0.5": "MIT",
  "validate.io-integer-array@1.0.0": "MIT",
  "validate.io-number@1.0.3": "MIT",
};

/** A sentence for each dependency of a package whose license is unknown or not allowed. */
export function licenseFaults({ components }: Pick<Sbom, "components">): string[] {
  return components.flatMap((component) => {
    const id = `${nameOf(component)}@${component.version}`;
    const license = licenseOf(component) ?? stated[id];
    if (license === undefined)
      return [`${id} declares no license. Read its files and add the license to \`stated\`, or use another package.`];
    return isAllowed(license) ? [] : [`${id} has the license ${license}, which is not allowed. Use another package.`];
  });
}

/** The entries of {@link stated} that no package needs any more. */
export function needlessStatements(sboms: readonly Pick<Sbom, "components">[]): string[] {
  const missing = new Set(
    sboms
      .flatMap(({ components }) => components.filter((component) => licenseOf(component) === undefined))
      .map((component) => `${nameOf(component)}@${component.version}`),
  );
  return Object.keys(stated).filter((id) => !missing.has(id));
}

function licenseOf({ licenses = [] }: Component): string | undefined {
  const parts = licenses.map(({ license, expression }) => expression ?? license?.id ?? license?.name);
  return parts.length === 0 || parts.includes(undefined) ? undefined : parts.join(" AND ");
}

/** Of alternatives, one must be allowed; of a conjunction, all. Other expressions count as unknown. */
function isAllowed(expression: string): boolean {
  const plain = expression.replace(/^\((.*)\)$/, "$1");
  // Nested expressions need a human reader.
  if (/[()]/.test(plain)) return false;
  return plain.split(" OR ").some((either) => either.split(" AND ").every((id) => allowed.has(id.trim())));
}
