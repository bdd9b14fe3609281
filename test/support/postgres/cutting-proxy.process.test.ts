import { Client } from 'pg';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { type CuttingProxy, startCuttingProxy } from './cutting-proxy.ts';
import { createTestDatabase, type TestDatabase } from './test-server.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  await database.query('create table note (number int primary key)');
});

async function proxied(): Promise<{ proxy: CuttingProxy; open: () => Promise<Client> }> {
  await database.query('delete from note');
  const proxy = await startCuttingProxy(database.address);
  onTestFinished(() => proxy.close());
  const open = async (): Promise<Client> => {
    const client = new Client(proxy.through(database.address));
    client.on('error', () => {});
    await client.connect();
    onTestFinished(() => client.end().catch(() => {}));
    return client;
  };
  return { proxy, open };
}

const numbers = async (): Promise<readonly number[]> =>
  (await database.query<{ number: number }>('select number from note order by number')).map(({ number }) => number);

test.each([
  ['before', []],
  ['after', [7]],
] as const)('cutting the connection %s a statement leaves %j', async (fate, expected) => {
  const { proxy, open } = await proxied();
  const client = await open();
  proxy.decide(({ number }) => (number === 2 ? fate : 'pass'));
  await client.query('select 1');
  await expect(client.query('insert into note values ($1)', [7])).rejects.toThrow(/terminated/);
  expect(await numbers()).toEqual(expected);
  const next = await open();
  await next.query('select 1');
});

test('a silenced connection neither responds nor closes', async () => {
  const { proxy, open } = await proxied();
  const client = await open();
  proxy.decide(() => 'silence');
  let outcome = 'pending';
  const insertion = client.query('insert into note values (1)').then(
    () => {
      outcome = 'resolved';
    },
    () => {
      outcome = 'rejected';
    },
  );
  await expect.poll(() => proxy.statements.length).toBe(1);
  expect(await numbers()).toEqual([]);
  expect(outcome).toBe('pending');
  proxy.cut();
  await insertion;
  expect(outcome).toBe('rejected');
});
