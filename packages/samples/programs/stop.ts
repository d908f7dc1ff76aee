import { AbortError, createInferenceClient } from "@trainyard/inference";

const inference = createInferenceClient();
const question = "Does the 9:40 to Bergen carry bicycles?";
const stream = await inference.chat.completions.create({
  model: "demo/tiny",
  messages: [{ role: "user", content: question }],
  stream: true,
});

// In a page, this is the button itself.
const button = new EventTarget();
button.addEventListener("click", () => void stream.cancel());

try {
  let chunks = 0;
  for await (const { choices } of stream) {
    process.stdout.write(choices[0]?.delta.content ?? "");
    // Somebody presses the button.
    if (++chunks === 3) button.dispatchEvent(new Event("click"));
  }
} catch (error) {
  // Not a failure: `cancel()` ended the loop.
  if (!(error instanceof AbortError)) throw error;
  const [choice] = stream.partial()?.choices ?? [];
  console.log("\nstopped after:", choice?.message?.content);
}
