/** By how many milliseconds a process's clock is ahead of the machine's; `shifted-clock.ts` reads it. */
export const clockShiftVariable = 'TEST_CLOCK_SHIFT_MS';

/**
 * What the environment of a program must hold so that its clock agrees with that of this test; for programs that do
 * not inherit this process's environment as a whole.
 */
export function testClockEnvironment(): Readonly<Record<string, string>> {
  const { NODE_OPTIONS, [clockShiftVariable]: shift } = process.env;
  return shift === undefined || NODE_OPTIONS === undefined ? {} : { NODE_OPTIONS, [clockShiftVariable]: shift };
}
