/** The calls, in a page that shows their result. A browser must allow the key explicitly. */
import { ConfigurationError, createTrainingClient } from "@trainyard/training";
import { callEachKind } from "./calls.ts";

const apiKey = "a-key-for-the-mock";
const mock = new URLSearchParams(location.search).get("mock") ?? "";

function refusesKey(): boolean {
  try {
    createTrainingClient({ baseUrl: mock, apiKey });
    return false;
  } catch (error) {
    return error instanceof ConfigurationError && error.name === "ConfigurationError";
  }
}

async function outcome(): Promise<string> {
  if (!refusesKey()) return "A key was accepted without allowKeyInBrowser.";
  try {
    await callEachKind(mock, { apiKey, allowKeyInBrowser: true });
    return "done";
  } catch (error) {
    return error instanceof Error ? `${error.stack}` : String(error);
  }
}

document.body.dataset["outcome"] = await outcome();
