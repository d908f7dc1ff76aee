import { buckets, createAuxiliaryClient } from "@trainyard/auxiliary";

const auxiliary = createAuxiliaryClient();
const request = {
  project_id: "harbor/support-desk",
  start: "2026-11-04T00:00:00Z",
  end: "2026-11-05T00:00:00Z",
  feedback_type: "quality-monitor",
  trigger_ref: "answer-quality:*",
  metrics: [
    {
      json_path: "output.score",
      aggregations: ["avg", "max"],
      percentiles: [5, 50, 95],
    },
  ],
} as const;

const stats = await auxiliary.feedback.stats(request);
console.log(`${stats.buckets.length} buckets of ${stats.granularity / 3600} h`);

// `buckets` reads the response with the types of the request.
for (const { timestamp, count, metrics } of buckets(stats, request)) {
  const { avg, p95 } = metrics["output.score"];
  console.log(
    timestamp,
    "█".repeat(Math.round(avg * 40)).padEnd(40),
    `${count} rows, p95 ${p95 ?? "–"}`,
  );
}
