import { expect, it } from "vitest";
import { optionLists } from "./option-lists.ts";

it("reads type, default, variable and sentence of each option", () => {
  const { ClientOptions = [], InferenceClientOptions = [], StreamCallOptions } = optionLists();
  const variable =
    "the environment variable that the client names for it, if any, then the first address of its document, if that is a whole one";
  const address = { name: "baseUrl", type: "string", default: variable, text: "The address of the service." };
  expect(ClientOptions[0]).toEqual(address);
  expect(ClientOptions.find(({ name }) => name === "middleware")).toMatchObject({
    type: "readonly Middleware[]",
    default: "none",
  });
  expect(InferenceClientOptions.map(({ name, default: without }) => [name, without])).toEqual([["project", "none"]]);
  expect(StreamCallOptions).toEqual([
    {
      name: "accumulate",
      type: "boolean",
      default: "`true`",
      text: "Whether a stream keeps its chunks for `final()` and `partial()`.",
    },
  ]);
});
