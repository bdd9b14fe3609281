import { describe, expect, it } from 'vitest';
import { createBriskClock } from '../support/brisk-clock.ts';
import { userForEachTest } from '../support/cli-user.ts';
import { json, startScriptedServer } from '../support/scripted-server.ts';
import { startTestSandbox } from '../support/test-sandbox.ts';

const user = userForEachTest();

/** Starts a command in this process. `end` interrupts it and resolves with its exit code. */
function begin(cliArguments: readonly string[]) {
  const interrupt = new AbortController();
  const running = user.start(cliArguments, createBriskClock(), { signal: interrupt.signal });
  return {
    ...running,
    end: (): Promise<number> => {
      interrupt.abort();
      return running.ended;
    },
  };
}

describe('sandbox', () => {
  it('prints its URL and key, serves other commands, and ends when interrupted', async () => {
    const running = begin(['sandbox', '--speed', '60', '--seed', '7']);
    await running.until(({ stdout, stderr }) => /export PARCEL_MONITOR_API_HEADER=\S+\n/.test(stdout + stderr));
    const output = running.stdout() + running.stderr();
    const environment = Object.fromEntries(
      [...output.matchAll(/^export (\S+)=(\S+)$/gm)].map(([, name, value]) => [name, value]),
    );
    const { exitCode, stdout } = await user.run(['add', '1Z999AA10123456784'], { environment });
    expect({ exitCode, stdout }).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('registered') });
    expect(await running.end()).toBe(0);
  });

  it('acts as a known service, so its clients work unchanged', async () => {
    const running = begin(['--profile', 'track123', 'sandbox', '--fault', 'slow-index:delay=1']);
    await running.until(({ stdout, stderr }) => /API_HEADER=Track123-Api-Secret\n/.test(stdout + stderr));
    const output = running.stdout() + running.stderr();
    const [, baseUrl = ''] = /^base URL: (http:\/\/127\.0\.0\.1:\d+\/gateway\/open-api)$/m.exec(output) ?? [];
    expect(output).toContain(`export PARCEL_MONITOR_BASE_URL=${baseUrl}\n`);
    const response = await fetch(`${baseUrl}/tk/v2.1/track/query`, {
      method: 'POST',
      headers: { 'Track123-Api-Secret': 'sandbox-key', 'Content-Type': 'application/json' },
      body: '{"trackNos":["1Z999AA10123456784"]}',
    });
    expect(await response.json()).toMatchObject({ code: '00000' });
    // With the profile, only the URL has to change.
    const environment = {
      PARCEL_MONITOR_PROFILE: 'track123',
      PARCEL_MONITOR_BASE_URL: baseUrl,
      PARCEL_MONITOR_API_KEY: 'sandbox-key',
    };
    expect((await user.run(['add', '1Z999AA10123456784'], { environment })).exitCode).toBe(0);
    expect(await running.end()).toBe(0);
  });

  it('injects faults and calls webhooks', async () => {
    const callbacks = await startScriptedServer(json({}));
    const webhook = callbacks.baseUrl.href;
    const faults = ['--fault', 'error-500:count=1:register', '--fault', 'slow:delay=1:query'];
    const limits = ['--credit', '1', '--couriers', '200'];
    const running = begin(['sandbox', '--speed', '100000', '--webhook', webhook, ...faults, ...limits]);
    await running.until(({ stdout, stderr }) => /The sandbox is running/.test(stdout + stderr));
    const output = running.stdout() + running.stderr();
    expect(output).toMatch(/Injected faults: error-500:count=1:register, slow:delay=1:query\./);
    const environment = Object.fromEntries(
      [...output.matchAll(/^export (\S+)=(\S+)$/gm)].map(([, name, value]) => [name, value]),
    );
    const failed = await user.run(['add', '1Z999AA10123456784'], { environment });
    expect(failed.exitCode).toBe(4);
    expect(failed.stderr).toMatch(/B0001/);
    expect((await user.run(['refresh', '1Z999AA10123456784'], { environment })).exitCode).toBe(0);
    await expect.poll(() => callbacks.requests.length, { timeout: 20_000 }).toBeGreaterThan(0);
    expect((await user.run(['couriers'], { environment })).stdout.split('\n').length).toBeGreaterThan(150);
    const outOfCredit = await user.run(['add', 'LX123456789CN'], { environment });
    expect(outOfCredit.exitCode).toBe(3);
    expect(outOfCredit.stderr).toMatch(/101107/);
    expect(await running.end()).toBe(0);
    await callbacks.close();
  });

  it.each([
    ['an unknown fault', ['--fault', 'nonsense'], /Unknown fault "nonsense".*error-500/],
    ['a webhook on another machine', ['--webhook', 'https://example.com/'], /only sends callbacks to this machine/],
    ['an unknown deployment', ['--profile', 'nonsense'], /profile "nonsense" is not known.*track123/],
    ['text that is not a header name', ['--header', 'my key'], /"my key" is not a valid header name/],
    ['text that is not a base path', ['--base-path', '/:a'], /is not a valid base path/],
  ])('refuses %s', async (_what, options, message) => {
    const { exitCode, stderr } = await user.run(['sandbox', ...options]);
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(message);
  });

  it('exits with 1 if its port is in use', async () => {
    const other = await startTestSandbox();
    const { port } = new URL(other.baseUrl);
    const { exitCode, stderr } = await user.run(['sandbox', '--port', port]);
    await other.close();
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(/^parcel-monitor: Port \d+ is already in use[^\n]*\n$/);
  });
});
