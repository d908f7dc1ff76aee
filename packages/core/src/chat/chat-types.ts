import type { Unlisted } from "../unlisted.ts";

/** Token counts of an answer. */
export interface ChatUsage {
  prompt_tokens: number;
  completion_tokens: number;
  total_tokens: number;
  prompt_tokens_details?: { cached_tokens?: number | null } | null;
}

/** The log probability of a token and of its alternatives. */
export interface ChatTokenLogprob {
  token: string;
  bytes?: number[] | null;
  logprob: number;
  top_logprobs: { token: string; bytes?: number[] | null; logprob: number }[];
}

/** The log probabilities of a choice. */
export interface ChatLogprobs {
  content?: ChatTokenLogprob[] | null;
  refusal?: ChatTokenLogprob[] | null;
}

/** Why a choice ended. */
export type ChatFinishReason = Unlisted | "stop" | "length" | "tool_calls" | "content_filter" | "function_call";

/** A part of a tool call. All parts of one call have the same `index`. */
export interface ChatToolCallDelta {
  index: number;
  id?: string;
  type?: string;
  function?: { name?: string; arguments?: string };
  custom?: { name?: string; input?: string };
}

/** What a chunk adds to a message. */
export interface ChatDelta {
  role?: "assistant" | null;
  content?: string | null;
  refusal?: string | null;
  reasoning?: string | null;
  function_call?: { name?: string; arguments?: string };
  tool_calls?: ChatToolCallDelta[] | null;
}

/** One event of a streamed chat completion, with the fields that folding reads. */
export interface ChatChunk {
  id: string;
  created: number;
  model: string;
  choices: {
    index: number;
    delta: ChatDelta;
    finish_reason?: string | null;
    logprobs?: ChatLogprobs | null;
  }[];
  usage?: ChatUsage | null;
}

/** A complete tool call. */
export type ChatToolCall =
  | { id: string; type: "function"; function: { name: string; arguments: string } }
  | { id: string; type: "custom"; custom: { name: string; input: string } }
  | { id: string; type: Unlisted };

/** A complete message. You can append it to `messages` unchanged. */
export interface ChatAnswer<Call = ChatToolCall> {
  role: "assistant";
  content: string | null;
  refusal: string | null;
  reasoning?: string;
  function_call?: { name: string; arguments: string };
  tool_calls?: Call[];
}

/** A streamed chat completion, in the form of one that was not streamed. */
export interface ChatResult<Reason extends string = ChatFinishReason, Call = ChatToolCall> {
  id: string;
  object: "chat.completion";
  created: number;
  model: string;
  choices: {
    index: number;
    finish_reason: Reason;
    logprobs: ChatLogprobs | null;
    message: ChatAnswer<Call>;
  }[];
  usage?: ChatUsage;
}
