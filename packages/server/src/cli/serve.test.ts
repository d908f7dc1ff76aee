import { expect, it } from "vitest";
import { commandOf } from "./serve-options.ts";

it.each([
  ["python3 trainer.py --fast", ["python3", "trainer.py", "--fast"]],
  [`  "/opt/my tools/python" 'a b.py'  --name="a b"`, ["/opt/my tools/python", "a b.py", "--name=a b"]],
  [`sh -c 'echo "a"'`, ["sh", "-c", 'echo "a"']],
  [`C:\\python.exe ""`, ["C:\\python.exe", ""]],
])("%s is a program with its arguments", (line, command) => {
  expect(commandOf(line)).toEqual(command);
});

it.each(["", "  ", `""`])("rejects %j as a program", (line) => {
  expect(() => commandOf(line)).toThrow("--trainer needs a program.");
});
