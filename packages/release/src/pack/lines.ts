/** A tarball to install, and its location. */
export interface Source {
  readonly name: string;
  /** A URL, or an absolute path. */
  readonly address: string;
}

/** The commands that install one package, by package manager. */
export type Lines = Readonly<Record<"npm" | "pnpm" | "bun", string>>;

/**
 * Commands that install a package and its dependencies from tarballs, because none of them is in a registry.
 *
 * A tarball names its dependencies by version, so each package manager must be told where they are. npm accepts a
 * sibling in the same command. pnpm and Bun look it up in the registry unless an override says otherwise. pnpm also
 * rejects a URL that is not a direct dependency unless `blockExoticSubdeps` allows it.
 */
export function installLines(wanted: Source, others: readonly Source[]): Lines {
  const all = [...others, wanted].map(quoted).join(" ");
  if (others.length === 0) return { npm: `npm install ${all}`, pnpm: `pnpm add ${all}`, bun: `bun add ${all}` };
  const keys = others.map(({ name, address }) => `"overrides.${name}=${address}"`);
  const overrides = others.map((source) => [source.name, `${isUrl(source) ? "" : "file:"}${source.address}`]);
  const lines = [
    ...(others.some(isUrl) ? [`${configure} blockExoticSubdeps false`] : []),
    `${configure} --json overrides '${JSON.stringify(Object.fromEntries(overrides))}'`,
    `pnpm add ${quoted(wanted)}`,
  ];
  return {
    npm: `npm install ${all}`,
    pnpm: lines.join(" && "),
    bun: `bun pm pkg set ${keys.join(" ")} && bun add ${quoted(wanted)}`,
  };
}

const configure = "pnpm config set --location project";

function isUrl({ address }: Source): boolean {
  return /^https?:/.test(address);
}

function quoted({ address }: Source): string {
  return /\s/.test(address) ? `"${address}"` : address;
}
