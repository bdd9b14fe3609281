import { beforeAll } from 'vitest';
import { createPostgresRecovery } from '../../../src/watchlist/postgres/postgres-recovery.ts';
import { createPostgresStore } from '../../../src/watchlist/postgres/postgres-store.ts';
import { createTestDatabase } from '../../support/postgres/test-server.ts';
import { realClock } from '../../support/real-clock.ts';
import { describeStoreContract } from '../store/store-contract.ts';
import { makeTables, newAccount, openDatabase } from './test-database.ts';

let address = '';
beforeAll(async () => {
  ({ address } = await createTestDatabase());
  await makeTables(address);
});

describeStoreContract('in a database', {
  isShared: true,
  async begin() {
    const database = openDatabase(address);
    const account = await newAccount(database);
    const open = () => createPostgresStore({ database: openDatabase(address), account });
    return {
      open,
      recovery: () => createPostgresRecovery({ database, account, store: open(), clock: realClock }),
    };
  },
});
