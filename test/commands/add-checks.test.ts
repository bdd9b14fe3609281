import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parseFault } from '../../src/sandbox/faults/fault-rule.ts';
import type { Sandbox } from '../../src/sandbox/sandbox.ts';
import { type CliUser, createCliUser } from '../support/cli-user.ts';
import { createHurryingClock } from '../support/hurrying-clock.ts';
import { startTestSandbox } from '../support/test-sandbox.ts';

const number = '1Z999AA10123456784';
const other = '1Z999AA10123456702';

const clock = createHurryingClock();
let sandbox: Sandbox;
let user: CliUser;
beforeEach(async () => {
  user = await createCliUser({ clock });
});
afterEach(async () => {
  await user.remove();
  await sandbox.close();
});

/** A service with these faults, and the environment that leads to it. */
async function connect(...faults: readonly string[]): Promise<{ readonly environment: Record<string, string> }> {
  sandbox = await startTestSandbox({ clock, faults: faults.map(parseFault) });
  return { environment: { PARCEL_MONITOR_BASE_URL: sandbox.baseUrl, PARCEL_MONITOR_API_KEY: sandbox.apiKey } };
}

describe('a number that is registered, and cannot be checked yet', () => {
  it('is printed before its check is over', async () => {
    const { environment } = await connect('hang:query');
    const stop = new AbortController();
    const running = user.begin(['add', number], clock, { environment, signal: stop.signal });
    await running.until(({ stdout }) => /^1Z999AA10123456784\S* {2}registered\n/.test(stdout));
    stop.abort();
    expect(await running.ended).toBe(130);
  });

  it.each(['rate-limit-429:query:20s', 'rate-limit-200:query', 'error-500:query'])(
    'is left to the next check after %s, without a long wait',
    async (fault) => {
      const { environment } = await connect(fault);
      const before = clock.now();
      const { exitCode, stderr, stdout } = await user.run(['add', number], { environment });
      expect(clock.now() - before).toBeLessThan(15_000);
      expect(stdout).toMatch(/^1Z999AA10123456784\S* {2}registered\n$/);
      expect(stderr).toMatch(/ registered; the first check follows with "parcel-monitor refresh" or an open board\.\n/);
      expect(stderr).not.toContain('pending');
      expect(exitCode).toBe(0);
    },
  );
});

describe('a number about which the service refuses to answer', () => {
  it('is named by add, which ends with 5, and marked in the list', async () => {
    const { environment } = await connect(`bad-format-400:query:number=${number}`);
    const { exitCode, stderr, stdout } = await user.run(['add', number, other], { environment });
    expect(stdout.match(/ {2}registered\n/g)).toHaveLength(2);
    expect(stderr).toMatch(/^parcel-monitor: 1Z999AA10123456784: .*params format error/);
    expect(stderr).not.toContain(other);
    expect(exitCode).toBe(5);
    const list = (await user.run(['list'], { environment })).stdout.split('\n');
    expect(list.find((line) => line.includes(number))).toMatch(/No info yet.*✗ check failed/);
    expect(list.find((line) => line.includes(other))).not.toContain('check failed');
  });

  it('is named where its registration is what fails', async () => {
    const { environment } = await connect(`bad-format-400:register:number=${number}`);
    const { exitCode, stderr, stdout } = await user.run(['add', number, other], { environment });
    expect(stdout).toMatch(/^1Z999AA10123456784\S* {2}pending\n1Z999AA10123456702\S* {2}registered\n$/);
    expect(stderr).toMatch(/1Z999AA10123456784: .*params format error/);
    expect(exitCode).toBe(5);
  });
});
