import { expect, it } from "vitest";
import { joinLists } from "./join-lists.ts";

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
