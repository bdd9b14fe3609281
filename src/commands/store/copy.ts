import { isDeepStrictEqual } from 'node:util';
import { printableText } from '../../lib/clean-text.ts';
import { UsageError } from '../../settings/errors.ts';
import { createSession } from '../../settings/session/open-session.ts';
import { openProgress } from '../../settings/session/progress.ts';
import {
  NotInitialisedError,
  printJson,
  printNote,
  printNotices,
  type Session,
  type Stores,
} from '../../settings/session/session.ts';
import { chooseStore, type StoreChoice } from '../../settings/store-choice.ts';
import {
  type CopyKind,
  type CopyProgress,
  type CopySource,
  type CopyTarget,
  copyKinds,
  copyWatchlist,
  digestOf,
} from '../../store/copy.ts';
import { createFileSource, createFileTarget } from '../../store/file/copy-side.ts';
import { type ExitCode, exitCode } from '../../system/exit.ts';
import type { StoreCopyJson } from '../published-schemas.ts';

interface CopyOptions {
  readonly dryRun: boolean;
  readonly json: boolean;
}

/**
 * Returns 130 after an interruption; the next run starts over. Throws a `StoreError`, or a {@link UsageError} if the
 * target is the source.
 */
export async function runStoreCopy(session: Session, to: string, options: CopyOptions): Promise<ExitCode> {
  const { configuration } = session;
  const target = targetOf(session, to);
  if (isSamePlace(configuration.store, target)) {
    throw new UsageError('The watchlist is already there. Choose a different target.');
  }
  using progress = await openProgress(session);
  const source = await session.stores();
  const from = await sourceOf(session, source);
  const targetSession = createSession({
    context: session.context,
    configuration: { ...configuration, store: target },
    paths: session.paths,
    style: session.style,
  });
  try {
    if (options.dryRun) {
      // A target that does not exist yet counts as empty.
      const existing = await targetSession.stores('read').catch((error: unknown) => {
        if (error instanceof NotInitialisedError) return null;
        throw error;
      });
      if (existing !== null) await (await copyTargetOf(session, existing)).check();
      const digests = await digestOf(from.pages);
      printNotices(session, from);
      return report(session, { from: from.place, to: placeOf(session, target), copied: digests }, options);
    }
    const { signal } = session.context;
    const stores = await targetSession.stores();
    const to = await copyTargetOf(session, stores);
    try {
      await to.check();
      // The measured clock, the pause and the usage belong to the account. They are copied before the watchlist is
      // complete, so that a budget is never spent twice.
      const pollingState = await source.memory.read();
      await stores.memory.update(() => pollingState);
      await stores.meter.countNoLess(await source.meter.days());
      const onProgress = (step: CopyProgress): void => progress.showText(progressText(step));
      const copied = await copyWatchlist(from, to, { signal, onProgress });
      progress.clear();
      printNotices(session, from);
      return report(session, { from: from.place, to: to.place, copied }, options);
    } catch (error) {
      if (!signal.aborted) throw error;
      progress.clear();
      printNote(session.context, 'Interrupted; nothing was copied. Run the command again to start over.');
      return exitCode.interrupted;
    }
  } finally {
    await targetSession.close();
  }
}

function targetOf({ configuration }: Session, to: string): StoreChoice {
  if (to.trim() === '') throw new UsageError('No target given. Use "file" or postgres://user@host/database.');
  return chooseStore({ ...configuration.storeSource, options: { store: to } });
}

function isSamePlace(source: StoreChoice, target: StoreChoice): boolean {
  if (source.kind === 'file' || target.kind === 'file') return source.kind === target.kind;
  const { database, host, port } = target.address;
  const { address } = source;
  return isDeepStrictEqual([address.database, address.host, address.port], [database, host, port]);
}

const placeOf = ({ paths }: Session, target: StoreChoice): string =>
  target.kind === 'file' ? paths.watchlist : target.address.place;

const fileOptions = ({ context, paths }: Session) => {
  const { clock, processes, random } = context;
  return { directory: paths.data, clock, random, processes };
};

async function sourceOf(session: Session, { database }: Stores): Promise<CopySource> {
  if (database === null) return createFileSource(fileOptions(session));
  const { createPostgresSource } = await import('../../store/postgres/copy-side.ts');
  return createPostgresSource(database.database, database.account);
}

async function copyTargetOf(session: Session, { database }: Stores): Promise<CopyTarget> {
  if (database === null) return createFileTarget(fileOptions(session));
  const { createPostgresTarget } = await import('../../store/postgres/copy-side.ts');
  return createPostgresTarget(database.database, database.account);
}

const names: Readonly<Record<CopyKind, readonly [one: string, several: string]>> = {
  parcels: ['parcel', 'parcels'],
  histories: ['history', 'histories'],
  trash: ['removed parcel', 'removed parcels'],
  changes: ['change', 'changes'],
};

/** Shows no total, because it is known only after all parcels have been read. */
const progressText = ({ done, isVerifying, kind }: CopyProgress): string =>
  `${isVerifying ? 'Comparing' : 'Copying'}: ${countText(kind, done)}`;

const countText = (kind: CopyKind, count: number): string => `${count} ${names[kind][count === 1 ? 0 : 1]}`;

function report(
  { context }: Session,
  { copied, from, to }: Pick<StoreCopyJson, 'copied' | 'from' | 'to'>,
  { dryRun, json }: CopyOptions,
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
