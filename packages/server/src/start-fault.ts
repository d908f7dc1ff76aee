import type { ListenOptions } from "@trainyard/host";

/** Why a path cannot be used, and what to do. */
const ofPaths: Readonly<Record<string, (path: string) => string>> = {
  EACCES: (path) => `This user may not use ${path}. Give it the right to, or choose another place.`,
  EPERM: (path) => `This user may not use ${path}. Give it the right to, or choose another place.`,
  EROFS: (path) => `${path} is on a file system that is read-only. Make it writable, or choose another place.`,
  ENOSPC: (path) => `The disk of ${path} is full. Free some space, or choose another place.`,
  EDQUOT: (path) =>
    `The quota of this user on the disk of ${path} is used up. Free some space, or choose another place.`,
  EEXIST: (path) => `${path} is a file, and must be a folder. Move the file away, or choose another place.`,
  ENOTDIR: (path) => `A part of ${path} is a file, and must be a folder. Move the file away, or choose another place.`,
  EISDIR: (path) => `${path} is a folder, and must be a file. Choose another place.`,
  ENOENT: (path) => `There is no ${path}. Make it, or choose another place.`,
  EIO: (path) => `${path} cannot be read or written. Look whether its disk works.`,
};

/** Why an address cannot be listened at, and what to do. */
const ofAddresses: Readonly<Record<string, (host: string, port: number) => string>> = {
  EADDRINUSE: (_, port) => `Port ${port} is in use. Choose another with --port, or any that is free with --port 0.`,
  EADDRNOTAVAIL: (host) =>
    `This machine has no address ${host} to listen at. Choose one of its own with --host, or 0.0.0.0 for all of them.`,
  EACCES: (_, port) =>
    `This user may not listen at port ${port}. Choose one above 1023 with --port, or give the right to it.`,
  ENOTFOUND: (host) => `No address is known for ${host}. Give an address of this machine with --host.`,
  EAI_AGAIN: (host) => `No address is known for ${host}. Give an address of this machine with --host.`,
};

/**
 * Why a server does not start, as a sentence that names the place and the cure, with the `code` of the system's error. What
 * is a sentence already stays.
 */
export function startFault(error: unknown, { host = "127.0.0.1", port = 4010 }: ListenOptions = {}): unknown {
  if (!(error instanceof Error) || !("code" in error) || typeof error.code !== "string") return error;
  const { code } = error;
  if ("syscall" in error && (error.syscall === "listen" || error.syscall === "getaddrinfo")) {
    return withCode(error, code, ofAddresses[code]?.(host, port));
  }
  return withCode(
    error,
    code,
    "path" in error && typeof error.path === "string" ? ofPaths[code]?.(error.path) : undefined,
  );
}

function withCode(cause: Error, code: string, sentence: string | undefined): Error {
  return sentence === undefined ? cause : Object.assign(new Error(sentence, { cause }), { code });
}
