import fc from 'fast-check';

type Property<Values extends [unknown, ...unknown[]], Result> = [
  ...values: { [Index in keyof Values]: fc.Arbitrary<Values[Index]> },
  check: (...values: Values) => Result,
];

/** Checks a property with random values, in the run's default number of rounds. */
export function forAll<Values extends [unknown, ...unknown[]]>(...property: Property<Values, void>): void {
  fc.assert(fc.property(...property));
}

/** Checks a property in this number of rounds. */
export function forAllIn<Values extends [unknown, ...unknown[]]>(
  numRuns: number,
  ...property: Property<Values, void>
): void {
  fc.assert(fc.property(...property), { numRuns });
}

/** Checks an asynchronous property in this number of rounds. */
export async function forAllAsync<Values extends [unknown, ...unknown[]]>(
  numRuns: number,
  ...property: Property<Values, Promise<void>>
): Promise<void> {
  await fc.assert(fc.asyncProperty(...property), { numRuns });
}
