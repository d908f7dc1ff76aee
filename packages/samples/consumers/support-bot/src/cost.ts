import { createInferenceHttp } from "@trainyard/inference/http";

const http = createInferenceHttp();

/** How many tokens a question uses, with a call by path. */
export async function cost(question: string): Promise<number> {
  const body = {
    model: "demo/tiny",
    messages: [{ role: "user" as const, content: question }],
    max_completion_tokens: 1,
  };
  const { data, error } = await http.POST("/chat/completions", { body });
  if (data === undefined) throw new Error(JSON.stringify(error));
  return data.usage?.["prompt_tokens"] ?? 0;
}
