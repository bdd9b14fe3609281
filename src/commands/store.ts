import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { clockText } from '../board/time.ts';
import { cleanText, printableText } from '../lib/clean-text.ts';
import type { EpochMs } from '../lib/clock.ts';
import type { GlobalOptions } from '../settings/configuration.ts';
import { assertNoMoreArguments, MissingArgumentError, UsageError } from '../settings/errors.ts';
import type { CommandContext } from '../settings/session/context.ts';
import { createSession, inSession } from '../settings/session/open-session.ts';
import { printJson, printNote, printNotices } from '../settings/session/output.ts';
import { NotInitialisedError, type Session, type Stores, zoneOf } from '../settings/session/session.ts';
import { chooseStore, type StoreChoice } from '../settings/store-choice.ts';
import {
  type CopyKind,
  type CopyProgress,
  type CopySource,
  type CopyTarget,
  copyKinds,
  copyWatchlist,
  digestItems,
} from '../store/copy.ts';
import { createFileSource, createFileTarget } from '../store/file/copy-side.ts';
import { type ExitCode, exitCode } from '../system/exit.ts';
import type { StoreCopyJson, StoreJson } from './published-schemas.ts';
import { openProgress } from './results.ts';

export type StoreAction = 'show' | 'copy';

interface StoreOptions {
  readonly json?: boolean;
  readonly dryRun?: boolean;
}

export async function runStore(
  context: CommandContext,
  globals: GlobalOptions,
  { dryRun = false, json = false }: StoreOptions,
  [action, ...words]: readonly string[],
): Promise<ExitCode> {
  if (action !== 'copy') {
    if (dryRun) throw new UsageError('--dry-run works with "store copy", not with "store show".');
    assertNoMoreArguments('store show', words, 0);
    return await inSession(context, globals, (session) => showStore(session, json));
  }
  assertNoMoreArguments('store copy', words, 1);
  const [target] = words;
  if (target === undefined) {
    const advice = 'Use "file" or postgres://user@host/database.';
    throw new MissingArgumentError({ what: 'No target given.', advice });
  }
  return await inSession(context, globals, (session) => runStoreCopy(session, target, { dryRun, json }));
}

const units = ['bytes', 'kB', 'MB', 'GB', 'TB'];

function sizeText(bytes: number): string {
  let [size, unit] = [bytes, 0];
  while (size >= 1000 && unit < units.length - 1) [size, unit] = [size / 1000, unit + 1];
  const rounded = unit === 0 || size >= 10 ? Math.round(size) : Math.round(size * 10) / 10;
  return `${rounded} ${units[unit]}`;
}

/** Creates or updates the database tables if the role is allowed to. Throws a `StoreError`. */
async function showStore(session: Session, json: boolean): Promise<ExitCode> {
  const { context } = session;
  const stores = await session.stores();
  const report =
    stores.database === null ? await reportFiles(session, stores) : await reportDatabase(stores, stores.database);
  if (json) printJson(context, report);
  else context.stdout.write(reportText(session, report, stores.clock.now()));
  return exitCode.done;
}

async function reportFiles({ paths }: Session, { recovery, store }: Stores): Promise<StoreJson> {
  const [{ parcels }, removed, changes] = await Promise.all([
    store.read(),
    recovery.trashed(),
    store.changeLogAfter(0),
  ]);
  return {
    version: 1,
    kind: 'file',
    place: paths.watchlist,
    account: null,
    service: null,
    parcels: parcels.length,
    removed: removed.length,
    changes: changes.length,
    bytes: await folderSize(paths.data),
    readOnly: null,
    server: null,
    schemaVersion: null,
    isReplica: null,
    lagSeconds: null,
    clockAheadSeconds: null,
    checkedBy: null,
    clients: [],
  };
}

async function reportDatabase(
  { presence, store }: Stores,
  { account, database }: NonNullable<Stores['database']>,
): Promise<StoreJson> {
  const [{ reportAccount, reportServer, schemaState }, { listClients }] = await Promise.all([
    import('../store/postgres/administration.ts'),
    import('../store/postgres/shared-state.ts'),
  ]);
  const server = await reportServer(database);
  const counts = await reportAccount(database, account);
  const { version } = await schemaState(database);
  const clients = await listClients({ accountId: account.id, database });
  // This also announces the process as a client, so it leaves again.
  const checkedBy = await presence?.heartbeat();
  await presence?.leave();
  return {
    version: 1,
    kind: 'database',
    place: database.place,
    account: account.name,
    service: account.service,
    ...counts,
    bytes: server.bytes,
    readOnly: store.readOnly ?? null,
    server: server.version,
    schemaVersion: version,
    isReplica: server.isReplica,
    lagSeconds: server.lagSeconds === null ? null : Math.round(server.lagSeconds * 1000) / 1000,
    clockAheadSeconds: Math.round(database.clockOffsetMs()) / 1000,
    checkedBy: checkedBy?.checkedBy?.host ?? null,
    clients: clients.map(({ connectedAt, seenAt, ...client }) => ({
      ...client,
      connectedAt: new Date(connectedAt).toISOString(),
      seenAt: new Date(seenAt).toISOString(),
    })),
  };
}

/** Returns the size in bytes. Unreadable files are skipped. */
async function folderSize(folder: string): Promise<number> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true }).catch(() => []);
  let bytes = 0;
  for (const entry of entries) {
    if (entry.isFile()) bytes += (await stat(join(entry.parentPath, entry.name)).catch(() => null))?.size ?? 0;
  }
  return bytes;
}

function reportText(session: Session, report: StoreJson, now: EpochMs): string {
  const zone = zoneOf(session);
  const { account, bytes, checkedBy, clients, clockAheadSeconds, kind, lagSeconds, readOnly, schemaVersion, server } =
    report;
  const lines: readonly (readonly [string, string] | null)[] = [
    ['store', report.place],
    account === null
      ? null
      : ['account', cleanText(`${account}${report.service === '' ? '' : ` (${report.service})`}`)],
    ['parcels', `${report.parcels}, and ${report.removed} in the trash`],
    ['change log', `${report.changes} ${report.changes === 1 ? 'line' : 'lines'}`],
    bytes === null ? null : ['size', `${sizeText(bytes)}${kind === 'database' ? ' (all accounts)' : ''}`],
    server === null ? null : ['server', cleanText(server)],
    schemaVersion === null ? null : ['tables', `version ${schemaVersion}`],
    report.isReplica === true ? ['replica', lagSeconds === null ? 'yes' : `${lagSeconds} s behind`] : null,
    clockAheadSeconds === null || Math.abs(clockAheadSeconds) <= 2
      ? null
      : ['clock', `${Math.abs(clockAheadSeconds)} s ${clockAheadSeconds > 0 ? 'ahead of' : 'behind'} this machine`],
    readOnly === null ? null : ['read only', readOnly],
    kind === 'file' ? null : ['checked by', checkedBy ?? 'no one right now'],
    ...clients.map(
      ({ connectedAt, host, kind: program, version }) =>
        [
          'connected',
          `${host}, ${program} ${version}, since ${clockText(Date.parse(connectedAt), now, zone)}`,
        ] as const,
    ),
  ];
  return lines
    .flatMap((line) => (line === null ? [] : [`${line[0].padEnd(10)}  ${printableText(line[1])}\n`]))
    .join('');
}

/**
 * Returns 130 after an interruption; the next run starts over. Throws a `StoreError`, or a {@link UsageError} if the
 * target is the source.
 */
async function runStoreCopy(session: Session, to: string, options: Required<StoreOptions>): Promise<ExitCode> {
  const { configuration } = session;
  if (to.trim() === '') throw new UsageError('No target given. Use "file" or postgres://user@host/database.');
  const target = chooseStore({ ...configuration.storeSource, options: { store: to } });
  if (isSamePlace(configuration.store, target)) {
    throw new UsageError('The watchlist is already there. Choose a different target.');
  }
  using progress = await openProgress(session);
  const source = await session.stores();
  const copySource = await openCopySource(session, source);
  const { context, paths, style } = session;
  const targetSession = createSession({ context, configuration: { ...configuration, store: target }, paths, style });
  try {
    if (options.dryRun) {
      // A target that does not exist yet counts as empty.
      const existing = await targetSession.stores('read').catch((error: unknown) => {
        if (error instanceof NotInitialisedError) return null;
        throw error;
      });
      if (existing !== null) await (await openCopyTarget(session, existing)).check();
      const digests = await digestItems(copySource.pages);
      printNotices(session, copySource);
      const place = target.kind === 'file' ? paths.watchlist : target.address.place;
      return reportCopy(session, { from: copySource.place, to: place, copied: digests }, options);
    }
    const { signal } = context;
    const stores = await targetSession.stores();
    const copyTarget = await openCopyTarget(session, stores);
    try {
      await copyTarget.check();
      // The measured clock, the pause and the usage belong to the account. They are copied before the watchlist is
      // complete, so that a budget is never spent twice.
      const pollingState = await source.memory.read();
      await stores.memory.update(() => pollingState);
      await stores.meter.raiseTo(await source.meter.days());
      const onProgress = (step: CopyProgress): void => progress.showText(progressText(step));
      const copied = await copyWatchlist(copySource, copyTarget, { signal, onProgress });
      progress.clear();
      printNotices(session, copySource);
      return reportCopy(session, { from: copySource.place, to: copyTarget.place, copied }, options);
    } catch (error) {
      if (!signal.aborted) throw error;
      progress.clear();
      printNote(context, 'Interrupted; nothing was copied. Run the command again to start over.');
      return exitCode.interrupted;
    }
  } finally {
    await targetSession.close();
  }
}

function isSamePlace(source: StoreChoice, target: StoreChoice): boolean {
  if (source.kind === 'file' || target.kind === 'file') return source.kind === target.kind;
  const { database, host, port } = target.address;
  const { address } = source;
  return isDeepStrictEqual([address.database, address.host, address.port], [database, host, port]);
}

const fileOptions = ({ context: { clock, processes, random }, paths }: Session) => ({
  directory: paths.data,
  clock,
  processes,
  random,
});

async function openCopySource(session: Session, { database }: Stores): Promise<CopySource> {
  if (database === null) return createFileSource(fileOptions(session));
  const { createPostgresSource } = await import('../store/postgres/copy-side.ts');
  return createPostgresSource(database.database, database.account);
}

async function openCopyTarget(session: Session, { database }: Stores): Promise<CopyTarget> {
  if (database === null) return createFileTarget(fileOptions(session));
  const { createPostgresTarget } = await import('../store/postgres/copy-side.ts');
  return createPostgresTarget(database.database, database.account);
}

const kindNames: Readonly<Record<CopyKind, readonly [one: string, several: string]>> = {
  parcels: ['parcel', 'parcels'],
  histories: ['history', 'histories'],
  trash: ['removed parcel', 'removed parcels'],
  changes: ['change', 'changes'],
};

/** Shows no total, because it is not known until all parcels have been read. */
const progressText = ({ done, isVerifying, kind }: CopyProgress): string =>
  `${isVerifying ? 'Comparing' : 'Copying'}: ${countText(kind, done)}`;

const countText = (kind: CopyKind, count: number): string => `${count} ${kindNames[kind][count === 1 ? 0 : 1]}`;

function reportCopy(
  { context }: Session,
  { copied, from, to }: Pick<StoreCopyJson, 'copied' | 'from' | 'to'>,
  { dryRun, json }: Required<StoreOptions>,
): ExitCode {
  const counts = copyKinds.map((kind) => countText(kind, copied[kind].count));
  const sentence = dryRun
    ? `would be copied from ${from} to ${to}`
    : `copied from ${from} to ${to} and compared: no differences`;
  if (json) printJson<StoreCopyJson>(context, { version: 1, from, to, isDryRun: dryRun, copied });
  else context.stdout.write(`${counts.join(', ')}\n${printableText(sentence)}\n`);
  if (!dryRun)
    printNote(context, 'Your settings are unchanged. To use the copy, run "parcel-monitor config set store".');
  return exitCode.done;
}
