import { type Sandbox, type SandboxOptions, startSandbox } from '../../src/sandbox/sandbox.ts';
import type { JourneyPoint } from '../../src/sandbox/world/registration.ts';
import { realClock } from './real-clock.ts';

/** Some hours after an event, at any time of day. */
export const hoursAfter = (subStatus: string, hours: number): JourneyPoint => ({
  subStatus,
  side: 'after',
  byMs: hours * 3_600_000,
  mayShift: false,
});

/** Numbers for tests. Each is at the same point of its journey at any time on any day. */
const startingPoints: ReadonlyMap<string, JourneyPoint> = new Map([
  ['LX123456789CN', hoursAfter('INFO_RECEIVED_01', 4)],
  ['1Z999AA10123456784', hoursAfter('IN_TRANSIT_02', 4)],
  ['RB848719115CN', hoursAfter('IN_TRANSIT_02', 4)],
  ['RB100000005CN', hoursAfter('INFO_RECEIVED_01', 4)],
  ['SF1234567890123', hoursAfter('IN_TRANSIT_02', 4)],
]);

/**
 * Starts a sandbox on the test's clock, in which a minute passes every second. It limits calls only if it has a clock
 * of its own: commands skip their pauses, so the calls of several commands fall into one second of the machine's clock.
 */
export function startTestSandbox(options: Partial<SandboxOptions> = {}): Promise<Sandbox> {
  const enforcesRateLimit = options.clock !== undefined;
  return startSandbox({
    port: 0,
    speed: 60,
    seed: 1,
    clock: realClock,
    startingPoints,
    enforcesRateLimit,
    ...options,
  });
}
