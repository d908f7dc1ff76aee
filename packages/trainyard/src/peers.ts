/**
 * Packages that an installation may lack: one that few documents need, and those that a server leaves out with their compiler.
 * Each with what stands behind its name to install it.
 */
const peers: Readonly<Record<string, string>> = {
  "@redocly/cli": "@2",
  "@trainyard/codegen": "",
  "@trainyard/contract": "",
};

/**
 * Says how to install the package of which the error says that it is missing; undefined if it is another error.
 *
 * @param line the whole call: `trainyard uses --out -`
 */
export function missingPeer(error: unknown, line: string): string | undefined {
  const { code, message }: { readonly code?: unknown; readonly message?: unknown } = Object(error);
  const [, name = ""] = /'((?:@[^/']+\/)?[^/']+)/.exec(String(message)) ?? [];
  if (!Object.hasOwn(peers, name) || !String(code).endsWith("MODULE_NOT_FOUND")) return undefined;
  return `\`${line}\` needs ${name}. Install with: npm install --save-dev ${name}${peers[name]}`;
}
