import {
  createTrainingClient,
  NotFoundError,
  type Middleware,
} from "@trainyard/training";

// Around each attempt of each call, a retry included. The key is added later, so no middleware sees it.
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

// The response beside its data: status, headers and the id of the request.
const { data, response, requestId } = await training.health.check().withResponse();
console.log(data.status, response.status, requestId);

// An error has the id, too. Give it to the people of the service.
try {
  await training.models.delete("0d5c8b7a-e19f-4236-a4b8-3f7e6c2d1950");
} catch (error) {
  if (error instanceof NotFoundError) console.log(error.requestId, error.message);
}
