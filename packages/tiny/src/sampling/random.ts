/**
 * Pseudorandom numbers, the same for the same seed and stream: sfc32, each at least 0 and below 1.
 *
 * @param stream distinguishes sequences with the same seed
 */
export function createRandom(seed: number, stream = 0): () => number {
  let a = seed | 0;
  // A seed may have more than 32 bits.
  let b = Math.floor(seed / 2 ** 32) | 0;
  let c = stream | 0;
  let counter = 1;
  const next = (): number => {
    const sum = (((a + b) | 0) + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = ((c << 21) | (c >>> 11)) + sum;
    return (sum >>> 0) / 2 ** 32;
  };
  // Discard the first numbers, which still depend visibly on the seed.
  for (let turn = 0; turn < 15; turn++) next();
  return next;
}
