import { startMock } from "@trainyard/mock";
import { createInferenceClient } from "@trainyard/inference";

// All three services at a free port, until the end of this block.
await using mock = await startMock();
console.log(
  "training at",
  mock.addresses["training"],
  "inference at",
  mock.addresses["inference"],
);

const inference = createInferenceClient({ ...mock.connect("inference") });
mock.service("inference").once("chat.completions.create", { example: "tools" });
const { choices } = await inference.chat.completions.create({
  model: "demo/tiny",
  messages: [{ role: "user", content: "When does the next train leave Voss?" }],
});
console.log("calls", choices[0]?.message.tool_calls?.length, "tool");
