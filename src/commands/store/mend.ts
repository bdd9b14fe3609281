import { join } from 'node:path';
import { type ExitCode, exitCode } from '../../process/exit-code.ts';
import { asStoreErrors } from '../../watchlist/errors.ts';
import { writeFileAtomically } from '../../watchlist/files/atomic-write.ts';
import type { UnusableRow } from '../../watchlist/postgres/unusable-rows.ts';
import { type Session, say } from '../session/session.ts';

const names: Readonly<Record<UnusableRow['table'], string>> = {
  parcel: 'parcel',
  removed: 'parcel in the trash',
  history: 'history',
};

/**
 * Moves rows of a database aside that cannot be used, as damaged files are: into a file beside the watchlist's own, first, so that
 * none is lost. Files mend themselves when they are read. Rejects with a `StoreError`.
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
  const { takeOut, unusableRows } = await import('../../watchlist/postgres/unusable-rows.ts');
  const found: UnusableRow[] = [];
  for await (const page of unusableRows(database, account)) found.push(...page);
  if (found.length === 0) {
    say(context, 'All rows can be used; nothing was changed.');
    return exitCode.done;
  }
  const time = new Date(clock.now()).toISOString().replace(/[-:]|\.\d+/g, '');
  const path = join(paths.data, `database-rows.damaged-${time}.json`);
  await asStoreErrors(path, async () => {
    await writeFileAtomically(path, `${JSON.stringify(found, null, 2)}\n`, context.random);
  });
  const taken = await takeOut(database, account, found);
  for (const { id, table } of found)
    context.stdout.write(`${names[table]} ${JSON.stringify(id).slice(1, -1)}  moved aside\n`);
  const left = found.length - taken;
  say(
    context,
    `Moved aside as ${path}. Take out by hand what you need, then delete it.${left === 0 ? '' : ` ${left} of them have been changed meanwhile, and are there still.`}`,
  );
  return exitCode.done;
}
