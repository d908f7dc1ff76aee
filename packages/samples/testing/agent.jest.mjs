import { createInferenceClient } from "@trainyard/inference";
import { mockService } from "@trainyard/mock";

const mock = mockService("inference");
const inference = createInferenceClient({ ...mock.connect(), maxRetries: 0 });
const question = {
  model: "demo/tiny",
  messages: [{ role: "user", content: "When does the next train leave Voss?" }],
};
afterEach(() => mock.reset());

test("reads what the model says", async () => {
  mock.once("chat.completions.create", { chunks: ["At ", "9:31."] });
  const { choices } = await inference.chat.completions.create(question);
  expect(choices[0].message.content).toBe("At 9:31.");
  expect(mock.pending()).toEqual([]);
});
