import { createAuxiliaryClient, type Metric } from "@trainyard/auxiliary";

const auxiliary = createAuxiliaryClient();

function score(path: string): Metric {
  return { json_path: path, aggregations: ["avg"] };
}

/** Yesterday's scores as lines of text, below the name of an object. */
export async function report(start: string, end: string): Promise<string[]> {
  const { obj } = await auxiliary.objects.read({
    project_id: "harbor/support-desk",
    object_id: "prompt",
    digest: "latest",
    metadata_only: true,
  });
  const stats = await auxiliary.feedback.stats({
    project_id: "harbor/support-desk",
    start,
    end,
    metrics: [score("output.score"), score("output.speed")],
  });
  const lines = stats.buckets.map(
    ({ timestamp, count }) => `${timestamp}: ${count}`,
  );
  return [`${obj.object_id}, version ${obj.version_index}`, ...lines];
}
