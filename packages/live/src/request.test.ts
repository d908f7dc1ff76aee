import { expect, it } from "vitest";
import { curlOf } from "./request.ts";

const secret = "me:se/cret";

it.each([
  [{ "X-Key": secret }, "X-Key: $PETS_KEY"],
  [{ authorization: `Bearer ${secret}` }, "authorization: Bearer $PETS_KEY"],
  [{ authorization: `Basic ${btoa(secret)}` }, "authorization: Basic [key]"],
  [{ authorization: `Basic ${btoa(`api:${secret}`)}` }, "authorization: Basic [key]"],
  [{ cookie: `sid=${encodeURIComponent(secret)}` }, "cookie: sid=[key]"],
])("shows the variable or a placeholder, and not the key, in %o", (headers, shown) => {
  const url = `http://demo.test/things?key=${encodeURIComponent(secret)}`;
  const text = curlOf(
    { method: "GET", url, headers },
    { credentials: { key: secret }, variables: { key: "PETS_KEY" } },
  );
  expect(text).toContain(shown);
  for (const form of [secret, encodeURIComponent(secret), btoa(secret), btoa(`api:${secret}`)])
    expect(text).not.toContain(form);
});
