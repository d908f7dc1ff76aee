import { createAuxiliaryClient } from "@trainyard/auxiliary";
import { createInferenceClient } from "@trainyard/inference";
import { createTrainingClient } from "@trainyard/training";

// From the environment: TRAINYARD_API_KEY and TRAINYARD_TRAINING_URL.
const training = createTrainingClient();
console.log("training is", (await training.health.check()).status);

// The client calls this function before each attempt, and once more after a 401.
async function readKey(): Promise<string> {
  return process.env["TRAINYARD_API_KEY"] ?? "";
}
const inference = createInferenceClient({
  baseUrl:
    process.env["TRAINYARD_INFERENCE_URL"] ?? "http://127.0.0.1:4010/inference/v1",
  apiKey: readKey,
  // Sent as Compat-Project, so that usage is counted for this team and project.
  project: "harbor/support-desk",
});
console.log("models:", (await inference.models.list()).data.length);

// Hardware options need an access token: TRAINYARD_ACCESS_TOKEN, or the
// option `accessToken`. Without one, the API key is sent.
const auxiliary = createAuxiliaryClient();
console.log(
  "hardware:",
  (await auxiliary.hardware.list({ model: "tiny" })).hardware.length,
);
