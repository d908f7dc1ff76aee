import { createInferenceClient } from "@trainyard/inference";
import { mockService } from "@trainyard/mock";
// @boundaries-ignore vitest run --project packages installs msw
import { http, HttpResponse } from "msw";
// @boundaries-ignore vitest run --project packages installs msw
import { setupServer } from "msw/node";

// msw intercepts requests to the address of the service, and the mock answers. The program under test needs no option.
const address = "https://models.example/v1";
const mock = mockService("inference");
const { baseUrl, fetch } = mock.connect();
const service = http.all(`${address}/*`, ({ request }) =>
  fetch(request.url.replace(address, baseUrl), request).catch(() =>
    HttpResponse.error(),
  ),
);
const server = setupServer(service);
beforeAll(() => server.listen({ onUnhandledRequest: "error" }));
afterEach(() => mock.reset());
afterAll(() => server.close());

const inference = createInferenceClient({
  baseUrl: address,
  apiKey: "any",
  maxRetries: 0,
});
const question = {
  model: "demo/tiny",
  messages: [{ role: "user", content: "When does the next train leave Voss?" }],
};

test("streams what the model says", async () => {
  mock.once("chat.completions.create", { chunks: ["At ", "9:31."] });
  const stream = await inference.chat.completions.create({
    ...question,
    stream: true,
  });
  const { choices } = await stream.final();
  expect(choices[0].message.content).toBe("At 9:31.");
});

test("handles a connection that breaks", async () => {
  mock.once("chat.completions.create", { disconnect: true });
  const answer = inference.chat.completions.create(question);
  await expect(answer).rejects.toMatchObject({ name: "ConnectionError" });
});

test("gets the errors that the service would return", async () => {
  const answer = inference.chat.completions.create({
    ...question,
    messages: "none",
  });
  await expect(answer).rejects.toMatchObject({ status: 400 });
});
