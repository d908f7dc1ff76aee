/** @module-tag long */
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { startVitest, type Reporter } from "vitest/node";

const conditions = ["@trainyard/source"];
const fixture = fileURLToPath(new URL("plans.fixture.ts", import.meta.url));

it("fails a test with unused plans or a failed function, at the line of the cause", async () => {
  const failures: Record<string, string> = {};
  const reporter: Reporter = {
    onTestCaseResult(test) {
      const { errors = [] } = test.result();
      const lines = errors.map(({ message, stacks = [] }) => {
        const [at] = stacks;
        return `${at?.file === fixture ? at.line : "elsewhere"}: ${message.split("\n", 1)[0]}`;
      });
      failures[test.name] = lines.join("; ");
    },
  };
  const vitest = await startVitest(
    "test",
    [],
    {
      watch: false,
      config: false,
      pool: "threads",
      isolate: false,
      root: dirname(fixture),
      include: ["plans.fixture.ts"],
      reporters: [reporter],
    },
    { resolve: { conditions }, ssr: { resolve: { conditions } } },
  );
  await vitest.close();
  expect(failures).toEqual({
    "uses its plan": "",
    "forgets one plan": "15: The response planned for health.check was never used.",
    "forgets two plans": "19: 2 planned responses were never used: health.check, models.delete. This is the first.",
    "keeps the failure of a function to itself": expect.stringMatching(/^24: expected/),
    "keeps a wrong answer of a function to itself": expect.stringMatching(
      /^elsewhere: The response planned for health\.check is not valid\. body\.status: This must be "ok"\./,
    ),
    "begins anew": "",
  });
  // Of the failures above, which are expected.
  process.exitCode = 0;
});
