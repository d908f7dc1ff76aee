/**
 * The local server: the three services on this machine, with state.
 *
 * @module
 */
export { createServer, type Connection, type LocalServer } from "./server.ts";
export type { UpstreamOptions } from "./chat/upstream.ts";
export type { Violation } from "./http/answer-check.ts";
export type { RequestLog } from "./http/app.ts";
export type { ListenOptions } from "./http/listen.ts";
export type { KeyOptions } from "./http/keys.ts";
export type { LimitOptions } from "./http/limits.ts";
export type { PlannedFault } from "./http/planned-faults.ts";
export type { RlTrainerJob, SftTrainerJob, TrainerEvent, TrainerJob } from "./jobs/protocol.ts";
export type { TrainerLogLine } from "./jobs/trainer-log.ts";
export type { TrainerOptions } from "./jobs/trainer.ts";
export type { ServerOptions } from "./options.ts";
export type { ImportKind } from "./import/kinds.ts";
