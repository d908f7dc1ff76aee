import createClient from "openapi-fetch";
import type { paths as Inference } from "../../../inference/src/generated/schema.ts";
import type { paths as Training } from "../../../training/src/generated/schema.ts";
import { departures, messages, must, type Calls, type Target } from "./call.ts";

/** Plain `openapi-fetch` with the clients' types. The training service's paths begin with `/v1`. */
const inference = ({ baseURL, apiKey, fetch }: Target) =>
  createClient<Inference>({ baseUrl: baseURL, fetch, headers: { authorization: `Bearer ${apiKey}` } });
const training = ({ baseURL, apiKey, fetch }: Target) =>
  createClient<Training>({
    baseUrl: baseURL.replace(/\/v1$/, ""),
    fetch,
    headers: { authorization: `Bearer ${apiKey}` },
  });

/** A chat without a stream; the document declares both for one status. */
function whole<Body>(data: Body | undefined): Exclude<Body, string> {
  must(data !== undefined && typeof data !== "string", "an answer that is no stream");
  return data as Exclude<Body, string>;
}

function complete(target: Target, extra: object = {}) {
  const body = { model: target.model, messages, ...extra };
  return target.service === "inference"
    ? inference(target).POST("/chat/completions", { body })
    : training(target).POST("/v1/chat/completions", { body });
}

/** Plain `openapi-fetch` with the documents' types. */
export const calls: Calls = {
  async "POST of a chat"(target) {
    const { data } = await complete(target);
    must(whole(data).choices[0]?.message.content, "an answer in words");
  },
  async "POST of a chat with tools"(target) {
    const { data } = await complete(target, { tools: [departures] });
    must(whole(data).choices[0]?.message.tool_calls?.length, "a call of a tool");
  },
  async "POST of a chat, its stream unread"(target) {
    const body = { model: target.model, messages, stream: true };
    const { data } =
      target.service === "inference"
        ? await inference(target).POST("/chat/completions", { body, parseAs: "stream" })
        : await training(target).POST("/v1/chat/completions", { body, parseAs: "stream" });
    let text = "";
    const decoder = new TextDecoder();
    for await (const part of data ?? []) text += decoder.decode(part, { stream: true });
    must(text.trim().endsWith("data: [DONE]"), "a whole stream");
  },
  async "GET of the models"(target) {
    if (target.service === "training") return;
    const { data } = await inference(target).GET("/models");
    must(
      data?.data.some(({ id }) => id === target.model),
      `${target.model} in the list`,
    );
  },
  async "wrong key"(target) {
    const { error, response } = await complete({ ...target, apiKey: "wrong" });
    must(response.status === 401 && error !== undefined, "a 401 with an error");
  },
  async "wrong parameter"(target) {
    const { error, response } = await complete(target, { temperature: 9 });
    must(response.status === (target.service === "inference" ? 400 : 422) && error !== undefined, "an error");
  },
};
