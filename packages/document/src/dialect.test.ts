import { expect, it } from "vitest";
import { keyChangeOf, type KeyContext } from "./dialect-change.ts";
import { dialect, extensions } from "./dialect.ts";

function contextOf(method: string = "get"): KeyContext {
  return { holders: [{}, {}], around: [undefined, undefined], method };
}

it("has one row for each key, under the key's own name", () => {
  expect([...extensions].map(([key, row]) => [key, row.key])).toEqual(
    Object.values(dialect).map(({ key }) => [key, key]),
  );
});

it("reads a value of the wrong form as an absent one", () => {
  for (const row of extensions.values()) {
    const absent = row.read({});
    for (const wrong of [null, 7.5, "", {}, "no such word", [{}]]) {
      if (row === dialect.timeout && wrong === 7.5) continue;
      if (row === dialect.invalidStatus && typeof wrong === "number") continue;
      if (typeof wrong === "string" && wrong !== "" && row.schema["type"] === "string") continue;
      const read = row.read({ [row.key]: wrong });
      // A list loses the members that are wrong, and may be shorter.
      expect({ key: row.key, wrong, read }).toEqual({ key: row.key, wrong, read: absent });
    }
  }
});

const when = (condition: object, rule = "with-key"): object => ({ rule, "always-if": condition });

it.each([
  ["never", "always", "resend-unsafe"],
  ["always", "with-key", "resend-stricter"],
  [undefined, "never", "rewritten"],
  ["with-key", when({ a: 1 }), "resend-unsafe"],
  [when({ a: 1 }), "with-key", "resend-stricter"],
  [when({ a: 1 }), when({ b: 1 }), "resend-stricter"],
  [when({ a: 1 }), when({ a: 2 }), "resend-stricter"],
  [when({ a: 1, b: 2 }), when({ b: 2, a: 1 }), "rewritten"],
  [when({ a: 1, b: 2 }), when({ a: 1 }), "resend-unsafe"],
  [when({ a: 1 }), when({ a: 1, b: 2 }), "resend-stricter"],
  [when({ a: 1 }), when({ a: 1 }, "never"), "resend-stricter"],
  [when({ a: 1 }), "always", "resend-unsafe"],
])("judges x-resend from %j to %j as %s", (before, now, kind) => {
  expect(keyChangeOf(dialect.resend.changes, before, now, contextOf("post"))).toBe(kind);
});

it.each([
  [60, undefined, "rewritten"],
  [undefined, 600, "timeout-raised"],
  [600, 30, "timeout-shortened"],
])("judges x-timeout from %s to %s as %s", (before, now, kind) => {
  expect(keyChangeOf(dialect.timeout.changes, before, now, contextOf())).toBe(kind);
});

it("knows what has changed around a key", () => {
  const changes = dialect.invalidStatus.changes;
  const alone = {
    holders: [{ maximum: 1, "x-invalid-status": 400 }, { maximum: 1 }],
    around: [undefined, undefined],
  } as const;
  expect(keyChangeOf(changes, 400, undefined, alone)).toBe("invalid-status-changed");
  expect(keyChangeOf(changes, 400, undefined, { ...alone, holders: [alone.holders[0], {}] })).toBe("rewritten");
  const within = { ...contextOf(), around: ["interface", "interface"] } as const;
  expect(keyChangeOf(dialect.basis.changes, undefined, "proposed", within)).toBe("basis-withdrawn");
  expect(keyChangeOf(dialect.basis.changes, "proposed", undefined, within)).toBe("basis-changed");
});
