import { createRequire } from "node:module";

/** Packages that few commands use, so that nobody has to install them for the others: each with the version to install. */
export const peers = { "@redocly/cli": "2", esbuild: "0.28", "openapi-typescript": "7", typescript: "5" } as const;

export type Peer = keyof typeof peers;

/**
 * Says which packages a command lacks, and how to install them; undefined if it has all.
 *
 * @param owner the package that uses them
 * @param line the whole call: `trainyard uses --out -`
 */
export function peerFault(owner: string, uses: readonly Peer[], line: string): string | undefined {
  const require = createRequire(createRequire(import.meta.url).resolve(`${owner}/package.json`));
  const versionOf = (name: Peer): string | undefined => {
    try {
      return require(`${name}/package.json`).version;
    } catch {
      return undefined;
    }
  };
  const missing = uses.filter((name) => versionOf(name) === undefined);
  if (missing.length > 0) return lack(missing, line);
  const compiler = uses.includes("typescript") ? versionOf("typescript") : undefined;
  if (compiler === undefined || compiler.startsWith("5.")) return undefined;
  const packages = ["trainyard", ...uses.map(withVersion)].map((name) => `-p ${name}`).join(" ");
  return `This command uses the JavaScript API of TypeScript 5, and ${compiler} is installed here. Keep it, and run: npx -y ${packages} ${line}`;
}

/** The same for a package of which the error says that it is missing: a command may need it for some documents only. */
export function missingPeer(error: unknown, line: string): string | undefined {
  const { code, message }: { readonly code?: unknown; readonly message?: unknown } = Object(error);
  const [, name] = /'((?:@[^/']+\/)?[^/']+)/.exec(String(message)) ?? [];
  const peer = Object.keys(peers).find((one): one is Peer => one === name);
  return peer === undefined || !String(code).endsWith("MODULE_NOT_FOUND") ? undefined : lack([peer], line);
}

function lack(missing: readonly Peer[], line: string): string {
  const all = missing.map(withVersion).join(" ");
  return `\`${line}\` needs ${missing.join(", ")}. Install with: npm install --save-dev ${all}`;
}

function withVersion(name: Peer): string {
  return `${name}@${peers[name]}`;
}
