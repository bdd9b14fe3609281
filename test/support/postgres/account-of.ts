import { type Account, type AccountWish, findAccount } from '../../../src/store/postgres/accounts.ts';
import type { Database } from '../../../src/store/postgres/database.ts';

/** The account that is meant, made where it is a new one. */
export async function accountOf(database: Database, wish: AccountWish): Promise<Account> {
  return (await findAccount(database, wish)).account;
}
