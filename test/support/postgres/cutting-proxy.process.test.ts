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
] as const)('a connection that is cut %s a statement leaves %j', async (fate, left) => {
  const { proxy, open } = await proxied();
  const client = await open();
  proxy.decide(({ number }) => (number === 2 ? fate : 'pass'));
  await client.query('select 1');
  await expect(client.query('insert into note values ($1)', [7])).rejects.toThrow(/terminated/);
  expect(await numbers()).toEqual(left);
  const next = await open();
  await next.query('select 1');
});

test('a connection that falls silent neither answers nor ends', async () => {
  const { proxy, open } = await proxied();
  const client = await open();
  proxy.decide(() => 'silence');
  let outcome = 'none';
  const asked = client.query('insert into note values (1)').then(
    () => {
      outcome = 'answered';
    },
    () => {
      outcome = 'ended';
    },
  );
  await expect.poll(() => proxy.statements.length).toBe(1);
  expect(await numbers()).toEqual([]);
  expect(outcome).toBe('none');
  proxy.cut();
  await asked;
  expect(outcome).toBe('ended');
});
