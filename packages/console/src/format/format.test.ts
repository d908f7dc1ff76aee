import { expect, it } from "vitest";
import { advantage, ago, change, count, duration, reward, share, small } from "./format.ts";

it.each([
  [count(22_016), "22,016"],
  [count(-3), "−3"],
  [count(null), "–"],
  [reward(0.7412, 3), "0.741"],
  [reward(-0.5), "−0.50"],
  [reward(12_345), "12345"],
  [reward(1e9), "1.0e9"],
  [reward(undefined), "–"],
  [advantage(0.83), "+0.8"],
  [advantage(-1.41), "−1.4"],
  [advantage(-0.01), "0.0"],
  [change(-0.001), "+0.00"],
  [share(0.381), "38\u202f%"],
  [share(null), "–"],
  [small(0.004_71), "0.0047"],
  [small(1.23e-6), "1.2e−6".replace("−", "−")],
  [small(0), "0"],
  [duration(4000), "4\u202fs"],
  [duration(21_400), "21\u202fs"],
  [duration(6100), "6.1\u202fs"],
  [duration(12 * 60_000), "12\u202fmin"],
  [duration(192 * 60_000), "3\u202fh 12\u202fmin"],
  [duration(3 * 86_400_000), "3\u202fd"],
  [ago("2026-11-03T08:00:00.000Z", Date.parse("2026-11-03T08:00:04.900Z")), "4\u202fs ago"],
  [ago("2026-11-03T08:00:00.000Z", Date.parse("2026-11-20T08:00:00.000Z")), "2026-11-03"],
  [ago(null, 0), "–"],
])("writes %j as %j", (written, expected) => {
  expect(written).toBe(expected);
});
