import { expect, it, onTestFinished } from 'vitest';
import { type CliUser, createCliUser } from '../../support/cli-user.ts';
import { type CuttingProxy, type ProxiedStatement, startCuttingProxy } from '../../support/postgres/cutting-proxy.ts';
import { createTestDatabase } from '../../support/postgres/test-server.ts';

/** Creates a user with parcels, and an empty database behind a proxy that can cut the connection. */
async function prepareCopy(): Promise<{ user: CliUser; proxy: CuttingProxy; address: string }> {
  const user = await createCliUser();
  onTestFinished(() => user.remove());
  const added = await user.run(['add', 'RB100000005CN', 'LX123456789CN', '1Z999AA10123456784']);
  expect(added.exitCode).toBe(0);
  expect((await user.run(['remove', 'LX123456789CN'])).exitCode).toBe(0);
  const { address } = await createTestDatabase();
  const proxy = await startCuttingProxy(address);
  onTestFinished(() => proxy.close());
  return { user, proxy, address: proxy.through(address) };
}

/** Matches the statements that write a table. The parcels are written first, and the lines of the change log last. */
const writesTo =
  (table: string) =>
  ({ text }: ProxiedStatement): boolean =>
    text.startsWith(`insert into parcel_monitor.${table} `);

/** Copies again and expects a complete copy. */
async function expectCompleteCopy(user: CliUser, address: string): Promise<void> {
  const { exitCode, stderr, stdout } = await user.run(['store', 'copy', address]);
  expect({ exitCode, stderr, stdout }).toMatchObject({
    exitCode: 0,
    stdout: expect.stringMatching(/^2 parcels, 0 histories, 1 removed parcel, 4 changes.*no differences\n$/s),
  });
  const list = await user.run(['list', '--json', '--store', address]);
  const numbers = (JSON.parse(list.stdout) as { parcels: { trackNo: string }[] }).parcels.map(({ trackNo }) => trackNo);
  expect(numbers.sort()).toEqual(['1Z999AA10123456784', 'RB100000005CN']);
}

it.each([
  ['before' as const, 'parcel'],
  ['after' as const, 'parcel'],
  ['before' as const, 'change'],
  ['after' as const, 'change'],
])(
  'a copy reports a connection that breaks %s the server writes the %s rows, and a second copy is complete',
  async (fate, table) => {
    const { address, proxy, user } = await prepareCopy();
    proxy.decide((statement) => (writesTo(table)(statement) ? fate : 'pass'));
    const { exitCode, stderr } = await user.run(['store', 'copy', address]);
    expect({ exitCode, stderr }).toEqual({ exitCode: 1, stderr: expect.stringContaining('cannot be reached') });
    expect(stderr).not.toContain('bug');
    proxy.decide(() => 'pass');
    await expectCompleteCopy(user, address);
  },
);
