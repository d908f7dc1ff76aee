import { type Component, nameOf, type Sbom } from "../sbom/sbom.ts";

/** Licenses of what is installed with our packages: those that ask for no more than a notice. */
const allowed = new Set(["0BSD", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "CC0-1.0", "ISC", "MIT"]);

/** Packages that name theirs in a form that no tool reads any more, as their LICENSE files have it. */
const stated: Readonly<Record<string, string>> = {
  "compute-gcd@1.2.1": "MIT",
  "compute-lcm@1.1.2": "MIT",
  "validate.io-function@1.0.2": "MIT",
  "validate.io-integer@1.0.5": "MIT",
  "validate.io-integer-array@1.0.0": "MIT",
  "validate.io-number@1.0.3": "MIT",
};

/** A sentence for each dependency of a package whose license is not allowed or not known. */
export function licenseFaults({ components }: Pick<Sbom, "components">): string[] {
  return components.flatMap((component) => {
    const id = `${nameOf(component)}@${component.version}`;
    const license = licenseOf(component) ?? stated[id];
    if (license === undefined)
      return [`${id} names no license: read its files, and write it into \`stated\`, or use another package.`];
    return isAllowed(license)
      ? []
      : [`${id} has the license ${license}, which is not among those allowed: use another package.`];
  });
}

/** Those of {@link stated} that no package needs any more. */
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

/** One of several suffices; all of several must be. Other forms of expression count as unknown names. */
function isAllowed(expression: string): boolean {
  const plain = expression.replace(/^\((.*)\)$/, "$1");
  // Deeper than that: nobody but a reader can tell.
  if (/[()]/.test(plain)) return false;
  return plain.split(" OR ").some((either) => either.split(" AND ").every((id) => allowed.has(id.trim())));
}
