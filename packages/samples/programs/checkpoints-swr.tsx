/** The same page with `swr-openapi`: one page of checkpoints at a time. */
import { createTrainingHttp } from "@trainyard/training/http";
import type { ReactNode } from "react";
import { createInfiniteHook } from "swr-openapi";

// Your own proxy at `/training` adds the key.
const training = createTrainingHttp({ baseUrl: "/training", apiKey: null });
const useInfinite = createInfiniteHook(training, "training");

/** The page. */
export function App({ modelId }: { modelId: string }): ReactNode {
  const { data, error, size, setSize } = useInfinite(
    "/v1/preview/models/{model_id}/checkpoints",
    (_, previous) => {
      if (previous?.has_more === false) return null;
      const after = previous?.data.at(-1)?.id;
      return {
        params: {
          path: { model_id: modelId },
          query: { order: "desc", ...(after && { after }) },
        },
      };
    },
  );
  if (error) return <p role="alert">{JSON.stringify(error.detail)}</p>;
  const checkpoints = data?.flatMap((page) => page.data) ?? [];
  return (
    <>
      <ol>
        {checkpoints.map(({ id, step }) => (
          <li key={id}>Step {step}</li>
        ))}
      </ol>
      {data?.at(-1)?.has_more && (
        <button onClick={() => setSize(size + 1)}>More</button>
      )}
    </>
  );
}
