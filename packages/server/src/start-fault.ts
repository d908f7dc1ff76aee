import type { ListenOptions } from "@trainyard/host";

const forbidden = (path: string) => `This user has no permission to use ${path}. Grant it, or choose another path.`;

/** Why a path cannot be used, and how to fix it. */
const ofPaths: Readonly<Record<string, (path: string) => string>> = {
  EACCES: forbidden,
  EPERM: forbidden,
  EROFS: (path) => `${path} is on a read-only file system. Make it writable, or choose another path.`,
  ENOSPC: (path) => `The disk of ${path} is full. Free some space, or choose another path.`,
  EDQUOT: (path) =>
    `The quota of this user on the disk of ${path} is used up. Free some space, or choose another path.`,
  EEXIST: (path) => `${path} is a file, but a folder is required. Move the file away, or choose another path.`,
  ENOTDIR: (path) =>
    `A part of ${path} is a file, but a folder is required. Move the file away, or choose another path.`,
  EISDIR: (path) => `${path} is a folder, but a file is required. Choose another path.`,
  ENOENT: (path) => `${path} does not exist. Create it, or choose another path.`,
  EIO: (path) => `${path} cannot be read or written. Check that its disk works.`,
};

/** Why the server cannot listen on an address, and how to fix it. */
const ofAddresses: Readonly<Record<string, (host: string, port: number) => string>> = {
  EADDRINUSE: (_, port) => `Port ${port} is in use. Choose another one with --port, or any free port with --port 0.`,
  EADDRNOTAVAIL: (host) =>
    `This machine has no address ${host} to listen at. Choose one of its own with --host, or 0.0.0.0 for all of them.`,
  EACCES: (_, port) =>
    `This user has no permission to listen on port ${port}. Choose a port above 1023 with --port, or grant the permission.`,
  ENOTFOUND: (host) => `The host name ${host} cannot be resolved. Give an address of this machine with --host.`,
  EAI_AGAIN: (host) => `The host name ${host} cannot be resolved. Give an address of this machine with --host.`,
};

/** What `startFault` says of an error. */
export function startSentence(error: unknown): string {
  const fault = startFault(error);
  return fault instanceof Error ? fault.message : String(fault);
}

/**
 * Why a server does not start: what is wrong, where, and how to fix it, with the `code` of the system's error. Errors
 * that are already sentences are returned unchanged.
 */
export function startFault(error: unknown, { host = "127.0.0.1", port = 4010 }: ListenOptions = {}): unknown {
  if (!(error instanceof Error) || !("code" in error) || typeof error.code !== "string") return error;
  const { code } = error;
  const isAddress = "syscall" in error && (error.syscall === "listen" || error.syscall === "getaddrinfo");
  const path = "path" in error && typeof error.path === "string" ? error.path : undefined;
  const sentence = isAddress ? ofAddresses[code]?.(host, port) : path && ofPaths[code]?.(path);
  return sentence ? Object.assign(new Error(sentence, { cause: error }), { code }) : error;
}
