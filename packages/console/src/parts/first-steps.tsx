/** @jsxImportSource preact */

/** Shows what to do while there is no run, with the address of this server. The page updates itself. */
export function FirstSteps() {
  return (
    <section class="notice card" aria-labelledby="first">
      <h2 id="first">No runs yet</h2>
      <p>Create a model and log an attempt. The run appears here after the first log.</p>
      <div class="pre" tabIndex={0} role="region" aria-label="Code that logs a first group">
        {`const training = createTrainingClient({ baseUrl: "${location.origin}", apiKey });
const model = await training.models.create({ project: "first", name: "agent", base_model: "demo/tiny" });
await training.models.log(model.id, { split: "train", trajectory_groups: [{ trajectories: [{ reward: 1 }, { reward: 0 }] }] });`}
      </div>
      <p>
        Or watch a small model learn in seconds, on your machine: <code>npx -y pnpm@12 start</code>
      </p>
    </section>
  );
}
