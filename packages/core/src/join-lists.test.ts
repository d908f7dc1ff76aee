import { expect, it } from "vitest";
import { joinLists, pathList } from "./join-lists.ts";
import { fillPath } from "./paths.ts";

it.each([
  ["/maps", "/maps"],
  ["/maps?ids=1", "/maps?ids=1"],
  ["/maps?ids=1&ids=2", "/maps?ids=1,2"],
  ["/maps?ids=1&other=3&ids=2&other=4", "/maps?ids=1,2&other=3&other=4"],
  ["/maps?ids=a%2Cb&ids=", "/maps?ids=a%2Cb,"],
  ["/maps?wsdl&where=a=b&ids=a&ids=b", "/maps?wsdl&where=a=b&ids=a,b"],
  ["/maps?in%5B%5D=1&in%5B%5D=2", "/maps?in%5B%5D=1,2"],
])("writes the lists of %s as %s", (url, expected) => {
  expect(joinLists(url, { joined: ["ids", "in[]"] })).toBe(expected);
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

it("leaves the reserved characters of a query, but those that would end a value or an item", () => {
  const url = `/files?path=${encodeURIComponent("a/b?c=d,e&f#g+h[i]")}&path=2&other=a%2Fb`;
  const plain = "/files?path=a/b?c=d,e%26f%23g%2Bh%5Bi%5D&path=2&other=a%2Fb";
  expect(joinLists(url, { reserved: ["path"] })).toBe(plain);
  const joined = "/files?path=a/b?c=d%2Ce%26f%23g%2Bh%5Bi%5D,2&other=a%2Fb";
  expect(joinLists(url, { reserved: ["path"], joined: ["path"] })).toBe(joined);
});
