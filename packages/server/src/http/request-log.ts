import type { HostOptions } from "@trainyard/host";
import type { RequestLog } from "../options.ts";

/** Adds to what is told of a request the project that it names. */
export function logOf(log: (entry: RequestLog) => void): HostOptions["log"] {
  return (entry, { headers }) => {
    const project = headers.get("compat-project") ?? headers.get("openai-project");
    log(project === null ? entry : { ...entry, project });
  };
}
