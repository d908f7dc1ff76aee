/** Why a job cannot be done, as a sentence for people that names the place and the fix. */
export class TrainingFailure extends Error {
  override readonly name = "TrainingFailure";
}
