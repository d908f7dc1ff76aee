/** @jsxImportSource preact */
import type { JSX } from "preact";

/** What to do while there is nothing to see: with this server's own address. The page fills itself. */
export function FirstSteps(): JSX.Element {
  return (
    <section class="notice card" aria-labelledby="first">
      <h2 id="first">Nothing yet</h2>
      <p>Create a model and log what it did. This page fills itself when the first log comes.</p>
      <div class="pre" tabIndex={0} role="region" aria-label="Code that logs a first group">
        {`const training = createTrainingClient({ baseUrl: "${location.origin}", apiKey });
const model = await training.models.create({ project: "first", name: "agent", base_model: "demo/tiny" });
await training.models.log(model.id, { split: "train", trajectory_groups: [{ trajectories: [{ reward: 1 }, { reward: 0 }] }] });`}
      </div>
      <p>
        Or watch a small model learn, on this machine, in seconds: <code>npx -y pnpm@12 start</code>
      </p>
    </section>
  );
}
