import { expect, it } from "vitest";
import { automaticRate, ratesOf, readSftSettings } from "./sft-settings.ts";

it("has a default for every setting, and treats null as missing", () => {
  const defaults = { batchSize: 4, learningRate: undefined, assistantTurns: "all", wantsMetrics: false };
  expect(readSftSettings(null)).toEqual(defaults);
  expect(readSftSettings({ batch_size: "auto", learning_rate: null, metric_logging: null })).toEqual(defaults);
  expect(readSftSettings({ batch_size: 7, learning_rate: 0.5, assistant_turns: "last" })).toEqual({
    ...defaults,
    batchSize: 7,
    learningRate: 0.5,
    assistantTurns: "last",
  });
  expect(readSftSettings({ metric_logging: { enabled: true, target_training_step: 3 } }).wantsMetrics).toBe(true);
});

it.each([
  [{ batch_size: 0 }, /config\.batch_size is 0; it must be at least 1/],
  [{ batch_size: "big" }, /config\.batch_size is "big"/],
  [{ learning_rate: [1, -1] }, /config\.learning_rate\[1\] is -1; it must be at least 0/],
  [{ learning_rate: "auto" }, /config\.learning_rate is "auto"/],
  [{ assistant_turns: "first" }, /assistant_turns is "first"; it must be "all" or "last"/],
  [{ metric_logging: true }, /config\.metric_logging is true; it must be an object/],
])("rejects %j by name", (config, message) => {
  expect(() => readSftSettings(config)).toThrow(message);
});

it("repeats little data often, and much data once", () => {
  const settings = readSftSettings({ learning_rate: 3 });
  expect(ratesOf(settings, 3)).toEqual(Array.from({ length: 120 }, () => 3));
  expect(ratesOf(settings, 50)).toHaveLength(150);
  expect(ratesOf(settings, 1000)).toHaveLength(1000);
  expect(ratesOf(readSftSettings({}), 1000)).toEqual(Array.from({ length: 1000 }, () => undefined));
});

it("accepts one rate per batch, for one pass or several", () => {
  const settings = readSftSettings({ learning_rate: [4, 2, 1, 0.5] });
  expect(ratesOf(settings, 4)).toEqual([4, 2, 1, 0.5]);
  expect(ratesOf(settings, 2)).toEqual([4, 2, 1, 0.5]);
  expect(() => ratesOf(settings, 3)).toThrow(
    /has 4 rates, and the data makes up 3 batches of 4\. Give one rate for each batch, 3 /,
  );
  expect(() => ratesOf(settings, 8)).toThrow(/4 rates, and the data makes up 8 batches/);
  expect(() => ratesOf(readSftSettings({ learning_rate: [] }), 1)).toThrow(/0 rates/);
});

it("lowers the rate to 0 if the trainer may choose it", () => {
  expect(automaticRate(10, 0)).toBe(10);
  expect(automaticRate(5000, 0)).toBe(75);
  expect(automaticRate(10, 0.75)).toBe(2.5);
});
