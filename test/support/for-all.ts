import fc from 'fast-check';

/** Checks that a property is true of all values: of random ones, in as many rounds as the run has. */
export function forAll<Values extends [unknown, ...unknown[]]>(
  ...property: [...values: { [Index in keyof Values]: fc.Arbitrary<Values[Index]> }, check: (...values: Values) => void]
): void {
  fc.assert(fc.property(...property));
}
