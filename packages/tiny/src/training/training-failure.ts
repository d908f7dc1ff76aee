/** Why a job cannot be done: its message is a sentence for people that names the place and the cure. */
export class TrainingFailure extends Error {
  override readonly name = "TrainingFailure";
}
