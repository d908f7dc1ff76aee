/**
 * The local server: the three services with state, on this machine.
 *
 * @module
 */
export { createServer, type Connection, type LocalServer } from "./server.ts";
export type { LimitOptions, ListenOptions, PlannedAnswer, PlannedFault, Violation } from "@trainyard/host";
export type { UpstreamOptions } from "./chat/upstream.ts";
export type { KeyOptions } from "./http/keys.ts";
export type {
  CancelTrainerJob,
  Resume,
  RlTrainerJob,
  SftTrainerJob,
  TrainerEvent,
  TrainerJob,
} from "./jobs/protocol.ts";
export type { TrainerLogLine } from "./jobs/trainer-log.ts";
export type { TrainerOptions } from "./jobs/trainer.ts";
export type { RequestLog, ServerEvent, ServerOptions } from "./options.ts";
export type { ImportKind } from "./import/kinds.ts";
