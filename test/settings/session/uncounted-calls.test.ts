import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { createCliUser } from '../../support/cli-user.ts';
import { startScriptedServer } from '../../support/scripted-server.ts';

const number = '1Z999AA10123456784';

it.each([
  { budget: null, isSent: true },
  { budget: { queriesPerDay: 3, registrationsPerMonth: 3 }, isSent: false },
])('with the budget $budget, uncounted calls are sent: $isSent', async ({ budget, isSent }) => {
  const user = await createCliUser();
  onTestFinished(() => user.remove());
  const server = await startScriptedServer((_request, response) => {
    response.writeHead(500).end();
  });
  onTestFinished(() => server.close());
  await user.run(['add', number]);
  await user.configure(budget === null ? {} : { budget });
  // Not even root can write a folder in place of the meter.
  await mkdir(join(user.home, '.local/state/parcel-monitor/meter.json'), { recursive: true });
  const environment = { PARCEL_MONITOR_BASE_URL: String(server.baseUrl), PARCEL_MONITOR_API_KEY: 'test-key-of-nobody' };
  for (const command of [
    ['watch', '--once'],
    ['refresh', number],
    ['add', 'RB100000005CN'],
    ['show', number, '--instant'],
    ['import', '--from-account', '--yes'],
  ]) {
    const before = server.requests.length;
    const { exitCode, stderr } = await user.run(command, { environment });
    const sent = server.requests.slice(before).filter(({ path }) => !path.includes('courier')).length;
    expect({ command, isSent: sent > 0, exitCode, stderr }).toEqual({
      command,
      isSent,
      exitCode: isSent ? expect.any(Number) : 1,
      stderr: isSent
        ? expect.not.stringContaining('budget')
        : expect.stringMatching(/Requests with a budget wait until they can be counted: .*meter\.json/),
    });
  }
});
