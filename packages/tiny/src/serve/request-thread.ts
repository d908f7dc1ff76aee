/** The thread that reads chat requests with schemas. */
import { answerQuestions } from "@trainyard/host/thread";
import { readChatRequest } from "./chat-request.ts";

answerQuestions(([body, now]: Parameters<typeof readChatRequest>) => readChatRequest(body, now));
