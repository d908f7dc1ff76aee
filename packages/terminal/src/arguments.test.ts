import { expect, it } from "vitest";
import { readArguments } from "./arguments.ts";
import { UsageError } from "./command.ts";

const read = (...args: string[]) =>
  readArguments({
    args,
    options: {
      port: { type: "string", short: "p", default: "4010" },
      allow: { type: "string", multiple: true, default: [] },
      console: { type: "boolean" },
    },
    allowPositionals: true,
    allowNegative: true,
  });

it("reads values, switches and arguments, as Node does", () => {
  const { values, positionals } = read("a", "--no-console", "-p", "-1", "--allow", "x", "--allow=--y", "--", "--z");
  expect(positionals).toEqual(["a", "--z"]);
  expect(values).toEqual({ port: "-1", allow: ["x", "--y"], console: false });
  expect(read().values).toEqual({ port: "4010", allow: [] });
});

it.each([
  [["--prot", "1"], "There is no option --prot."],
  [["--constructor"], "There is no option --constructor."],
  [["-5"], "There is no option -5. What begins with a dash and is no option stands after --."],
  [["--port"], "--port needs a value. One that begins with -- is written as --port=--value."],
  [["--port", "--console"], "--port needs a value. One that begins with -- is written as --port=--value."],
  [["--console=1"], "--console takes no value."],
])("says what is wrong with %j", (args, message) => {
  expect(() => read(...args)).toThrow(new UsageError(message));
});

it("takes no argument where a command has none", () => {
  const message = "There is an argument too many: a. The command takes only options.";
  expect(() => readArguments({ args: ["a"] })).toThrow(new UsageError(message));
});
