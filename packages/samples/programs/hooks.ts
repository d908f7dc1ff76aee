import {
  createTrainingClient,
  NotFoundError,
  type Middleware,
} from "@trainyard/training";

// Runs around each attempt of each call, including retries. No middleware sees the key.
const stamped: Middleware = async (request, next, { name, attempt }) => {
  request.headers.set("x-run", "nightly-7");
  const began = performance.now();
  const response = await next(request);
  const milliseconds = Math.round(performance.now() - began);
  console.log(name, `attempt ${attempt}`, response.status, `${milliseconds} ms`);
  return response;
};

const training = createTrainingClient({
  middleware: [stamped],
  logger: console,
  logLevel: "info",
});

// The data, and the response: status, headers and the id of the request.
const { data, response, requestId } = await training.health.check().withResponse();
console.log(data.status, response.status, requestId);

// An error has the id as well. Pass it on if you ask for help.
try {
  await training.models.delete("0d5c8b7a-e19f-4236-a4b8-3f7e6c2d1950");
} catch (error) {
  if (error instanceof NotFoundError) console.log(error.requestId, error.message);
}
