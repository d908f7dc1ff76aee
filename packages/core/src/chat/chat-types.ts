import type { Unlisted } from "../unlisted.ts";

/** The number of tokens that an answer took. */
export interface ChatUsage {
  prompt_tokens: number;
  completion_tokens: number;
  total_tokens: number;
  prompt_tokens_details?: { cached_tokens?: number | null } | null;
}

/** The log probability of a token, with those of its rivals. */
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

/** A part of a tool call; the parts of one call share its `index`. */
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

/** One event of a streamed chat completion, as far as adding up needs it. */
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

/** A tool call, whole. */
export type ChatToolCall =
  | { id: string; type: "function"; function: { name: string; arguments: string } }
  | { id: string; type: "custom"; custom: { name: string; input: string } }
  | { id: string; type: Unlisted };

/** A message, whole: it goes into `messages` as it is. */
export interface ChatAnswer<Call = ChatToolCall> {
  role: "assistant";
  content: string | null;
  refusal: string | null;
  reasoning?: string;
  function_call?: { name: string; arguments: string };
  tool_calls?: Call[];
}

/** A chat completion that was streamed, as if it had not been. */
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
