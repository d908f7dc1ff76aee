const bodies = `
const model = { project: "demo", name: "agent-1", base_model: "demo/tiny" };
const modelId = "6f1d2c84-3b5e-4f0a-9c27-8e4b1a5d7f30";
const chat = { model: "demo/tiny", messages: [{ role: "user" as const, content: "Hello" }] };
const trajectory = {
  reward: 1,
  messages_and_choices: [
    { role: "user" as const, content: "Hello" },
    {
      finish_reason: "stop" as const,
      index: 0,
      logprobs: null,
      message: { role: "assistant" as const, content: "Hi", refusal: null },
    },
  ],
};
const log = { split: "val", trajectory_groups: [{ trajectories: [trajectory] }] };
const stats = { project_id: "demo/agents", start: "2026-01-01T00:00:00" };
const object = { project_id: "demo/agents", object_id: "prompt", digest: "v1" };
const names: string[] = [];
function told(name: string | number | null | undefined): void {
  if (name === undefined || name === null) throw new Error("An answer is empty after " + names.join(", "));
  names.push(String(name));
}
`;

const ending = `
console.log(names.join(", "));
console.log("All calls are answered.");
`;

/**
 * Programs that use the clients of other generators: bodies, lists and chats, and the types of responses, which the
 * compiler checks. As text, because their imports do not exist here.
 */
export const callers = {
  "hey-api": `import * as auxiliary from "./hey-api/auxiliary";
import * as inference from "./hey-api/inference";
import * as training from "./hey-api/training";

const addresses: Record<string, string> = JSON.parse(process.env["ADDRESSES"] ?? "{}");
// If an operation accepts either of two schemes, this generator sends the last credential, so the key is passed to only
// one.
const auth = ({ scheme }: { scheme?: string }) => (scheme === "bearer" ? process.env["KEY"] : undefined);
const options = (service: string) => ({ baseUrl: addresses[service]!, auth, throwOnError: true }) as const;
${bodies}
const created = await training.createModelV1PreviewModelsPost({ ...options("training"), body: model });
told(created.data.id);
const path = { model_id: modelId };
const listed = await training.listModelCheckpointsV1PreviewModelsModelIdCheckpointsGet({ ...options("training"), path });
told(listed.data.data[0]?.step);
await training.logV1PreviewModelsModelIdLogPost({ ...options("training"), path, body: log });
const trained = await training.createChatCompletionV1ChatCompletionsPost({ ...options("training"), body: chat });
if (typeof trained.data === "string") throw new Error("The chat streams.");
told(trained.data.choices[0]?.finish_reason);
const answered = await inference.chatCompletionChatCompletionsPost({ ...options("inference"), body: chat });
if (typeof answered.data === "string") throw new Error("The chat streams.");
told(answered.data.choices[0]?.message.role);
told((await inference.listModelsModelsGet(options("inference"))).data.data[0]?.id);
told((await auxiliary.feedbackStatisticsFeedbackStatsPost({ ...options("auxiliary"), body: stats })).data.granularity);
told((await auxiliary.objectReadObjReadPost({ ...options("auxiliary"), body: object })).data.obj.digest);
const hardware = await auxiliary.hardwareOptionsInferenceVendorV2HardwareGet({ ...options("auxiliary"), query: { model: "tiny" } });
told(hardware.data.hardware[0]?.id);
const refused = await training.createModelV1PreviewModelsPost({ ...options("training"), throwOnError: false, auth: "", body: model });
if (refused.response?.status !== 401) throw new Error("A call without a key is answered.");
${ending}`,

  orval: `import * as auxiliary from "./orval/auxiliary";
import * as inference from "./orval/inference";
import * as training from "./orval/training";

const options = { headers: { authorization: "Bearer " + process.env["KEY"] } };
${bodies}
const created = await training.createModelV1PreviewModelsPost(model, options);
if (created.status !== 200) throw new Error("Create Model answered " + created.status);
told(created.data.id);
const listed = await training.listModelCheckpointsV1PreviewModelsModelIdCheckpointsGet(modelId, { limit: 5 }, options);
if (listed.status !== 200) throw new Error("List Model Checkpoints answered " + listed.status);
told(listed.data.data[0]?.step);
const logged = await training.logV1PreviewModelsModelIdLogPost(modelId, log, options);
told(logged.status === 200 ? "logged" : undefined);
const trained = await training.createChatCompletionV1ChatCompletionsPost(chat, options);
if (trained.status !== 200 || typeof trained.data === "string") throw new Error("The chat answered " + trained.status);
told(trained.data.choices[0]?.finish_reason);
const answered = await inference.chatCompletionChatCompletionsPost(chat, options);
if (answered.status !== 200 || typeof answered.data === "string") throw new Error("The chat answered " + answered.status);
told(answered.data.choices[0]?.message.role);
const models = await inference.listModelsModelsGet(options);
told(models.status === 200 ? models.data.data[0]?.id : undefined);
const statistics = await auxiliary.feedbackStatisticsFeedbackStatsPost(stats, options);
told(statistics.status === 200 ? statistics.data.granularity : undefined);
const read = await auxiliary.objectReadObjReadPost(object, options);
told(read.status === 200 ? read.data.obj.digest : undefined);
const hardware = await auxiliary.hardwareOptionsInferenceVendorV2HardwareGet({ model: "tiny" }, options);
told(hardware.status === 200 ? hardware.data.hardware[0]?.id : undefined);
const refused = await training.createModelV1PreviewModelsPost(model);
if (refused.status !== 401) throw new Error("A call without a key is answered.");
${ending}`,
} as const;
