import type { GlobalOptions } from '../../settings/configuration.ts';
import { refuseMore, UsageError } from '../../settings/errors.ts';
import type { CommandContext } from '../../settings/session/context.ts';
import { inSession } from '../../settings/session/open-session.ts';
import type { ExitCode } from '../../system/exit.ts';

export type StoreAction = 'show' | 'copy';

export interface StoreOptions {
  readonly json?: boolean;
  readonly dryRun?: boolean;
}

const ownOptions: Readonly<Record<StoreAction, readonly (keyof StoreOptions)[]>> = {
  show: ['json'],
  copy: ['json', 'dryRun'],
};

const actions = Object.keys(ownOptions) as readonly StoreAction[];

/** Throws a {@link UsageError}. */
export async function runStore(
  context: CommandContext,
  globals: GlobalOptions,
  options: StoreOptions,
  [word, ...words]: readonly string[],
): Promise<ExitCode> {
  const action = actions.find((one) => one === word) ?? 'show';
  refuseOthers(action, options);
  const { dryRun = false, json = false } = options;
  refuseMore(`store ${action}`, words, action === 'copy' ? 1 : 0);
  switch (action) {
    case 'copy': {
      const [target] = words;
      if (target === undefined) {
        throw new UsageError({
          what: 'Where to?',
          advice: 'Write: parcel-monitor store copy postgres://user@host/database, or "file".',
        });
      }
      const { runStoreCopy } = await import('./copy.ts');
      return await inSession(context, globals, (session) => runStoreCopy(session, target, { dryRun, json }));
    }
    case 'show': {
      const { runStoreShow } = await import('./show-store.ts');
      return await inSession(context, globals, (session) => runStoreShow(session, { json }));
    }
  }
}

function refuseOthers(action: StoreAction, options: StoreOptions): void {
  const all = Object.values(ownOptions).flat();
  const foreign = all.find((name) => options[name] !== undefined && !ownOptions[action].includes(name));
  if (foreign === undefined) return;
  const owner = actions.find((one) => ownOptions[one].includes(foreign));
  throw new UsageError(
    `--${foreign === 'dryRun' ? 'dry-run' : foreign} belongs to "store ${owner}", not to "store ${action}".`,
  );
}
