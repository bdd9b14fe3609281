import { chmod } from 'node:fs/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { userForEachTest } from '../support/cli-user.ts';
import { json, startScriptedServer } from '../support/scripted-server.ts';

const user = userForEachTest();

const configure = async (settings: object, mode: number): Promise<void> => {
  await user.configure(settings);
  await chmod(user.configFile, mode);
};

/** Starts a service that responds normally and records its requests. */
async function startService() {
  const service = await startScriptedServer(json({ code: '00000', msg: 'success', data: [] }));
  onTestFinished(() => service.close());
  return { baseUrl: service.baseUrl.href, requests: service.requests };
}

const key = 'the-key-of-the-user';
const fixCommand = 'chmod go-w ';

describe.runIf(process.geteuid !== undefined)('a configuration that others can write', () => {
  const commands = [
    ['refresh'],
    ['couriers', '--refresh'],
    ['watch', '--once'],
    ['setup', '--key-from-stdin'],
    ['import', '--from-account', '--yes'],
  ];

  it.each(commands)('sends no key to its address: %s %s', async (...words) => {
    const service = await startService();
    for (const settings of [{ baseUrl: service.baseUrl }, { baseUrl: service.baseUrl, apiKey: key }]) {
      await configure(settings, 0o622);
      const result = await user.run(
        words.filter((word) => typeof word === 'string'),
        {
          environment: { PARCEL_MONITOR_API_KEY: key },
          input: key,
        },
      );
      expect(result.exitCode).toBe(2);
      expect(result.stderr).toContain(`${fixCommand}${user.configFile}`);
    }
    expect(service.requests).toEqual([]);
  });

  it.each([
    ['service.header', { service: { header: 'Referer' } }],
    ['service.operations.query.path', { service: { operations: { query: { path: '/../theirs' } } } }],
  ])('sends no key under its %s', async (name, settings) => {
    const service = await startService();
    await configure(settings, 0o622);
    const environment = { PARCEL_MONITOR_API_KEY: key, PARCEL_MONITOR_BASE_URL: service.baseUrl };
    const result = await user.run(['couriers', '--refresh'], { environment });
    expect(result.exitCode).toBe(2);
    expect(result.stderr).toContain(`"${name}" is not used while another user can change it.`);
    expect(service.requests).toEqual([]);
  });

  it('sends no password or parcel to its database', async () => {
    await configure({ store: 'postgres://ann@127.0.0.1:1/parcels' }, 0o622);
    const environment = { PGPASSWORD: 'secret' };
    const result = await user.run(['list'], { environment });
    expect(result.exitCode).toBe(2);
    expect(result.stderr).toContain('"store" is not used while another user can change it.');
    // A different address is used, and so is the user's own file, although nothing is listening there.
    expect((await user.run(['list', '--store', 'postgres://ann@127.0.0.1:1/mine'], { environment })).exitCode).toBe(1);
    await configure({ store: 'postgres://ann@127.0.0.1:1/parcels' }, 0o600);
    expect((await user.run(['list'], { environment })).stderr).not.toContain('is not used');
  });

  it('does not affect an address from an option or a variable', async () => {
    const theirs = await startService();
    const mine = await startService();
    await configure({ baseUrl: theirs.baseUrl }, 0o622);
    const environment = { PARCEL_MONITOR_API_KEY: key };
    const byOption = await user.run(['couriers', '--refresh', '--base-url', mine.baseUrl], { environment });
    expect(byOption).toMatchObject({ exitCode: 0, stderr: expect.stringContaining(fixCommand) });
    const byVariable = await user.run(['couriers', '--refresh'], {
      environment: { ...environment, PARCEL_MONITOR_BASE_URL: mine.baseUrl },
    });
    expect(byVariable.exitCode).toBe(0);
    expect([theirs.requests.length, mine.requests.length]).toEqual([0, 2]);
  });

  it('is reported by doctor and config, and added numbers wait', async () => {
    const service = await startService();
    await configure({ baseUrl: service.baseUrl }, 0o622);
    const environment = { PARCEL_MONITOR_API_KEY: key };
    const doctor = await user.run(['doctor', '--json'], { environment });
    const { checks } = JSON.parse(doctor.stdout) as { checks: { name: string; status: string; found: string }[] };
    expect(checks).toContainEqual(
      expect.objectContaining({
        name: 'service',
        status: 'fail',
        found: expect.stringContaining('"baseUrl" is not used'),
        advice: expect.stringContaining(`Run: ${fixCommand}${user.configFile}`),
      }),
    );
    expect((await user.run(['config', 'list'], { environment })).stderr).toContain(fixCommand);
    expect((await user.run(['config', 'get', 'baseUrl'], { environment })).stderr).toContain(fixCommand);
    expect((await user.run(['add', 'RB100000005CN'], { environment })).exitCode).toBe(2);
    expect((await user.run(['list', '--json'], { environment })).stdout).toContain('RB100000005CN');
    expect(service.requests).toEqual([]);
  });
});
