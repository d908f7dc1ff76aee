import { type Row, rowsOf } from "./row.ts";

/** Numbers that an operation accepts, and their limits. */
export const requestNumbers: readonly Row[] = rowsOf(`
training: an integer becomes any number | additive | Accepted values stay accepted.
  set DeleteCheckpointsRequest/properties/steps/items/type number
sent: an exclusive minimum becomes inclusive | additive | Accepted values stay accepted.
  {type: number, exclusiveMinimum: 0} → {type: number, minimum: 0}
sent: an inclusive minimum becomes exclusive | breaking | 0 was accepted.
  {type: number, minimum: 0} → {type: number, exclusiveMinimum: 0}
sent: an exclusive minimum of 0 becomes a minimum of 1 for integers | neutral | The meaning is the same.
  {type: integer, exclusiveMinimum: 0} → {type: integer, minimum: 1}
sent: an exclusive maximum of 10 becomes a maximum of 9 for integers | neutral | The meaning is the same.
  {type: integer, exclusiveMaximum: 10} → {type: integer, maximum: 9}
sent: two limits become the stricter one | neutral | The meaning is the same.
  {type: number, minimum: 0, exclusiveMinimum: 3} → {type: number, exclusiveMinimum: 3}
sent: 'multipleOf' becomes a divisor of the old value | additive | Multiples of 4 are multiples of 2.
  {type: integer, multipleOf: 4} → {type: integer, multipleOf: 2}
sent: 'multipleOf' becomes a multiple of the old value | breaking | 2 was accepted.
  {type: integer, multipleOf: 2} → {type: integer, multipleOf: 4}
sent: 'multipleOf: 1' is added to integers | neutral | The meaning is the same.
  {type: integer} → {type: integer, multipleOf: 1}
sent: 'multipleOf' becomes a number without a common factor | breaking | 4 was accepted.
  {type: integer, multipleOf: 4} → {type: integer, multipleOf: 6}
sent: an integer format becomes wider | additive | Accepted values stay accepted.
  {type: integer, format: int32} → {type: integer, format: int64}
sent: an integer format becomes narrower | breaking | Larger numbers were accepted.
  {type: integer, format: int64} → {type: integer, format: int32}
sent: a format that restricts nothing is added | neutral | JSON has one kind of number.
  {type: number} → {type: number, format: double}
sent: the limits of two parts of 'allOf' are merged | neutral | The meaning is the same.
  {allOf: [{type: integer, minimum: 1}, {maximum: 9}]} → {type: integer, minimum: 1, maximum: 9}
sent: a limit of a part of 'allOf' is tightened | breaking | 9 was accepted.
  {allOf: [{type: integer, minimum: 1}, {maximum: 9}]} → {allOf: [{type: integer, minimum: 1}, {maximum: 8}]}
`);
