import { dirname } from 'node:path';
import { once } from '../../lib/async.ts';
import type { Parcel } from '../../parcels/parcel.ts';
import type { GatedService } from '../../polling/account.ts';
import type { CallOrigin } from '../../polling/gate/call-rules.ts';
import { fetchApiKey } from '../api-key.ts';
import { isBoardSetting } from '../check-settings.ts';
import { configFileContentOrEmpty, ignoredFolders, programPaths, readConfigFile } from '../config-file.ts';
import { type Configuration, type GlobalOptions, resolveConfiguration } from '../configuration.ts';
import { InputError, UsageError } from '../errors.ts';
import { resolvedSetting } from '../setting-values.ts';
import { isFileStore } from '../store-address.ts';
import type { CommandContext } from './context.ts';
import { printNote, printNotices, styleOf } from './output.ts';
import type { FindCachedKey, OpenedSession, Session, Stores } from './session.ts';

/** The parts of a session. A session that takes over another's stores does not close them. */
type SessionParts = Pick<Session, 'context' | 'configuration' | 'paths' | 'style'> & Partial<Pick<Session, 'stores'>>;

/**
 * @param origin the origin of requests that are neither registrations nor queries
 * @param knownKey the key, if it was fetched already
 */
export function createSession(
  parts: SessionParts,
  origin: CallOrigin = 'command',
  knownKey: string | null = null,
): Session {
  let service: Promise<GatedService | null> | null = null;
  let stores: Promise<Stores> | null = null;
  const session: Session = {
    ...parts,
    apiKey: once(async () => knownKey ?? (await fetchApiKey(parts.configuration.apiKey, parts.context.runProgram))),
    service() {
      service ??= import('./service.ts').then(({ createService }) => createService(session, origin));
      return service;
    },
    stores(purpose = 'write') {
      if (parts.stores !== undefined) return parts.stores(purpose);
      // Try again next time, when the database may exist or be reachable.
      stores ??= import('./open-stores.ts')
        .then(({ openStores }) => openStores(session, purpose))
        .catch((error: unknown) => {
          stores = null;
          throw error;
        });
      return stores;
    },
    async close() {
      // The first caller reports the error.
      const [openService, openedStores] = await Promise.all([service?.catch(() => null), stores?.catch(() => null)]);
      await openService?.close();
      if (openedStores != null) printNotices(session, openedStores.store);
      await openedStores?.close();
    },
    [Symbol.asyncDispose]: () => session.close(),
  };
  return session;
}

/**
 * Opens a session for a command and closes it afterwards. Prints warnings about the configuration on standard error,
 * except for board settings, which only the board reports. Rejects like {@link readSession} and with the command's
 * errors.
 */
export async function inSession<Result>(
  context: CommandContext,
  options: GlobalOptions,
  run: (session: OpenedSession) => Promise<Result>,
  origin?: CallOrigin,
): Promise<Result> {
  await using session = await readSession(context, options, origin);
  const settingWarnings = session.settingWarnings
    .filter(({ name }) => !isBoardSetting(name))
    .map(({ sentence }) => sentence);
  for (const warning of [...session.warnings, ...settingWarnings]) printNote(context, warning);
  return await run(session);
}

/** Rethrows an error. Adds the file, and the command that fixes it, to an error about a setting. */
async function throwWithFix({ context, options, paths }: SettingsPlaces, error: unknown): Promise<never> {
  const path = paths.config;
  const isSettingError = error instanceof UsageError && !(error instanceof InputError) && !error.message.includes(path);
  if (!isSettingError) throw error;
  const { fixForConfiguration } = await import('../doctor/fix-hints.ts');
  const command = await fixForConfiguration(context, options, path);
  if (!command.startsWith('parcel-monitor config')) throw error;
  throw new UsageError(`${error.message} It is set in ${path}. To fix it, run "${command}".`, { cause: error });
}

export interface SettingsPlaces extends Pick<Session, 'context' | 'paths'> {
  readonly options: GlobalOptions;
}

/**
 * Reads and resolves the configuration. Rejects with a `UsageError`.
 * @param isRequired whether the file must exist
 */
export async function readConfiguration(
  { context, options, paths }: SettingsPlaces,
  isRequired = options.config !== undefined,
): Promise<Awaited<ReturnType<typeof readConfigFile>> & { readonly configuration: Configuration }> {
  const reading = await readConfigFile(paths.config, isRequired, context.userId);
  const { foreignWriter, settings: file } = reading;
  const configuration = resolveConfiguration({
    environment: context.environment,
    systemZone: () => context.systemZone(),
    options,
    file,
    folder: dirname(paths.config),
    foreignWriter,
  });
  return { ...reading, configuration };
}

/** Reads the configuration for a command. Rejects with a `UsageError` if it cannot be used. */
export async function readSession(
  context: CommandContext,
  options: GlobalOptions,
  origin?: CallOrigin,
  findCachedKey?: FindCachedKey,
): Promise<OpenedSession> {
  const paths = programPaths(context, options);
  const places = { context, options, paths };
  const reading = await readConfiguration(places).catch((error: unknown) => throwWithFix(places, error));
  const { configuration, trustIssues, settings, warnings } = reading;
  const trustWarnings = trustIssues.map(({ found, advice }) => `${found} ${advice}`);
  const parts = { context, configuration, paths, style: styleOf(context, options) };
  const session = Object.assign(createSession(parts, origin, findCachedKey?.(configuration.apiKey)), {
    options,
    settings,
    warnings: [...ignoredFolders(context), ...trustWarnings, ...configuration.warnings.map(({ sentence }) => sentence)],
    settingWarnings: warnings,
    reload: (known?: FindCachedKey) => readSession(context, options, origin, known),
    take: (changed: Pick<OpenedSession, 'configuration' | 'settings'>) => {
      Object.assign(session, { configuration: changed.configuration, settings: changed.settings });
    },
  });
  return session;
}

/**
 * Reads the parcels for a status line or a completion. Takes no lock, repairs nothing and prints nothing. Files are
 * read even if the configuration is invalid. Rejects with a `StoreError` or a `UsageError`.
 */
export async function peek<Result>(
  context: CommandContext,
  globals: GlobalOptions,
  read: (stores: Stores, parcels: readonly Parcel[]) => Promise<Result>,
): Promise<Result> {
  const paths = programPaths(context, globals);
  const file = await configFileContentOrEmpty(paths.config);
  const { value: place } = resolvedSetting(['store'], { options: globals, environment: context.environment, file });
  if (typeof place === 'string' && !isFileStore(place)) {
    const quiet = { ...context, stderr: { ...context.stderr, write: () => undefined } };
    return await inSession(quiet, globals, async (session) => {
      const stores = await session.stores('read');
      return await read(stores, (await stores.store.read()).parcels);
    });
  }
  const [{ openFileStores }, { parcelsInFile }] = await Promise.all([
    import('./open-stores.ts'),
    import('../../store/file/formats.ts'),
  ]);
  return await read(openFileStores({ context, paths }), await parcelsInFile(paths.watchlist));
}
