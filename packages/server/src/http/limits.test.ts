import { limitsOf } from "@trainyard/host";
import { expect, it } from "vitest";
import { limitsFor } from "./limits.ts";

const operations = ["models.list", "models.log", "trainingJobs.createRl"];
const bytes = (given: Parameters<typeof limitsFor>[0]) => {
  const { bodyBytes, bodyBytesOf } = limitsOf(limitsFor(given, operations));
  return operations.map((name) => bodyBytesOf[name] ?? bodyBytesOf[`training ${name}`] ?? bodyBytes);
};

it.each([
  [undefined, [2 ** 25, 2 ** 27, 2 ** 27]],
  [{ bodyDepth: 5 }, [2 ** 25, 2 ** 27, 2 ** 27]],
  [{ bodyBytes: 9 }, [9, 9, 9]],
  [{ bodyBytesOf: { "models.log": 5 } }, [2 ** 25, 5, 2 ** 27]],
  [{ bodyBytes: 9, bodyBytesOf: { "models.list": 7 } }, [7, 9, 9]],
])("%j limits bodies to %j bytes", (given, expected) => {
  expect(bytes(given)).toEqual(expected);
});
