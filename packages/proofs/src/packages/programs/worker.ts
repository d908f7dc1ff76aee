/** The calls, in a worker that returns their result. */
import { callEachKind } from "./calls.ts";

export default {
  async fetch(request: Request): Promise<Response> {
    const mock = new URL(request.url).searchParams.get("mock") ?? "";
    try {
      await callEachKind(mock, { apiKey: "a-key-for-the-mock" });
      return new Response("done");
    } catch (error) {
      return new Response(error instanceof Error ? `${error.stack}` : String(error), { status: 500 });
    }
  },
};
