import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parseFault } from '../../src/sandbox/faults/fault-rule.ts';
import type { Sandbox } from '../../src/sandbox/sandbox.ts';
import { type CliUser, createCliUser } from '../support/cli-user.ts';
import { createSkippingClock } from '../support/skipping-clock.ts';
import { startTestSandbox } from '../support/test-sandbox.ts';

const number = '1Z999AA10123456784';
const other = 'RB848719115CN';
const later = '1Z999AA10123456702';

const clock = createSkippingClock();
let sandbox: Sandbox;
let user: CliUser;
beforeEach(async () => {
  user = await createCliUser({ clock });
});
afterEach(async () => {
  await user.remove();
  await sandbox.close();
});

/** Starts a service with these faults, and returns the environment to reach it. */
async function connect(...faults: readonly string[]): Promise<{ readonly environment: Record<string, string> }> {
  sandbox = await startTestSandbox({ clock, faults: faults.map(parseFault) });
  return { environment: { PARCEL_MONITOR_BASE_URL: sandbox.baseUrl, PARCEL_MONITOR_API_KEY: sandbox.apiKey } };
}
const parcelsOf = async (environment: Record<string, string>) =>
  JSON.parse((await user.run(['list', '--json'], { environment })).stdout).parcels;
const registrations = async (): Promise<number> => {
  const meter = await readFile(join(user.home, '.local', 'state', 'parcel-monitor', 'meter.json'), 'utf8');
  return [...meter.matchAll(/"registrations":\s*(\d+)/g)].reduce((sum, [, count]) => sum + Number(count), 0);
};

describe('a registered number that cannot be checked yet', () => {
  it('is printed before its check has finished', async () => {
    const { environment } = await connect('hang:query');
    const stop = new AbortController();
    const running = user.start(['add', number], clock, { environment, signal: stop.signal });
    await running.until(({ stdout }) => /^1Z999AA10123456784\S* {2}registered\n/.test(stdout));
    stop.abort();
    expect(await running.ended).toBe(130);
  });

  it.each(['rate-limit-429:query:20s', 'rate-limit-200:query', 'error-500:query'])(
    'is left for the next check after %s, without a long wait',
    async (fault) => {
      const { environment } = await connect(fault);
      const before = clock.now();
      const { exitCode, stderr, stdout } = await user.run(['add', number], { environment });
      expect(clock.now() - before).toBeLessThan(15_000);
      expect(stdout).toMatch(/^1Z999AA10123456784\S* {2}registered\n$/);
      expect(stderr).toMatch(/ registered but not checked yet\. Open the board, or run "parcel-monitor refresh"\.\n/);
      expect(stderr).not.toContain('pending');
      expect(exitCode).toBe(0);
    },
  );
});

describe('a number that the service rejects', () => {
  it('is reported by add with exit code 5 and marked in the list', async () => {
    const { environment } = await connect(`bad-format-400:query:number=${number}`);
    const { exitCode, stderr, stdout } = await user.run(['add', number, later], { environment });
    expect(stdout.match(/ {2}registered\n/g)).toHaveLength(2);
    expect(stderr).toMatch(/^parcel-monitor: 1Z999AA10123456784: .*params format error/);
    expect(stderr).not.toContain(later);
    expect(exitCode).toBe(5);
    const list = (await user.run(['list'], { environment })).stdout.split('\n');
    expect(list.find((line) => line.includes(number))).toMatch(/No info yet.*✗ check failed/);
    expect(list.find((line) => line.includes(later))).not.toContain('check failed');
  });

  it('is reported if its registration fails', async () => {
    const { environment } = await connect(`bad-format-400:register:number=${number}`);
    const { exitCode, stderr, stdout } = await user.run(['add', number, later], { environment });
    expect(stdout).toMatch(/^1Z999AA10123456784\S* {2}pending\n1Z999AA10123456702\S* {2}registered\n$/);
    expect(stderr).toMatch(/1Z999AA10123456784: .*params format error/);
    expect(exitCode).toBe(5);
  });
});

describe('add --instant', () => {
  it('looks up a number that the first check did not find, and keeps its schedule', async () => {
    const { environment } = await connect('never-looked-up');
    const { exitCode, stderr, stdout } = await user.run(['add', number, '--instant'], { environment });
    expect(stdout).toMatch(
      /^1Z999AA10123456784 {2}registered\n1Z999AA10123456784 {2}Arrived at a sorting centre {2}\(looked up live\)\n$/,
    );
    expect(stderr).toMatch(
      /the number is looked up live, which costs one registration \(at most 2 registrations and 3 calls/,
    );
    expect(exitCode).toBe(0);
    const [parcel] = await parcelsOf(environment);
    expect(parcel).toMatchObject({ stage: 'in-transit', courierCode: 'ups', nextUpdateAt: null, error: null });
    expect(parcel.checkpointCount).toBeGreaterThan(0);
    // Scheduled as after a first check without a result. The record alone, which has no update time, would mean hours.
    expect(Date.parse(parcel.nextPollAt) - clock.now()).toBeLessThan(3_600_000);
    expect(await registrations()).toBe(2);
  });

  it('does not pay for a number that a check has found', async () => {
    const { environment } = await connect(`never-looked-up:number=${number}`);
    const { stdout } = await user.run(['add', number, other, '--instant'], { environment });
    expect(stdout.match(/looked up live/g)).toHaveLength(1);
    expect(await registrations()).toBe(3);
    expect(await user.run(['add', number, other, '--instant'], { environment })).toMatchObject({
      exitCode: 0,
      stderr: '',
    });
    expect(await registrations()).toBe(3);
  });

  it('asks at a terminal, even for one number, unless --yes is given', async () => {
    const { environment } = await connect('never-looked-up');
    const declined = await user.run(['add', number, '--instant'], { answer: 'n', environment });
    expect(declined).toMatchObject({ exitCode: 1, stdout: '' });
    expect(declined.stderr).toContain('Continue? [y/N]');
    expect(await parcelsOf(environment)).toEqual([]);
    const confirmed = await user.run(['add', number, '--instant', '--yes'], { answer: 'n', environment });
    expect(confirmed.stdout).toContain('looked up live');
  });

  it('stops at the budget and says what is left', async () => {
    const { environment } = await connect('never-looked-up');
    const settings = await user.run(['config', 'set', 'budget.registrationsPerMonth', '3'], { environment });
    expect(settings.exitCode).toBe(0);
    const { exitCode, stderr, stdout } = await user.run(['add', number, other, '--instant'], { environment });
    expect(stderr).toMatch(/at most 4 registrations and 4 calls; your budget has 3 left this month, so 1 must wait\)/);
    expect(stdout.match(/looked up live/g)).toHaveLength(1);
    expect(stderr).toMatch(/RB848719115CN was not looked up live\.\n.*Your budget of 3 registrations/);
    expect(exitCode).toBe(3);
  });

  it('does not look up a number live after a failed first check', async () => {
    const { environment } = await connect('error-500:query');
    const { exitCode, stderr } = await user.run(['add', number, '--instant'], { environment });
    expect(stderr).toMatch(/1Z999AA10123456784 was not looked up live because the first check failed/);
    expect(exitCode).toBe(4);
    expect(await registrations()).toBe(1);
  });

  it('requires numbers', async () => {
    const { environment } = await connect();
    const { exitCode, stderr } = await user.run(['add', '--scan', '-', '--instant'], { environment, input: number });
    expect(exitCode).toBe(2);
    expect(stderr).toContain('--instant requires numbers');
  });
});
