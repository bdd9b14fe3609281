import type { ExitCode } from '../../process/exit-code.ts';
import type { GlobalOptions } from '../configuration/configuration.ts';
import { type Action, actionNamed, actions } from '../program/actions.ts';
import type { CommandContext } from '../session/context.ts';
import { UsageError } from '../session/errors.ts';
import { inSession } from '../session/open-session.ts';
import type { GrantsOptions } from './grants.ts';

/** Options of `store`. */
export interface StoreOptions extends GrantsOptions {
  readonly json?: boolean;
  readonly dryRun?: boolean;
}

/** Says where the watchlist is, copies it elsewhere, or prints what a database's roles need. Rejects with a {@link UsageError}. */
export async function runStore(
  context: CommandContext,
  globals: GlobalOptions,
  { database, dryRun, json, owner, reader, user }: StoreOptions,
  [word = 'show', ...words]: readonly string[],
): Promise<ExitCode> {
  const action = actionNamed('store', word);
  const names = {
    ...(database === undefined ? {} : { database }),
    ...(owner === undefined ? {} : { owner }),
    ...(reader === undefined ? {} : { reader }),
    ...(user === undefined ? {} : { user }),
  };
  refuseOthers(action, { dryRun, json, ...names });
  const [target, ...more] = words;
  const unexpected = action === 'copy' ? more[0] : target;
  if (unexpected !== undefined) {
    throw new UsageError(`"store ${action}" does not take "${unexpected}". See "parcel-monitor store --help".`);
  }
  switch (action) {
    case 'grants': {
      const { runStoreGrants } = await import('./grants.ts');
      return runStoreGrants(context, names);
    }
    case 'copy': {
      if (target === undefined) {
        throw new UsageError('Where to? Write: parcel-monitor store copy postgres://user@host/database, or "file".');
      }
      const { runStoreCopy } = await import('./copy.ts');
      return await inSession(context, globals, (session) =>
        runStoreCopy(session, target, { dryRun: dryRun === true, json: json === true }),
      );
    }
    case 'mend': {
      const { runStoreMend } = await import('./mend.ts');
      return await inSession(context, globals, (session) => runStoreMend(session));
    }
    case 'show': {
      const { runStoreShow } = await import('./show-store.ts');
      return await inSession(context, globals, (session) => runStoreShow(session, { json: json === true }));
    }
  }
}

/** The options by the action that they belong to; `--json` belongs to several. */
const ownOptions: Readonly<Record<Action<'store'>, readonly string[]>> = {
  show: ['json'],
  grants: ['owner', 'user', 'reader', 'database'],
  copy: ['json', 'dryRun'],
  mend: [],
};

function refuseOthers(action: Action<'store'>, options: object): void {
  const given = Object.entries(options).flatMap(([name, value]) => (value === undefined ? [] : [name]));
  const foreign = given.find((name) => !ownOptions[action].includes(name));
  if (foreign === undefined) return;
  const owner = actions.store.find((one) => ownOptions[one].includes(foreign));
  throw new UsageError(
    `--${foreign === 'dryRun' ? 'dry-run' : foreign} belongs to "store ${owner}", not to "store ${action}".`,
  );
}
