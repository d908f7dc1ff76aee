import { expect, it } from "vitest";
import { ask, shopHost } from "./shop.ts";

const owners: string[] = [];
const names = ["basic", "header", "query", "both", "either", "optional", "cookie"];
const host = shopHost({
  handlers: Object.fromEntries(
    names.map((name) => [
      `secrets.${name}`,
      ({ owner }: { owner: string }) => {
        owners.push(owner);
        return { status: 200, body: { name } };
      },
    ]),
  ),
});
const none = { authorization: "" };
const basic = (pair: string) => ({ authorization: `Basic ${btoa(pair)}` });

it.each<[path: string, headers: Record<string, string>, expected: number | string]>([
  ["/basic", basic("api:good"), "harbor"],
  ["/basic", basic("root:good"), 401],
  ["/basic", { authorization: "Bearer good" }, 401],
  ["/basic", basic("good"), 401],
  ["/basic", basic("api:"), 401],
  ["/basic", { authorization: "Basic %%%" }, 401],
  ["/either", { authorization: "Bearer " }, 401],
  ["/header", { ...none, "x-shop-key": "good" }, "harbor"],
  ["/header", { ...none, "x-shop-key": "" }, 401],
  ["/header", { authorization: "Bearer good" }, 401],
  ["/query?shop_key=good", none, "harbor"],
  ["/query?shop_key=bad", none, 401],
  ["/both?shop_key=good", { ...none, "x-shop-key": "good" }, "harbor"],
  ["/both?shop_key=good", none, 401],
  ["/either", { ...none, "x-shop-key": "good" }, "harbor"],
  ["/either", { authorization: "bearer good" }, "harbor"],
  ["/either", { authorization: "Bearer good", "x-shop-key": "bad" }, "harbor"],
  ["/cookie", { ...none, cookie: "other=1; shop_key=good" }, "harbor"],
  ["/cookie", { ...none, cookie: "shop_key=ba%3Bd; shop_key2=good" }, 401],
  ["/cookie", { ...none, "shop-key": "good" }, 401],
  ["/optional", none, ""],
  ["/optional", { authorization: "Bearer good" }, "harbor"],
])("%s with %j gives %s", async (path, headers, expected) => {
  owners.length = 0;
  const { status, headers: answered } = await ask(host, path, { headers });
  expect(status === 200 ? owners[0] : status).toBe(expected);
  expect(answered.get("www-authenticate")).toBe(status === 401 ? "Bearer" : null);
});

it.each([
  ["/header", none, "missing_api_key"],
  ["/header", { authorization: "Bearer good" }, "missing_api_key"],
  ["/header", { ...none, "x-shop-key": "bad" }, "invalid_api_key"],
  ["/both?shop_key=bad", none, "invalid_api_key"],
  ["/basic", { authorization: "Digest good" }, "invalid_api_key"],
])("%s with %j is rejected with %s", async (path, headers, code) => {
  expect((await ask(host, path, { headers })).body).toMatchObject({ code });
});

it("requires credentials that are needed together to have one owner", async () => {
  const two = shopHost({ keys: ({ key }) => (key.startsWith("of-") ? key : undefined) });
  const status = async (inQuery: string, inHeader: string) =>
    (await ask(two, `/both?shop_key=${inQuery}`, { headers: { ...none, "x-shop-key": inHeader } })).status;
  expect([await status("of-a", "of-a"), await status("of-a", "of-b")]).toEqual([200, 401]);
});

it("requires no key if the service is open", async () => {
  expect((await ask(shopHost({ keys: "none" }), "/header", { headers: none })).status).toBe(200);
});
