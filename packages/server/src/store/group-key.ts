/** Groups of jobs come after all groups of logs. */
export const firstOfJobs: number = 2 ** 52;
/** How many groups a body can have: more would not fit into the largest one. */
const places = 2 ** 23;

/** A group of a log or of a job, by the sequence number of that and its place in the body. */
export interface GroupPlace {
  readonly source: "log" | "job";
  readonly seq: number;
  readonly place: number;
}

/** The key of a group: in its order, those of a log or of a job follow each other. */
export function keyOf({ source, seq, place }: GroupPlace): number {
  return (source === "job" ? firstOfJobs : 0) + seq * places + place;
}

/** The group of a key. */
export function placeOf(key: number): GroupPlace {
  const rest = key % firstOfJobs;
  return { source: key < firstOfJobs ? "log" : "job", seq: Math.floor(rest / places), place: rest % places };
}

/** The id of a group: `<seq>.<place>` of a log, with `j` in front for a job. */
export function groupIdOf(key: number): string {
  const { source, seq, place } = placeOf(key);
  return `${source === "job" ? "j" : ""}${seq}.${place}`;
}

/** The key of a group's id; -1, which no group has, for other texts. */
export function keyOfId(id: string): number {
  const [, job, seq, place] = /^(j?)(\d{1,9})\.(\d{1,7})$/.exec(id) ?? [];
  return seq === undefined
    ? -1
    : keyOf({ source: job === "j" ? "job" : "log", seq: Number(seq), place: Number(place) });
}
