import type { HostOptions } from "@trainyard/host";
import type { RequestLog } from "../options.ts";

/** Adds the project that a request names to its log entry. */
export function logOf(log: (entry: RequestLog) => void): HostOptions["log"] {
  return (entry, { headers }) => {
    const project = headers.get("compat-project") ?? headers.get("openai-project");
    log(project === null ? entry : { ...entry, project });
  };
}
