/** A tarball to install, and where it lies. */
export interface Source {
  readonly name: string;
  /** A URL, or a path that begins with a point. */
  readonly address: string;
}

/** The commands that install one package, by who runs them. */
export interface Lines {
  readonly npm: string;
  readonly pnpm: string;
  readonly bun: string;
}

/**
 * Lines that install a package and what it needs from tarballs, none of them being in a registry.
 *
 * A tarball names the packages that it needs by version, so each package manager has to be told where they lie. npm takes
 * a sibling that is asked for in the same line. pnpm and Bun look into the registry all the same, unless an override says
 * otherwise; and to pnpm a URL that is not asked for directly is forbidden until `blockExoticSubdeps` allows it.
 */
export function installLines(wanted: Source, others: readonly Source[]): Lines {
  const all = [...others, wanted].map(({ address }) => address).join(" ");
  if (others.length === 0) return { npm: `npm install ${all}`, pnpm: `pnpm add ${all}`, bun: `bun add ${all}` };
  const keys = others.map(({ name, address }) => `"overrides.${name}=${address}"`);
  const lines = [
    ...(others.some(({ address }) => !address.startsWith(".")) ? [`${configure} blockExoticSubdeps false`] : []),
    `${configure} --json overrides '${JSON.stringify(pnpmOverrides(others))}'`,
    `pnpm add ${wanted.address}`,
  ];
  return {
    npm: `npm install ${all}`,
    pnpm: lines.join(" && "),
    bun: `bun pm pkg set ${keys.join(" ")} && bun add ${wanted.address}`,
  };
}

const configure = "pnpm config set --location project";

/** What `overrides` in a `pnpm-workspace.yaml` has to hold. */
function pnpmOverrides(others: readonly Source[]): Record<string, string> {
  return Object.fromEntries(
    others.map(({ name, address }) => [name, address.startsWith(".") ? `file:${address}` : address]),
  );
}
