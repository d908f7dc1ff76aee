/** Calls by path, with the address and the key from the environment. */
import { createTrainingHttp } from "@trainyard/training/http";

const http = createTrainingHttp();
const path = "/v1/preview/models/{model_id}/checkpoints";
const modelId = "6f1d2c84-3b5e-4f0a-9c27-8e4b1a5d7f30";

const { data, error } = await http.GET(path, { params: { path: { model_id: modelId }, query: { order: "desc" } } });
if (data === undefined) throw new Error(`No checkpoints: ${JSON.stringify(error)}`);

const missing = await http.GET(path, { params: { path: { model_id: "there-is-no-such-model" } } });
if (missing.response.status !== 404) throw new Error(`Not a 404 but ${missing.response.status}.`);

console.log("checkpoints", data.data.length);
