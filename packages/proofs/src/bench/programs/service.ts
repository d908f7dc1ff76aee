/** Responds to every request with the same chat completion, in a separate process, so that its work is not measured. */
import { createServer } from "node:http";

const answer = JSON.stringify({
  id: "chatcmpl-1",
  object: "chat.completion",
  created: 1_793_000_000,
  model: "demo/tiny",
  choices: [
    {
      index: 0,
      finish_reason: "stop",
      logprobs: null,
      message: { role: "assistant", content: "Yes, up to six of them, in the last carriage.", refusal: null },
    },
  ],
  usage: { prompt_tokens: 14, completion_tokens: 11, total_tokens: 25 },
});

const server = createServer((request, response) => {
  request.resume().once("end", () => {
    response.writeHead(200, { "content-type": "application/json", "content-length": Buffer.byteLength(answer) });
    response.end(answer);
  });
});
server.keepAliveTimeout = 60_000;
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  if (typeof address === "object" && address !== null) console.log(`http://127.0.0.1:${address.port}`);
});
