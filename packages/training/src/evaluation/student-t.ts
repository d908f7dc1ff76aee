/** ln Γ(x) for x > 0: Lanczos with g = 7 and nine terms (Press et al., Numerical Recipes, 3rd edition, 6.1). */
function logGamma(x: number): number {
  const terms = [
    676.5203681218851, -1259.1392167224028, 771.3234287776531, -176.6150291621406, 12.507343278686905,
    -0.13857109526572012, 9.984369578019572e-6, 1.5056327351493116e-7,
  ];
  const sum = terms.reduce((all, term, index) => all + term / (x + index), 0.9999999999998099);
  return 0.5 * Math.log(2 * Math.PI) + (x - 0.5) * Math.log(x + 6.5) - (x + 6.5) + Math.log(sum);
}

/** The regularized incomplete beta function I_x(a, b), by its continued fraction (DLMF 8.17.22, Lentz's method). */
function incompleteBeta(x: number, a: number, b: number): number {
  if (x <= 0 || x >= 1) return x <= 0 ? 0 : 1;
  // The fraction converges fast on this side only.
  if (x > (a + 1) / (a + b + 2)) return 1 - incompleteBeta(1 - x, b, a);
  const apart = (value: number) => (Math.abs(value) < 1e-300 ? 1e-300 : value);
  let c = 1;
  let d = 1 / apart(1 - ((a + b) * x) / (a + 1));
  let fraction = d;
  for (let m = 1, change = 0; m < 10_000 && Math.abs(change - 1) > 1e-16; m++) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / apart(1 + even * d);
    c = apart(1 + even / c);
    fraction *= c * d;
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / apart(1 + odd * d);
    c = apart(1 + odd / c);
    fraction *= change = c * d;
  }
  const front = logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log1p(-x);
  return (Math.exp(front) * fraction) / a;
}

/** The probability that |T| is at least |t|, for Student's t distribution with `degrees` of freedom. */
export function twoSidedP(t: number, degrees: number): number {
  return incompleteBeta(degrees / (degrees + t * t), degrees / 2, 0.5);
}

/** The value that T exceeds with a probability of 0.025: half of a 95 % interval, in standard errors. */
export function criticalT(degrees: number): number {
  let [low, high] = [1.9, 13];
  // Halving an interval of 11 sixty times reaches the precision of a double.
  for (let turn = 0; turn < 60; turn++) {
    const middle = (low + high) / 2;
    if (twoSidedP(middle, degrees) > 0.05) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}
