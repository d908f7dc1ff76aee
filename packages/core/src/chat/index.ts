export type * from "./chat-types.ts";
export { foldChat } from "./fold-chat.ts";
export { withoutNulls, type WithoutNulls } from "./without-nulls.ts";
export { StreamError } from "../errors/failures.ts";
