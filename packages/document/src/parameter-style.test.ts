import { expect, it } from "vitest";
import { writeStyled } from "./parameter-style.ts";
import { readDocument } from "./read-document.ts";

const ids = { type: "array", items: { type: "integer" } };

function parameterOf(place: string, style: object) {
  const parameters = [{ name: "f", in: place, ...style }];
  const [operation] = readDocument({ openapi: "3.1.0", paths: { "/a": { get: { parameters } } } }).operations;
  const [parameter] = operation?.parameters ?? [];
  if (parameter === undefined) throw new Error("The document has no parameter.");
  return parameter;
}

const json = { content: { "application/json": { schema: ids } } };

it.each([
  ["query", {}, [1, 2], [["f", ["1", "2"]]]],
  ["query", { explode: false }, [1, 2], [["f", ["1", "2"]]]],
  ["query", { style: "spaceDelimited" }, [1, 2], [["f", "1 2"]]],
  ["query", { style: "pipeDelimited" }, [1, 2], [["f", "1|2"]]],
  [
    "query",
    { style: "deepObject" },
    { x: 1, y: [2] },
    [
      ["f[x]", "1"],
      ["f[y]", ["2"]],
    ],
  ],
  ["query", {}, { x: 1, y: null }, [["x", "1"]]],
  ["query", { explode: false }, { x: 1 }, [["f", ["x", "1"]]]],
  ["query", json, { x: 1 }, [["f", '{"x":1}']]],
  ["path", {}, [1, 2], [["f", "1,2"]]],
  ["header", {}, [1, 2], [["f", "1,2"]]],
  ["header", { explode: true }, { x: 1, y: 2 }, [["f", "x=1,y=2"]]],
  ["cookie", {}, true, [["f", "true"]]],
  ["query", {}, undefined, []],
  ["query", { style: "pipeDelimited" }, { x: null }, []],
  ["header", {}, [], []],
])("writes a value in %s with %j: %j", (place, style, value, expected) => {
  expect(writeStyled(parameterOf(place, style), value)).toEqual(expected);
});

it.each([
  ["path", { style: "label" }, 1, "The path parameter f cannot be sent: the style label is not supported."],
  [
    "query",
    { style: "deepObject" },
    { x: { y: 1 } },
    /OpenAPI does not define how the style deepObject writes values within/,
  ],
])("refuses a value in %s with %j", (place, style, value, message) => {
  expect(() => writeStyled(parameterOf(place, style), value)).toThrow(message);
});
