/** How far a process's clock is ahead of the machine's, in milliseconds. `shifted-clock.ts` reads it. */
export const clockShiftVariable = 'TEST_CLOCK_SHIFT_MS';

/**
 * How many times as fast a process's clock runs (0 stops it), and from which instant of the machine's clock on.
 * `shifted-clock.ts` reads it.
 */
export const clockSpeedVariable = 'TEST_CLOCK_SPEED';

/**
 * Environment variables that make a program's clock agree with the test's, for programs that do not inherit this
 * process's environment.
 */
export function testClockEnvironment(): Readonly<Record<string, string>> {
  const { NODE_OPTIONS, [clockShiftVariable]: shift } = process.env;
  return shift === undefined || NODE_OPTIONS === undefined ? {} : { NODE_OPTIONS, [clockShiftVariable]: shift };
}

/**
 * The same for programs whose clock runs this many times as fast from now on, for tests that would otherwise only wait.
 * Timeouts and waits for locks are also shorter, so keep the number small.
 */
export function fastClockEnvironment(speed: number): Readonly<Record<string, string>> {
  const ownShift = Number(process.env[clockShiftVariable] ?? 0);
  return { ...testClockEnvironment(), [clockSpeedVariable]: `${speed}@${Date.now() - ownShift}` };
}
