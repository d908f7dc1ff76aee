export type * from "./chat-types.ts";
export { foldChat } from "./fold-chat.ts";
export { withoutNulls, type WithoutNulls } from "./without-nulls.ts";
/** What `foldChat` throws. It stands here as well, so that a program that only folds does not load the engine. */
export { StreamError } from "../errors/failures.ts";
