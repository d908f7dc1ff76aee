import { createInferenceClient } from "@trainyard/inference";

const inference = createInferenceClient({
  project: "harbor/support-desk",
});

const { data } = await inference.models.list();
for (const model of data)
  console.log(model.id, model.owned_by);
