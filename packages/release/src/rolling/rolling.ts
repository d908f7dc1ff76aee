/** An existing file of the release. */
export interface Asset {
  readonly name: string;
  /** An ISO date. */
  readonly createdAt: string;
}

/** The desired state of the rolling release. */
export interface Wanted {
  /** The folder that `pnpm release pack` wrote. */
  readonly folder: string;
  readonly files: readonly string[];
  /** `owner/name` on GitHub. */
  readonly repository: string;
  readonly commit: string;
}

/** How long a lockfile that names a replaced tarball can still be installed. */
const keptDays = 30;
const tag = "rolling";
const notes = "manifest.md";

/**
 * The calls of `gh` that update the rolling release, in an order that never shows an install command before its file
 * exists.
 * @param assets the existing files of the release; `undefined` if there is none yet
 * @throws Error if the folder lacks tarballs or the text of the release
 */
export function plan(wanted: Wanted, assets: readonly Asset[] | undefined, now: Date): string[][] {
  const { folder, files, repository, commit } = wanted;
  if (!files.includes(notes) || !files.some((name) => name.endsWith(".tgz")))
    throw new Error(`${folder} holds no packed clients. Make them with: npx -y pnpm@12 release pack --out ${folder}`);
  const text = ["--notes-file", `${folder}/${notes}`];
  const there = new Set(assets?.map(({ name }) => name));
  // A tarball's name contains its digest, so an existing one is identical.
  const fresh = files.filter((name) => name.endsWith(".tgz") && !there.has(name));
  const manifests = files.filter((name) => !name.endsWith(".tgz") && name !== notes);
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
    ...upload(manifests),
    ["api", "--method", "PATCH", `repos/${repository}/git/refs/tags/${tag}`, "-f", `sha=${commit}`, "-F", "force=true"],
    ["release", "edit", tag, "--prerelease", ...text],
    ...old.map(({ name }) => ["release", "delete-asset", tag, name, "--yes"]),
  ];
}
