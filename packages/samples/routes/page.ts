import { AbortError, createInferenceClient } from "@trainyard/inference";

// The page's own server has the key, and the route at /chat/completions.
const inference = createInferenceClient({
  baseUrl: location.origin,
  apiKey: null,
});
const form = document.querySelector("form")!;
const question = document.querySelector("input")!;
const answer = document.querySelector("#answer")!;
let leaving = new AbortController();

document.querySelector("#stop")!.addEventListener("click", () => leaving.abort());

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  // A new question ends the answer before it.
  leaving.abort();
  leaving = new AbortController();
  answer.textContent = "";
  const content = question.value;
  try {
    const stream = await inference.chat.completions.create(
      { model: "demo/tiny", messages: [{ role: "user", content }], stream: true },
      { signal: leaving.signal },
    );
    for await (const { choices } of stream)
      answer.append(choices[0]?.delta.content ?? "");
  } catch (error) {
    // What has arrived stays on the page.
    if (error instanceof AbortError) return;
    answer.append(" The answer is incomplete. Ask again.");
  }
});
