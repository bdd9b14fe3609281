import { beforeAll, it } from 'vitest';
import type { Database } from '../../../src/store/postgres/database.ts';
import { createPostgresRecovery, createPostgresStore } from '../../../src/store/postgres/postgres-store.ts';
import { createTestDatabase } from '../../support/postgres/test-server.ts';
import { realClock } from '../../support/real-clock.ts';
import { describeStoreContract, type StoreKind } from '../store-contract.ts';
import { expectLikeMemory } from '../store-model.ts';
import { makeTables, newAccount, openDatabase } from './test-database.ts';

let address = '';
beforeAll(async () => {
  ({ address } = await createTestDatabase());
  await makeTables(address);
});

/** Each opened store gets the next of these connections. */
const storeKind = (connect: () => Database): StoreKind => ({
  isShared: true,
  async create() {
    const database = connect();
    const account = await newAccount(database);
    const open = () => createPostgresStore({ database: connect(), account });
    return {
      open,
      recovery: () => createPostgresRecovery({ database, account, store: open(), clock: realClock }),
    };
  },
});

describeStoreContract(
  'in a database',
  storeKind(() => openDatabase(address)),
);

it('behaves like the memory store for any actions by two clients', async () => {
  const connections = [openDatabase(address), openDatabase(address), openDatabase(address)];
  let opened = 0;
  const next = (): Database => connections[opened++ % connections.length] ?? openDatabase(address);
  await expectLikeMemory(storeKind(next), 10);
});
