import { type Sandbox, type SandboxOptions, startSandbox } from '../../src/sandbox/sandbox.ts';
import type { JourneyPoint } from '../../src/sandbox/world/parcel-lives.ts';
import { realClock } from './real-clock.ts';

/** Some hours after an event, at any time of day. */
export const hoursAfter = (subStatus: string, hours: number): JourneyPoint => ({
  subStatus,
  side: 'after',
  byMs: hours * 3_600_000,
  mayShift: false,
});

/** Numbers for tests, each at the same position of its journey at every hour of every day. */
const startingPoints: ReadonlyMap<string, JourneyPoint> = new Map([
  ['LX123456789CN', hoursAfter('INFO_RECEIVED_01', 4)],
  ['1Z999AA10123456784', hoursAfter('IN_TRANSIT_02', 4)],
  ['RB848719115CN', hoursAfter('IN_TRANSIT_02', 4)],
  ['RB100000005CN', hoursAfter('INFO_RECEIVED_01', 4)],
  ['SF1234567890123', hoursAfter('IN_TRANSIT_02', 4)],
]);

/**
 * Starts a sandbox on the test's clock, a minute of its world per second. Without its own clock it does not limit
 * calls: pauses of commands pass immediately, so that those of several commands fall into one second of the machine's
 * clock.
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
