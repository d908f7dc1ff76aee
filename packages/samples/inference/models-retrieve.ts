import { createInferenceClient } from "@trainyard/inference";

const inference = createInferenceClient();

const model = await inference.models.retrieve("demo/tiny");
console.log(model.id, model.owned_by);
