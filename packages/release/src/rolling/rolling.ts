/** A file of the release as it is. */
export interface Asset {
  readonly name: string;
  /** An ISO date. */
  readonly createdAt: string;
}

/** What the rolling release is to become. */
export interface Wanted {
  /** The folder that `pnpm release pack` wrote. */
  readonly folder: string;
  readonly files: readonly string[];
  /** `owner/name` on GitHub. */
  readonly repository: string;
  readonly commit: string;
}

/** A lockfile that names a tarball of the rolling release can be installed for so long after the tarball was replaced. */
const keptDays = 30;
const tag = "rolling";
const notes = "manifest.md";

/**
 * The calls of `gh` that make the rolling release what it is to be, in an order that never shows a line to install before
 * the file that it names.
 * @param assets of the release as it is; `undefined` where there is none yet
 * @throws where the folder lacks tarballs or the text of the release
 */
export function plan(wanted: Wanted, assets: readonly Asset[] | undefined, now: Date): string[][] {
  const { folder, files, repository, commit } = wanted;
  if (!files.includes(notes) || !files.some((name) => name.endsWith(".tgz")))
    throw new Error(`${folder} holds no packed clients. Make them with: npx -y pnpm@12 release pack --out ${folder}`);
  const text = ["--notes-file", `${folder}/${notes}`];
  const there = new Set(assets?.map(({ name }) => name));
  // A tarball's name holds its digest: one that is there is the same.
  const fresh = files.filter((name) => name.endsWith(".tgz") && !there.has(name));
  const told = files.filter((name) => !name.endsWith(".tgz") && name !== notes);
  const upload = (names: readonly string[]): string[][] =>
    names.length > 0 ? [["release", "upload", tag, ...names.map((name) => `${folder}/${name}`), "--clobber"]] : [];
  const before = now.getTime() - keptDays * 24 * 3_600_000;
  const old = (assets ?? []).filter(
    ({ name, createdAt }) => name.endsWith(".tgz") && !files.includes(name) && Date.parse(createdAt) < before,
  );
  return [
    ...(assets === undefined
      ? [["release", "create", tag, "--prerelease", "--title", "Rolling release", "--target", commit, ...text]]
      : []),
    ...upload(fresh),
    ...upload(told),
    ["api", "--method", "PATCH", `repos/${repository}/git/refs/tags/${tag}`, "-f", `sha=${commit}`, "-F", "force=true"],
    ["release", "edit", tag, "--prerelease", ...text],
    ...old.map(({ name }) => ["release", "delete-asset", tag, name, "--yes"]),
  ];
}
