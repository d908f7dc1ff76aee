// A small client written by hand in the form of generated ones, for the tests of the engine.
import { createHttp, type HttpClient } from "../src/http.ts";
import { foldChat } from "../src/chat/index.ts";
import { clientOf } from "../src/methods.ts";
import type { Operation } from "../src/operation.ts";
import type { CallOptions, ClientOptions, KeyedCallOptions, Secret, StreamCallOptions } from "../src/options.ts";
import type { ApiPromise, PagePromise, Streamed } from "../src/result.ts";
import { paged, streamed } from "../src/sends.ts";

export interface CreateModelRequest {
  name: string;
  base_model: string;
  entity?: string | null;
}

export interface Model {
  id: string;
  name: string;
  base_model: string;
}

export interface Checkpoint {
  id: string;
  step: number;
}

export interface CheckpointPage {
  object?: "list";
  data: Checkpoint[];
  has_more: boolean;
}

export interface ChatMessage {
  role: "user" | "assistant";
  content?: string | null;
}

export interface ChatCompletionRequest {
  model: string;
  messages: readonly ChatMessage[];
  stream?: boolean | null;
  tags?: readonly string[];
}

export interface ChatCompletion {
  id: string;
  object: "chat.completion";
  created: number;
  model: string;
  choices: {
    index: number;
    finish_reason: "stop" | "length" | "tool_calls" | "content_filter" | "function_call";
    message: { role: "assistant"; content?: string | null; refusal?: string | null };
  }[];
  usage?: { prompt_tokens: number; completion_tokens: number; total_tokens: number };
}

export interface ChatCompletionChunk {
  id: string;
  object: "chat.completion.chunk";
  created: number;
  model: string;
  choices: {
    index: number;
    delta: { role?: "assistant"; content?: string | null; refusal?: string | null };
    finish_reason?: "stop" | "length" | "tool_calls" | "content_filter" | "function_call" | null;
  }[];
  usage?: { prompt_tokens: number; completion_tokens: number; total_tokens: number } | null;
}

interface Json<Body> {
  headers: { [name: string]: unknown };
  content: { "application/json": Body };
}

interface None {
  query?: never;
  header?: never;
  path?: never;
  cookie?: never;
}

type Only<Method extends string, Shape> = { [M in Exclude<Methods, Method>]?: never } & { [M in Method]: Shape };
type Methods = "get" | "put" | "post" | "delete" | "options" | "head" | "patch" | "trace";

interface DetailError {
  detail: string;
}

export interface paths {
  "/v1/models": Only<
    "post",
    {
      parameters: Omit<None, "header"> & { header?: { "Idempotency-Key"?: string } };
      requestBody: { content: { "application/json": CreateModelRequest } };
      responses: { 200: Json<Model>; 404: Json<DetailError> };
    }
  >;
  "/v1/models/{model_id}": Only<
    "get" | "delete",
    {
      parameters: Omit<None, "path"> & { path: { model_id: string } };
      requestBody?: never;
      responses: { 200: Json<Model>; 404: Json<DetailError> };
    }
  >;
  "/v1/models/{model_id}/checkpoints": Only<
    "get",
    {
      parameters: Omit<None, "path" | "query"> & {
        path: { model_id: string };
        query?: { after?: string; limit?: number };
      };
      requestBody?: never;
      responses: { 200: Json<CheckpointPage>; 404: Json<DetailError> };
    }
  >;
  "/v1/chat/completions": Only<
    "post",
    {
      parameters: None;
      requestBody: { content: { "application/json": ChatCompletionRequest } };
      responses: {
        200: {
          headers: { [name: string]: unknown };
          content: { "application/json": ChatCompletion; "text/event-stream": string };
        };
      };
    }
  >;
  "/v1/check": Only<"get", { parameters: None; requestBody?: never; responses: { 200: Json<{ status: string }> } }>;
}

export const contractVersion = "1.0.0";

export const operations: readonly Operation[] = [
  {
    name: "models.create",
    body: true,
    method: "POST",
    path: "/v1/models",
    resend: "with-key",
    alwaysIf: { return_existing: true },
    timeout: 600,
    security: [["apiKey"]],
    keyed: true,
    needs: ["id"],
  },
  {
    name: "models.get",
    method: "GET",
    path: "/v1/models/{model_id}",
    resend: "always",
    security: [["apiKey"]],
    needs: ["id"],
  },
  {
    name: "models.delete",
    method: "DELETE",
    path: "/v1/models/{model_id}",
    resend: "always",
    security: [["accessToken"]],
  },
  {
    name: "models.checkpoints.list",
    query: "argument",
    method: "GET",
    path: "/v1/models/{model_id}/checkpoints",
    resend: "always",
    security: [["apiKey"]],
    needs: ["data", "has_more"],
    page: { cursor: "after", item: "id", more: "has_more" },
  },
  {
    name: "chat.completions.create",
    body: true,
    method: "POST",
    path: "/v1/chat/completions",
    aliases: ["/v1/chat/completions/"],
    resend: "always",
    timeout: 600,
    security: [["apiKey"]],
    fill: { "Compat-Project": "project" },
    needs: ["id", "object", "created", "model", "choices"],
    stream: { toggle: "stream", end: "[DONE]" },
  },
  { name: "check", method: "GET", path: "/v1/check", resend: "never", security: [["apiKey"]] },
];

export interface DemoClientOptions extends ClientOptions {
  accessToken?: Secret;
  project?: string;
}

export interface DemoClient {
  readonly models: {
    create(body: CreateModelRequest, options?: KeyedCallOptions): ApiPromise<Model>;
    get(modelId: string, options?: CallOptions): ApiPromise<Model>;
    delete(modelId: string, options?: CallOptions): ApiPromise<Model>;
    readonly checkpoints: {
      list(modelId: string, query?: { after?: string; limit?: number }, options?: CallOptions): PagePromise<Checkpoint>;
    };
  };
  readonly chat: {
    readonly completions: {
      create<S extends boolean | null | undefined = undefined>(
        body: ChatCompletionRequest & { stream?: S },
        options?: StreamCallOptions,
      ): ApiPromise<Streamed<S, ChatCompletionChunk, ChatCompletion>>;
    };
  };
  check(options?: CallOptions): ApiPromise<{ status: string }>;
}

const variables = {
  baseUrl: "TRAINYARD_DEMO_URL",
  apiKey: "TRAINYARD_API_KEY",
  accessToken: "TRAINYARD_ACCESS_TOKEN",
};
export const service = {
  name: "demo",
  contractVersion,
  variables,
  identity: "trainyard-client",
  timeout: 60,
  v1: true,
};

export function createDemoClient(options: DemoClientOptions = {}): DemoClient {
  const methods = operations.map((one) => (one.page ? paged(one) : one.stream ? streamed(one, foldChat) : one));
  return clientOf(service, options, ...methods);
}

export function createDemoHttp(options: DemoClientOptions = {}): HttpClient<paths> {
  return createHttp<paths>(service, options, operations);
}
