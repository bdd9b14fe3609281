import type { Random } from '../../src/lib/clock.ts';
import { between, pick } from '../../src/sandbox/seeded-random.ts';
import { someOf } from './circumstances.ts';
import type { Gate, GateFault } from './gate.ts';
import type { SandboxProcess } from './sandbox-process.ts';
import type { Tally } from './tally.ts';

/** What goes wrong at the service, from one time to the next. */
export interface Weather {
  /** Whether anything is wrong right now, or was until an answer ago. */
  isFoul(): boolean;
  /** Something else goes wrong, or all is well again. Answers how long it is to stay so, in milliseconds. */
  turn(): Promise<number>;
}

const gateFaults: readonly GateFault[] = ['network-gone', 'date-ahead', 'date-behind'];
/** Faults after which only a person lets the asking go on; rarer, so that parcels move meanwhile. */
const stopping = new Set(['key-revoked', 'out-of-credit', 'missing-operation', 'forbidden-403', 'not-found-404']);
/** How the service plans is no trouble that comes and goes: `simulate` measures what becomes of it. */
const planning = new Set(['lag', 'interval', 'never-looked-up', 'skew']);
/** Answers that are on their way when the weather turns. */
const lingersMs = 4_000;

/** Makes the weather between gate and sandbox. */
export async function createWeather(
  random: Random,
  gate: () => Gate,
  sandbox: SandboxProcess,
  tally: Tally,
): Promise<Weather> {
  const names = (await sandbox.faultNames()).filter((name) => !planning.has(name));
  let foul = false;
  let fairSince = 0;
  const faultOf = (name: string): object => ({
    name,
    probability: pick(random, [1, 1, 0.5, 0.2]),
    ...(name === 'slow' ? { delayMs: between(random, 200, 4000) } : {}),
    ...(name === 'rate-limit-429' ? { delayMs: between(random, 1000, 10_000) } : {}),
    ...(stopping.has(name) ? { count: 1 } : {}),
  });
  return {
    isFoul: () => foul || Date.now() < fairSince + lingersMs,
    async turn() {
      tally.count('faults switched');
      if (foul) {
        await sandbox.setFaults([]);
        gate().setFault(null);
        foul = false;
        fairSince = Date.now();
        return between(random, 15_000, 60_000);
      }
      foul = true;
      if (random() < 0.2) gate().setFault(pick(random, gateFaults));
      else await sandbox.setFaults(someOf(random, names, 2).map(faultOf));
      return between(random, 4_000, 20_000);
    },
  };
}
