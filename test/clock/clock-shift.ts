/** By how many milliseconds a process's clock is ahead of the machine's; `shifted-clock.ts` reads it. */
export const clockShiftVariable = 'TEST_CLOCK_SHIFT_MS';

/** How many times as fast a process's clock is (0 stands still), and from which instant of the machine's on; `shifted-clock.ts` reads it. */
export const clockSpeedVariable = 'TEST_CLOCK_SPEED';

/**
 * What the environment of a program must hold so that its clock agrees with that of this test; for programs that do
 * not inherit this process's environment as a whole.
 */
export function testClockEnvironment(): Readonly<Record<string, string>> {
  const { NODE_OPTIONS, [clockShiftVariable]: shift } = process.env;
  return shift === undefined || NODE_OPTIONS === undefined ? {} : { NODE_OPTIONS, [clockShiftVariable]: shift };
}

/**
 * The same for programs whose time passes so many times as fast, from now on: for what a test would only wait for.
 * What limits a call or a wait for a lock is as much shorter, so keep the number small.
 */
export function fastClockEnvironment(speed: number): Readonly<Record<string, string>> {
  const ownShift = Number(process.env[clockShiftVariable] ?? 0);
  return { ...testClockEnvironment(), [clockSpeedVariable]: `${speed}@${Date.now() - ownShift}` };
}
