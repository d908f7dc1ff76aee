# A program that trains, for `trainyard serve --trainer "python3 trainer.py"`.
import json
import os
import sys

# The input is one JSON document; the output is one JSON object per line.
job = json.load(sys.stdin)


def say(kind, **data):
    print(json.dumps({"type": kind, "data": data}), flush=True)


if "training_data" in job:
    say("training_failed", error_message="This trainer learns only from rewards.")
    sys.exit()

# The untrained model has no files.
weights = {"baseline": 0}
if job["checkpoint"]["directory"] is not None:
    with open(os.path.join(job["checkpoint"]["directory"], "weights.json")) as file:
        weights = json.load(file)

groups = [
    [trajectory.get("reward", 0) for trajectory in group["trajectories"]]
    for group in job["trajectory_groups"]
]
say("training_started", num_sequences=sum(len(rewards) for rewards in groups))
for rewards in groups:
    for reward in rewards:
        weights["baseline"] += 0.5 * (reward - weights["baseline"])
    loss = sum((reward - weights["baseline"]) ** 2 for reward in rewards)
    say("gradient_step", loss=loss / max(1, len(rewards)))

# The files here become those of the checkpoint if the job completes.
with open(os.path.join(job["output"]["directory"], "weights.json"), "w") as file:
    json.dump(weights, file)
say("training_ended", step=job["output"]["step"])
