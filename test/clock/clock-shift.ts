/** How far a process's clock is ahead of the machine's, in milliseconds. `shifted-clock.ts` reads it. */
export const clockShiftVariable = 'TEST_CLOCK_SHIFT_MS';

/**
 * The speed of a process's clock (6 is six times as fast, 0 stops it), and the instant on the machine's clock from
 * which it applies. `shifted-clock.ts` reads it.
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
 * The same, for a program whose clock runs `speed` times as fast from now on. For tests that would otherwise only wait.
 * Timeouts and waits for locks become shorter too, so keep the speed low.
 */
export function fastClockEnvironment(speed: number): Readonly<Record<string, string>> {
  const ownShift = Number(process.env[clockShiftVariable] ?? 0);
  return { ...testClockEnvironment(), [clockSpeedVariable]: `${speed}@${Date.now() - ownShift}` };
}
