/** A page that lists the checkpoints of a model, with React and `openapi-react-query`. */
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { createTrainingHttp } from "@trainyard/training/http";
import createQueries from "openapi-react-query";
import { type ReactNode, Suspense } from "react";

// In a browser: createTrainingHttp({ baseUrl: "/training", apiKey: null }), and your own proxy adds the key.
const training = createQueries(createTrainingHttp());
const queries = new QueryClient();

function Checkpoints({ modelId }: { modelId: string }): ReactNode {
  const { data: page } = training.useSuspenseQuery(
    "get",
    "/v1/preview/models/{model_id}/checkpoints",
    {
      params: { path: { model_id: modelId }, query: { order: "desc" } },
    },
  );
  return (
    <ol>
      {page.data.map(({ id, step, metrics }) => (
        <li key={id}>
          Step {step}:{" "}
          {Object.entries(metrics).map(([name, value]) => `${name} ${value} `)}
        </li>
      ))}
    </ol>
  );
}

/** The page. */
export function App({ modelId }: { modelId: string }): ReactNode {
  return (
    <QueryClientProvider client={queries}>
      <Suspense fallback="Loading…">
        <Checkpoints modelId={modelId} />
      </Suspense>
    </QueryClientProvider>
  );
}
