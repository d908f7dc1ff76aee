/**
 * Questions for an agent that knows only `llms.txt` and follows at most one link: the page that it must choose, and what it
 * finds there.
 */
export const lookups: readonly (readonly [question: string, twin: RegExp, answer: RegExp])[] = [
  ["log trajectories of an agent", /models\.log\.md|logging\.md/, /trajectory_groups/],
  ["create a reinforcement learning job", /trainingJobs\.createRl\.md/, /experimental_config/],
  ["create a supervised fine-tuning SFT training job", /trainingJobs\.createSft\.md/, /training_data_url/],
  ["list the checkpoints of a model", /models\.checkpoints\.list\.md/, /order/],
  ["delete checkpoints of a model", /models\.checkpoints\.delete\.md/, /steps/],
  ["create a model", /models\.create\.md/, /base_model/],
  ["list base models", /models\.listBase\.md/, /demo\/tiny/],
  ["get the events of a training job", /trainingJobs\.events\.list\.md/, /gradient_step|TrainingJobEvent/],
  ["get a training job", /trainingJobs\.get\.md/, /status|TrainingJob/],
  ["read a stored object", /objects\.read\.md|guides\/objects\.md/, /digest/],
  ["list hardware", /hardware\.list\.md/, /model/],
  ["feedback statistics over time", /feedback/, /granularity/],
  ["chat completion stream", /chat/, /stream/],
  ["which errors are there and what to do", /guides\/errors\.md/, /RateLimitError/],
  ["retries timeouts idempotency", /guides\/retries\.md/, /idempotencyKey/],
  ["authentication key", /guides\/authentication\.md/, /Bearer/],
  ["test code without the services", /guides\/testing\.md/, /mock/],
  ["write your own trainer", /guides\/trainers\.md/, /standard input/],
  ["states and events of a job, why it fails", /concepts\/jobs\.md/, /error_message/],
  ["rewards group advantage explained", /concepts\/training\.md/, /advantage/],
  ["which facts are certain", /contract\/basis\.md/, /proposed/],
  ["versions deprecation", /contract\/versions\.md/, /90 days/],
];
