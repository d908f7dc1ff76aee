/** A tarball to install, and its location. */
export interface Source {
  readonly name: string;
  /** A URL, or a path that starts with a dot. */
  readonly address: string;
}

/** The commands that install one package, by package manager. */
export interface Lines {
  readonly npm: string;
  readonly pnpm: string;
  readonly bun: string;
}

/**
 * Commands that install a package and its dependencies from tarballs, because none of them is in a registry.
 *
 * A tarball names its dependencies by version, so each package manager must be told where they are. npm accepts a
 * sibling in the same command. pnpm and Bun look it up in the registry unless an override says otherwise. pnpm also
 * rejects a URL that is not a direct dependency unless `blockExoticSubdeps` allows it.
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

/** The `overrides` for a `pnpm-workspace.yaml`. */
function pnpmOverrides(others: readonly Source[]): Record<string, string> {
  return Object.fromEntries(
    others.map(({ name, address }) => [name, address.startsWith(".") ? `file:${address}` : address]),
  );
}
