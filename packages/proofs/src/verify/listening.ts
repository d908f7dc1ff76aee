import { EventEmitter, once } from "node:events";
import type { Contract } from "@trainyard/live/call";
import { verifyCommand } from "@trainyard/live/verify";
import { packages } from "@trainyard/testing/services";

/** The contracts of the services; only the local server has the control interface. */
export const contracts: readonly Contract[] = packages
  .filter(({ name }) => name !== "local")
  .map(({ name, document }) => ({ name, bundle: () => document }));

/** Starts `verify --proxy`, and returns the proxy's address, and how to end it. */
export async function listen(args: readonly string[], port = "0") {
  const ending = new AbortController();
  const lines = new EventEmitter();
  let err = "";
  let out = "";
  const code = verifyCommand(["--proxy", port, "--basis", "proposed", ...args], contracts, {
    out: (text) => (out += text),
    err: (text) => {
      err += text;
      lines.emit("line");
    },
    environment: {},
    signal: ending.signal,
  });
  await Promise.race([once(lines, "line"), code]);
  const end = async () => {
    ending.abort();
    return { code: await code, out, err };
  };
  return { base: /http:\/\/127\.0\.0\.1:\d+/.exec(err)?.[0] ?? "", end };
}
