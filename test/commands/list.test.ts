import * as v from 'valibot';
import { afterEach, beforeEach, expect, it, onTestFinished } from 'vitest';
import { type CliUser, createCliUser } from '../support/cli-user.ts';
import { startTestSandbox } from '../support/test-sandbox.ts';
import { listContract } from './contract.ts';

let user: CliUser;
beforeEach(async () => {
  user = await createCliUser();
  await user.run(['add', 'RB123456785GB@yanwen "Socks"', '1Z999AA10123456784@ups "hat"', 'LX123456789CN@4px "Lamp"']);
});
afterEach(() => user.remove());

const numbersOf = (text: string): readonly string[] =>
  v.parse(listContract, JSON.parse(text)).parcels.map(({ trackNo }) => trackNo);

it('sorts as the board does, in JSON too', async () => {
  const byLabel = ['1Z999AA10123456784', 'LX123456789CN', 'RB123456785GB'];
  expect(numbersOf((await user.run(['list', '--json', '--sort', 'label', '--columns', 'number'])).stdout)).toEqual(
    byLabel,
  );
  const byCourier = await user.run(['list', '--sort', 'Courier', '--columns', 'number']);
  expect(byCourier.stdout).toBe('NUMBER\nLX123456789CN\n1Z999AA10123456784\nRB123456785GB\n');
});

it('prints the chosen columns in the chosen order', async () => {
  await user.run(['edit', 'hat', '--tag', 'gift,new', '--order-no', 'A 17']);
  const { stdout } = await user.run(['list', '--filter', 'tag:gift', '--columns', 'label, TAGS,order-no']);
  expect(stdout).toBe('LABEL  TAGS       ORDER NO\nhat    gift, new  A 17\n');
});

it('reports an unclosed quote and a filter without matches', async () => {
  const unclosed = await user.run(['list', '--filter', '"unclosed']);
  expect(unclosed).toMatchObject({ exitCode: 2, stdout: '' });
  expect(unclosed.stderr).toContain('The quote in "unclosed is not closed.');
  const none = await user.run(['list', '--filter', 'umbrella']);
  expect(none).toEqual({ exitCode: 0, stdout: '', stderr: 'parcel-monitor: No parcel matches.\n' });
});

it('says how many archived parcels match if no others do', async () => {
  await user.run(['edit', 'hat', '--archive']);
  const { stderr, stdout } = await user.run(['list', '--filter', 'label:hat']);
  expect(stdout).toBe('');
  expect(stderr).toContain('No parcel matches, except 1 archived one. Add --all to list archived parcels.');
  await user.run(['edit', 'hat', '--restore']);
});

it('exits with 5 if no courier matches, and with 0 if there is nothing to export', async () => {
  const sandbox = await startTestSandbox();
  onTestFinished(() => sandbox.close());
  const environment = { PARCEL_MONITOR_BASE_URL: sandbox.baseUrl, PARCEL_MONITOR_API_KEY: sandbox.apiKey };
  const none = await user.run(['couriers', 'zzzz'], { environment });
  expect(none).toMatchObject({ exitCode: 5, stdout: '', stderr: 'parcel-monitor: No courier matches "zzzz".\n' });
  expect((await user.run(['couriers', 'zzzz', '--json'], { environment })).exitCode).toBe(5);
  expect((await user.run(['couriers', 'ups'], { environment })).exitCode).toBe(0);
  await user.run(['remove', 'hat', 'Socks', 'Lamp']);
  for (const format of ['json', 'csv', 'md', 'ics']) {
    const { exitCode, stderr } = await user.run(['export', '--format', format]);
    expect({ exitCode, stderr }).toEqual({
      exitCode: 0,
      stderr: expect.stringContaining('There are no active parcels'),
    });
  }
});

it.each([
  [['--sort', 'lable'], /Unknown order "lable"\. Use: .*Did you mean "?label/],
  [['--columns', 'number,curier'], /Unknown column "curier"\. Use: .*Did you mean "?courier/],
  [['--columns', ','], /Which columns/],
])('refuses %j and lists the valid names', async (options, message) => {
  const { exitCode, stderr, stdout } = await user.run(['list', ...options]);
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
  expect(stderr).toMatch(message);
});
