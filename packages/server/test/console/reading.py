"""Calculates what the console's pages show from the raw logs, with numpy and scipy, and names the numbers that differ.

Reads {"logs": [{run, step, split, groups}], "pages": {...}} from the file of its argument. It shares nothing with the server:
the formulas are those of the descriptions in the local server's OpenAPI document.
"""

import json
import math
import sys
from collections import defaultdict

import numpy as np
from scipy import stats

data = json.load(open(sys.argv[1], encoding="utf8"))
compared = 0
differing = []


def check(place, shown, expected):
    """Compares numbers, null, or lists of them, up to rounding."""
    global compared
    if isinstance(expected, (list, np.ndarray)):
        if len(shown) != len(expected):
            differing.append(f"{place}: {len(shown)} numbers, not {len(expected)}")
        for at, (one, other) in enumerate(zip(shown, expected)):
            check(f"{place}[{at}]", one, other)
        return
    compared += 1
    same = shown is expected if shown is None or expected is None else math.isclose(shown, expected, rel_tol=1e-9, abs_tol=1e-9)
    if not same:
        differing.append(f"{place}: {shown}, not {expected}")


def mean(values):
    return float(np.mean(values)) if len(values) else None


def rewards_of(group):
    return [one.get("reward", 0) for one in group["trajectories"]]


def flat(rewards):
    """Equal up to rounding."""
    return len(rewards) > 1 and np.ptp(rewards) <= 1e-12 * np.max(np.abs(rewards))


def tokens_of(trajectory):
    """The number of tokens of the model, from the log probabilities of its choices; None if one has none."""
    counts = [len(item["logprobs"]["content"]) if item.get("logprobs") else None for item in trajectory["messages_and_choices"] if "finish_reason" in item]
    return sum(counts) if counts and None not in counts else None


def nearest_rank(values, share):
    ordered = sorted(values)
    return ordered[math.ceil(len(ordered) * share) - 1] if ordered else None


def groups_at(run, split="train", step=None, task=None):
    return [
        group
        for log in data["logs"]
        if log["run"] == run and log["split"] == split and (step is None or log["step"] == step)
        for group in log["groups"]
        if task is None or group["metadata"]["task"] == task
    ]


def rewards_at(*of, **more):
    return [reward for group in groups_at(*of, **more) for reward in rewards_of(group)]


def steps_of(run, split="train"):
    return sorted({log["step"] for log in data["logs"] if log["run"] == run and log["split"] == split and log["groups"]})


def error(one, other):
    """That of Welch's test."""
    if min(len(one), len(other)) < 2:
        return None
    return float(np.sqrt(stats.sem(one) ** 2 + stats.sem(other) ** 2))


def newest(run, task, at):
    """The last step up to one at which a task has rewards, and these."""
    for step in reversed([step for step in steps_of(run) if step <= at]):
        rewards = rewards_at(run, step=step, task=task)
        if rewards:
            return step, rewards
    return None


def check_curve(run, split, curve):
    low, high = curve["range"]["low"], curve["range"]["high"]
    steps = steps_of(run, split)
    check(f"{run} {split}.step", curve["step"], steps)
    for at, step in enumerate(steps):
        groups = groups_at(run, split, step)
        rewards = [reward for group in groups for reward in rewards_of(group)]
        pairs = [rewards_of(group) for group in groups if len(rewards_of(group)) > 1]
        place = f"{run} {split} at {step}"
        check(f"{place}.n", curve["n"][at], len(rewards))
        check(f"{place}.mean", curve["mean"][at], mean(rewards))
        check(f"{place}.sd", curve["sd"][at], mean([np.std(one) for one in pairs]))
        cells, _ = np.histogram(np.clip(rewards, low, high), bins=10, range=(low, high))
        check(f"{place}.cells", curve["cells"][at], cells)
        middle = (low + high) / 2
        for name, holds in (("flat_low", lambda one: one[0] < middle), ("flat_high", lambda one: one[0] >= middle)):
            check(f"{place}.{name}", curve[name][at], mean([float(flat(one) and holds(one)) for one in pairs]))
        check(f"{place}.exceptions", curve["exceptions"][at], sum(len(group.get("exceptions", [])) for group in groups))
        tokens = [tokens_of(one) for group in groups for one in group["trajectories"]]
        tokens = [one for one in tokens if one is not None]
        check(f"{place}.p50", curve["tokens"]["p50"][at], nearest_rank(tokens, 0.5))
        check(f"{place}.p90", curve["tokens"]["p90"][at], nearest_rank(tokens, 0.9))
        for name, values in curve["metrics"].items():
            own = [one["metrics"][name] for group in groups for one in group["trajectories"] if name in one.get("metrics", {})]
            check(f"{place}.{name}", values[at], mean([float(one) for one in own]))
        # The lines of the curve by a key of the metadata: each value, and all the others together.
        named = [part["value"] for part in curve.get("by", []) if part["of"] == "value"]
        for part in curve.get("by", []):
            own = [
                reward
                for group in groups
                for reward in rewards_of(group)
                if (group["metadata"]["task"] == part["value"] if part["of"] == "value" else group["metadata"]["task"] not in named)
            ]
            check(f"{place} by {part['value']}.n", part["n"][at], len(own))
            check(f"{place} by {part['value']}.mean", part["mean"][at], mean(own))


for run, pages in data["pages"].items():
    for split, curve in pages["curves"]:
        check_curve(run, split, curve)
    steps = steps_of(run)
    training = pages["curves"][0][1]["training"]
    made = {job["made"]: job["updates"] for job in pages["jobs"] if job["made"] is not None and job["updates"]}
    check(f"{run} training.step", training["step"], sorted(made))
    for name, values in training["metrics"].items():
        check(f"{run} training.{name}", values, [mean([update[name] for update in made[step]]) for step in sorted(made)])

    means = [mean(rewards_at(run, step=step)) for step in steps]
    check(f"{run} run.reward", pages["run"]["reward"], means)
    check(f"{run} run.best", pages["run"]["best"], max(means))
    check(f"{run} run.last", pages["run"]["last"], means[-1])

    # Ids are those of logs and places, so groups are found by them.
    by_id = {f"{log['seq']}.{place}": (log, group) for log in data["logs"] if log["run"] == run for place, group in enumerate(log["groups"])}
    for shown in pages["groups"]:
        _, group = by_id[shown["id"]]
        rewards = rewards_of(group)
        check(f"{run} group {shown['id']}.mean", shown["mean"], mean(rewards))
        check(f"{run} group {shown['id']}.sd", shown["sd"], float(np.std(rewards)) if rewards else None)
        check(f"{run} group {shown['id']}.rewards", shown["rewards"], rewards)
    for shown in pages["rollouts"]:
        _, group = by_id[shown["group"]]
        attempt = shown["attempt"]
        place = f"{run} attempt {shown['id']}"
        if attempt["place"] >= len(group["trajectories"]):
            check(f"{place}.reward", attempt["reward"], None)
            continue
        rewards = rewards_of(group)
        own = group["trajectories"][attempt["place"]]
        spread = float(np.std(rewards))
        check(f"{place}.reward", attempt["reward"], rewards[attempt["place"]])
        scaled = None if len(rewards) < 2 else 0 if flat(rewards) else (rewards[attempt["place"]] - mean(rewards)) / spread
        check(f"{place}.advantage", attempt["advantage"], scaled)
        check(f"{place}.tokens", attempt["tokens"], tokens_of(own))
        for name, value in own.get("metrics", {}).items():
            check(f"{place}.{name}", attempt["metrics"][name], float(value))

    tasks = pages["tasks"]
    for shown in tasks["data"]:
        task, place = shown["task"], f"{run} task {shown['task']}"
        groups = [group for step in steps if step <= tasks["to"] for group in groups_at(run, step=step, task=task)]
        check(f"{place}.groups", shown["groups"], len(groups))
        check(f"{place}.attempts", shown["attempts"], sum(len(rewards_of(group)) for group in groups))
        pairs = [rewards_of(group) for group in groups if len(rewards_of(group)) > 1]
        check(f"{place}.flat_share", shown["flat_share"], mean([float(flat(one)) for one in pairs]))
        trend = [mean(rewards_at(run, step=step, task=task)) for step in steps if step <= tasks["to"]]
        check(f"{place}.trend", shown["trend"], [one for one in trend if one is not None])
        before, now = newest(run, task, tasks["from"]), newest(run, task, tasks["to"])
        if now is None:
            check(place, shown["now"], None)
            continue
        check(f"{place}.now", shown["now"]["mean"], mean(now[1]))
        changed = before is not None and now[0] > tasks["from"]
        check(f"{place}.change", shown["now"]["change"], mean(now[1]) - mean(before[1]) if changed else None)
        check(f"{place}.error", shown["now"]["error"], error(before[1], now[1]) if changed else None)

for found in data["comparisons"]:
    (first, one), (other, two) = [(item["run_id"], item["step"]) for item in found["items"]]
    place = f"compare {first}@{one} with {other}@{two}"
    changes = []
    for shown in found["tasks"]:
        before = newest(first, shown["task"], one)
        now = rewards_at(other, step=two, task=shown["task"])
        value = shown["values"][1]
        both = before is not None and len(now) > 0
        if value is not None:
            check(f"{place} {shown['task']}.mean", value["mean"], mean(now))
            check(f"{place} {shown['task']}.change", value["change"], mean(now) - mean(before[1]) if both else None)
            check(f"{place} {shown['task']}.error", value["error"], error(before[1], now) if both else None)
        if both:
            changes.append(mean(now) - mean(before[1]))
    (whole,) = found["changes"]
    total = mean(rewards_at(other, step=two)) - mean(rewards_at(first, step=one))
    check(f"{place}.change", whole["change"], total)
    check(f"{place}.same", whole["same"], mean(changes))
    check(f"{place}.error", whole["error"], float(stats.sem(changes)) if len(changes) > 1 else None)
    check(f"{place}.mix", whole["mix"], total - mean(changes) if changes else None)
    for item, (run, step) in zip(found["items"], ((first, one), (other, two))):
        groups = groups_at(run, step=step)
        attempts = [trajectory for group in groups for trajectory in group["trajectories"]]
        thrown = sum(len(group.get("exceptions", [])) for group in groups)
        check(f"{place} reward", item["figures"]["reward"], mean(rewards_at(run, step=step)))
        check(f"{place} exceptions", item["figures"]["exceptions"], thrown / (thrown + len(attempts)))
        pairs = [rewards_of(group) for group in groups if len(rewards_of(group)) > 1]
        check(f"{place} flat", item["figures"]["flat"], mean([float(flat(pair)) for pair in pairs]))
        tokens = [one for one in map(tokens_of, attempts) if one is not None]
        check(f"{place} tokens", item["figures"]["tokens"], nearest_rank(tokens, 0.5))
        turns = [sum("finish_reason" in entry for entry in one["messages_and_choices"]) for one in attempts]
        check(f"{place} turns", item["figures"]["turns"], mean(turns))
        for name, value in item["figures"].items():
            if name.startswith("metric."):
                key = name.removeprefix("metric.")
                check(f"{place} {name}", value, mean([float(one["metrics"][key]) for one in attempts if key in one["metrics"]]))

print(json.dumps({"compared": compared, "differing": differing}))
