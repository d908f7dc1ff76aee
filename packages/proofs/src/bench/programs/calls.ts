/** One chat completion over loopback, as each client sends it. Prints the rounds as JSON. */
import { createInferenceClient, type ChatCompletionRequest, type paths } from "@trainyard/inference";
import { createInferenceHttp } from "@trainyard/inference/http";
import ky from "ky";
import OpenAI from "openai";
import createClient from "openapi-fetch";
import { alternate } from "./alternate.ts";

const [baseUrl = ""] = process.argv.slice(2);
const apiKey = "a-key-for-the-bench";
const authorization = `Bearer ${apiKey}`;
const path = "/chat/completions";
const address = baseUrl + path;
const body = {
  model: "demo/tiny",
  messages: [{ role: "user", content: "Does the 9:40 to Bergen carry bicycles?" }],
} as const satisfies ChatCompletionRequest;

const bare = createClient<paths>({ baseUrl, headers: { authorization } });
const own = createInferenceClient({ baseUrl, apiKey });
const http = createInferenceHttp({ baseUrl, apiKey });
const openai = new OpenAI({ apiKey, baseURL: baseUrl });
const kyClient = ky.create({ headers: { authorization } });

const rounds = await alternate(
  {
    "raw fetch": async () => {
      const headers = { authorization, "content-type": "application/json" };
      const response = await fetch(address, { method: "POST", headers, body: JSON.stringify(body) });
      if (!response.ok) throw new Error(`The service answered ${response.status}.`);
      return response.json();
    },
    "openapi-fetch": () => bare.POST(path, { body }),
    ky: () => kyClient.post(address, { json: body }).json(),
    openai: () => openai.chat.completions.create({ ...body, messages: [...body.messages] }),
    "@trainyard/inference, method": () => own.chat.completions.create(body),
    "@trainyard/inference, http": () => http.POST(path, { body }),
  },
  { rounds: 10, runs: 300, warmUp: 600 },
);
console.log(JSON.stringify(rounds));
