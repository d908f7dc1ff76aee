import { cheapest } from "./src/prices.ts";
import { report } from "./src/report.ts";

const lines = await report("2026-11-03T00:00:00Z", "2026-11-04T00:00:00Z");
console.log([...lines, `cheapest: ${await cheapest("demo/tiny")}`].join("\n"));
