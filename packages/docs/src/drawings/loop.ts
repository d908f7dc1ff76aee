import { arrow, box, label, type Drawing } from "./svg.ts";

const steps = [
  ["1 · Task", "a question, a game"],
  ["2 · Rollouts", "eight attempts"],
  ["3 · Rewards", "a number for each"],
  ["4 · Group", "attempts at one task"],
  ["5 · Job", "trains on the groups"],
  ["6 · Checkpoint", "the next step"],
] as const;

/** The loop of reinforcement learning, with the calls of a program. */
export const loop: Drawing = {
  title: "The training loop",
  text: "A task goes to the newest checkpoint, which attempts it eight times: eight rollouts. Your code gives each attempt a reward. The attempts at one task form a group. A training job learns from the groups and adds a checkpoint. The next round asks that checkpoint.",
  width: 680,
  height: 300,
  parts: [
    ...steps.map(([name, what], index) => {
      const column = index < 3 ? index : 5 - index;
      const [x, y] = [20 + column * 230, index < 3 ? 20 : 190];
      return box(x, y, 180, 70, [name, what], index === 4 || index === 5 ? "strong" : "");
    }),
    arrow("M200 55H246"),
    arrow("M430 55H476"),
    arrow("M570 90V186"),
    arrow("M480 225H434"),
    arrow("M250 225H204"),
    arrow("M110 190V94"),
    label(120, 146, ["asked in the", "next round"], { anchor: "start", kind: "note" }),
    label(340, 112, ["`chat.completions.create`"], { kind: "note" }),
    label(560, 146, "`models.log`", { anchor: "end", kind: "note" }),
    label(340, 284, "`trainingJobs.createRl`", { kind: "note" }),
  ],
};
