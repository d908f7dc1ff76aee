export type * from "./chat-types.ts";
export { foldChat } from "./fold-chat.ts";
export { isFunctionCall, withoutNulls, type WithoutNulls } from "./without-nulls.ts";
/** The error that `foldChat` throws. It is also exported here, so that a program that only folds does not load the engine. */
export { StreamError } from "../errors/failures.ts";
