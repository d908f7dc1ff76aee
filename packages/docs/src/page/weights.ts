/**
 * Packs the weights of the tiny model for a download. Most weights of a row are the same number, also that of the byte 0,
 * which no text contains: a row is stored as that number, the positions of the other weights, and their values. Bytes at the same position of their numbers are
 * stored together, which compresses better.
 */

/** How many weights of the tiny model make a row: one for each byte, and one for the end. */
export const columns = 257;

/** Writes rows of weights. */
export function packWeights(weights: Float32Array, width: number): Uint8Array<ArrayBuffer> {
  const bits = new Uint32Array(weights.buffer, weights.byteOffset, weights.length);
  const rows = bits.length / width;
  const usual = new Uint32Array(rows);
  const mask = new Uint8Array(Math.ceil(bits.length / 8));
  const others: number[] = [];
  for (let row = 0; row < rows; row++) {
    const numbers = bits.subarray(row * width, (row + 1) * width);
    const [first = 0] = numbers;
    usual[row] = first;
    for (const [column, number] of numbers.entries()) {
      if (number === first) continue;
      const offset = row * width + column;
      mask[offset >> 3] = (mask[offset >> 3] ?? 0) | (1 << (offset & 7));
      others.push(number);
    }
  }
  const head = new Uint8Array(Uint32Array.of(rows, width, others.length).buffer);
  const parts = [head, planesOf(usual), mask, planesOf(Uint32Array.from(others))];
  const packed = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    packed.set(part, at);
    at += part.length;
  }
  return packed;
}

/** Reads what `packWeights` wrote. */
export function unpackWeights(packed: Uint8Array<ArrayBuffer>): Float32Array<ArrayBuffer> {
  const [rows = 0, width = 0, count = 0] = new Uint32Array(packed.buffer, packed.byteOffset, 3);
  const usual = numbersOf(packed.subarray(12, 12 + 4 * rows));
  const maskEnd = 12 + 4 * rows + Math.ceil((rows * width) / 8);
  const mask = packed.subarray(12 + 4 * rows, maskEnd);
  const others = numbersOf(packed.subarray(maskEnd, maskEnd + 4 * count));
  const bits = new Uint32Array(rows * width);
  for (let row = 0; row < rows; row++) bits.fill(usual[row] ?? 0, row * width, (row + 1) * width);
  let next = 0;
  for (const [at, byte] of mask.entries()) {
    for (let bit = 0; byte >> bit > 0; bit++) if ((byte >> bit) & 1) bits[at * 8 + bit] = others[next++] ?? 0;
  }
  return new Float32Array(bits.buffer);
}

function planesOf(numbers: Uint32Array): Uint8Array {
  const planes = new Uint8Array(numbers.length * 4);
  for (const [at, number] of numbers.entries()) {
    for (let plane = 0; plane < 4; plane++) planes[plane * numbers.length + at] = number >>> (8 * plane);
  }
  return planes;
}

function numbersOf(planes: Uint8Array): Uint32Array {
  const { length } = planes;
  const numbers = new Uint32Array(length / 4);
  for (let at = 0; at < length; at++) {
    const index = at % numbers.length;
    numbers[index] = (numbers[index] ?? 0) | ((planes[at] ?? 0) << (8 * Math.floor(at / numbers.length)));
  }
  return numbers;
}
