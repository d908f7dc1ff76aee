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
  await training.models.delete("00000000-0000-4000-8000-000000000000", {
    headers: { prefer: "code=404" },
  });
} catch (error) {
  if (error instanceof NotFoundError) console.log(error.requestId, error.message);
}
