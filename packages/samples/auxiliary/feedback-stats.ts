import { createAuxiliaryClient } from "@trainyard/auxiliary";

const auxiliary = createAuxiliaryClient();

const stats = await auxiliary.feedback.stats({
  project_id: "harbor/support-desk",
  start: "2026-11-04T00:00:00Z",
  end: "2026-11-05T00:00:00Z",
  metrics: [
    {
      json_path: "output.score",
      aggregations: ["avg"],
      percentiles: [95],
    },
  ],
});

for (const bucket of stats.buckets) {
  console.log(
    bucket.timestamp,
    bucket.count,
    bucket["avg_output_score"],
    bucket["p95_output_score"],
  );
}
