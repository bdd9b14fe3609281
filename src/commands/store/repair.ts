import { join } from 'node:path';
import { asStoreErrors, StoreError } from '../../lib/store-errors.ts';
import { numbersName, rowName } from '../../settings/row-name.ts';
import { type Session, say } from '../../settings/session/session.ts';
import { writeFileAtomically } from '../../store/file/atomic-write.ts';
import type { UnusableRow } from '../../store/postgres/unusable-rows.ts';
import { type ExitCode, exitCode } from '../../system/exit.ts';

/**
 * Moves rows of a database aside that cannot be used, as damaged files are: into a file beside the watchlist's own, first, so that
 * none is lost. Numbers that stop whoever writes are made anew. Who follows the watchlist learns of it. Files mend themselves when they are read. Rejects with a `StoreError`.
 */
export async function runStoreMend(session: Session): Promise<ExitCode> {
  const { context, paths } = session;
  const { clock, database: opened } = await session.stores();
  if (opened === null) {
    say(
      context,
      'A damaged file is moved aside when it is read; there is nothing to do. "parcel-monitor doctor" names those.',
    );
    return exitCode.done;
  }
  const { account, database } = opened;
  const { takeOut, unusableRows } = await import('../../store/postgres/unusable-rows.ts');
  const { renumber, spoiltNumbers } = await import('../../store/postgres/account-row.ts');
  const numbers = await spoiltNumbers(database, account);
  if (numbers.length > 0) {
    await renumber(database, account);
    for (const one of numbers) context.stdout.write(`${numbersName(one)}  numbers made anew\n`);
  }
  const found: UnusableRow[] = [];
  for await (const page of unusableRows(database, account)) found.push(...page);
  if (found.length === 0) {
    say(context, numbers.length > 0 ? 'Nothing had to be moved aside.' : 'All rows can be used; nothing was changed.');
    return exitCode.done;
  }
  if (database.readOnly !== null) throw new StoreError('read-only', database.readOnly, database.place);
  const time = new Date(clock.now()).toISOString().replace(/[-:]|\.\d+/g, '');
  const path = join(paths.data, `database-rows.damaged-${time}.json`);
  await asStoreErrors(path, async () => {
    await writeFileAtomically(path, `${JSON.stringify(found, null, 2)}\n`, context.random);
  });
  const taken = await takeOut(database, account, found);
  for (const row of found) context.stdout.write(`${rowName(row)}  moved aside\n`);
  const left = found.length - taken;
  say(
    context,
    `Moved aside as ${path}. Take out by hand what you need, then delete it.${left === 0 ? '' : ` ${left} of them have been changed meanwhile, and are there still.`}`,
  );
  return exitCode.done;
}
