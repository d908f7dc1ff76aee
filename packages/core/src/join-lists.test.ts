import { expect, it } from "vitest";
import { joinLists, pathList } from "./join-lists.ts";
import { fillPath } from "./paths.ts";

it.each([
  ["/maps", "/maps"],
  ["/maps?ids=1", "/maps?ids=1"],
  ["/maps?ids=1&ids=2", "/maps?ids=1,2"],
  ["/maps?ids=1&other=3&ids=2&other=4", "/maps?ids=1,2&other=3&other=4"],
  ["/maps?ids=a%2Cb&ids=", "/maps?ids=a%2Cb,"],
  ["/maps?in%5B%5D=1&in%5B%5D=2", "/maps?in%5B%5D=1,2"],
])("writes the lists of %s as %s", (url, expected) => {
  expect(joinLists(url, ["ids", "in[]"])).toBe(expected);
  expect(joinLists(url)).toBe(url);
});

it.each([
  [[1, 2], "/maps/1,2"],
  [["a,b", "c"], "/maps/a%2Cb,c"],
  [[1], "/maps/1"],
  ["1,2", "/maps/1%2C2"],
])("writes the list %j of a path as %s", (list, expected) => {
  expect(joinLists(fillPath("/maps/{ids}", { ids: pathList(list) }))).toBe(expected);
});
