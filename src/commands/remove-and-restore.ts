import { printableText } from '../lib/clean-text.ts';
import { counted } from '../lib/text.ts';
import { identityKey } from '../parcels/identity.ts';
import type { Parcel } from '../parcels/parcel.ts';
import { deleteAtService } from '../polling/account.ts';
import { type AccountService, ServiceError } from '../service/port.ts';
import { describeFailure, UsageError } from '../settings/errors.ts';
import { askYesNo, canAsk } from '../settings/session/context.ts';
import { openCore } from '../settings/session/core.ts';
import { damagedWatchlist } from '../settings/session/open-stores.ts';
import { printJson, printNote } from '../settings/session/output.ts';
import { openService } from '../settings/session/service.ts';
import type { Session } from '../settings/session/session.ts';
import type { BackupInfo, Recovery } from '../store/recovery.ts';
import { splitIntoBatches } from '../store/store.ts';
import { type TrashedParcel, trashKeptMs } from '../store/trash.ts';
import { type ExitCode, exitCode, worseExit } from '../system/exit.ts';
import { type JsonOption, Results } from './results.ts';
import {
  assertNotBlank,
  chooseParcels,
  type FilterOptions,
  findOneParcel,
  parseParcelNames,
  requireTargets,
} from './select-parcels.ts';

interface RemoveOptions extends FilterOptions, JsonOption {
  readonly courier?: string;
  readonly remote?: boolean;
  readonly all?: boolean;
}

export async function runRemove(
  session: Session,
  options: RemoveOptions,
  numbers: readonly string[],
): Promise<ExitCode> {
  const { courier = null, filter } = options;
  const results = new Results(session, options);
  assertNotBlank(numbers);
  // Without --remote, numbers are removed without a question, so --yes is refused.
  requireTargets(numbers, options.remote === true ? { ...options, yes: false } : options);
  const service = options.remote === true ? await openService(session) : null;
  await using core = await openCore(session, service, {
    named: filter === undefined ? parseParcelNames(numbers, courier) : null,
  });
  const chosen = await chooseParcels(session, core, results, {
    numbers,
    options,
    action: 'Remove',
    find: (parcels, number) => [findOneParcel(parcels, number, courier)],
    matching: { all: options.all },
  });
  const found = chosen?.parcels ?? [];
  const isConfirmed = service === null || filter !== undefined || (await confirmRemoteRemoval(session, found, options));
  if (chosen === null || !isConfirmed) {
    results.end(core);
    return exitCode.done;
  }
  const namedExit = chosen.areAllFound ? exitCode.done : exitCode.rejected;
  const removeParcel = async (parcel: Parcel, outcome: string): Promise<void> => {
    await core.monitor.remove(parcel.id);
    results.add(parcel, 'removed', outcome);
  };
  if (service === null) for (const parcel of found) await removeParcel(parcel, 'removed');
  const remoteExit =
    service === null ? exitCode.done : await removeRemotely(session, service, found, removeParcel, results);
  results.end(core);
  return worseExit(namedExit, remoteExit);
}

/** Asks first, because a deletion at the service cannot be undone and a new registration costs credit. */
async function confirmRemoteRemoval(
  { context }: Session,
  found: readonly Parcel[],
  { yes }: Pick<RemoveOptions, 'yes'>,
): Promise<boolean> {
  if (yes === true || found.length === 0 || !canAsk(context)) return true;
  const what = found.length === 1 ? `${found[0]?.trackNo}` : `${found.length} parcels`;
  return await askYesNo(context, `Also delete ${what} at the service?`);
}

/** Removes a parcel from the list only after the service has deleted it. Stops at the first failed request. */
async function removeRemotely(
  session: Session,
  service: Pick<AccountService, 'delete'>,
  parcels: readonly Parcel[],
  removeParcel: (parcel: Parcel, outcome: string) => Promise<void>,
  results: Results,
): Promise<ExitCode> {
  const { context, configuration } = session;
  let remaining = parcels;
  let isRefused = false;
  try {
    for (const batch of splitIntoBatches(parcels, configuration.operations.delete.batchLimit)) {
      const deletions = await deleteAtService(service, batch, context.signal);
      remaining = remaining.slice(batch.length);
      for (const [position, parcel] of batch.entries()) {
        const deletion = deletions[position];
        if (deletion?.kind === 'refused') {
          const sentence = `The service did not delete ${parcel.trackNo}: "${deletion.message}".`;
          results.reportError(parcel, 'failed', `${sentence} It stays on your list.`);
          isRefused = true;
        } else {
          const outcome = deletion?.kind === 'unknown' ? 'the service did not know it' : 'also at the service';
          await removeParcel(parcel, `removed, ${outcome}`);
        }
      }
    }
    return isRefused ? exitCode.rejected : exitCode.done;
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const failure = describeFailure(error);
    const numbers = remaining.map(({ trackNo }) => trackNo).join(', ');
    results.reportError(remaining, 'failed', `Not deleted and still on the list: ${numbers}. ${failure.message}`);
    return failure.exitCode;
  }
}

interface RestoreOptions {
  readonly parcel?: string;
  readonly json?: boolean;
}

export async function runRestore(
  session: Session,
  options: RestoreOptions,
  [backup]: readonly string[],
): Promise<ExitCode> {
  const { context } = session;
  if (backup !== undefined && options.parcel !== undefined) {
    throw new UsageError('Name either a backup or a parcel, not both.');
  }
  const isListing = options.parcel === undefined && backup === undefined;
  const { files, recovery } = await session.stores(isListing ? 'read' : 'write');
  const print = (json: object, text: string): void => {
    if (options.json === true) printJson(context, json);
    else context.stdout.write(text);
  };
  if (options.parcel !== undefined) await restoreParcel(recovery, options.parcel, print);
  else if (backup !== undefined) await restoreBackup(recovery, backup, print);
  else await listRestorable(session, recovery, files !== null, print);
  return exitCode.done;
}

type Print = (json: object, text: string) => void;

async function restoreBackup(recovery: Recovery, nameOrDay: string, print: Print): Promise<void> {
  const { backup, keptAs } = await recovery.restoreBackup(nameOrDay);
  const savedText = keptAs === null ? '' : `; the previous watchlist is saved as ${printableText(keptAs)}`;
  print(
    { version: 1, restored: { ...backupJson(backup), keptAs } },
    `${backup.name}  restored, ${countText(backup)}${savedText}\n`,
  );
}

async function restoreParcel(recovery: Recovery, text: string, print: Print): Promise<void> {
  assertNotBlank([text]);
  // If a number was removed several times, the latest entry is restored.
  const removed = new Map<string, Parcel>();
  for (const { parcel } of (await recovery.trashed()).toReversed()) removed.set(identityKey(parcel), parcel);
  const parcel = findOneParcel([...removed.values()], text, null, 'trash');
  const { trackNo, courierCode, label } = await recovery.restoreParcel(parcel.id);
  print({ version: 1, restored: { trackNo, courierCode, label } }, `${trackNo}  restored\n`);
}

/** @param hasBackups false for a database */
async function listRestorable(
  { context, paths }: Session,
  recovery: Recovery,
  hasBackups: boolean,
  print: Print,
): Promise<void> {
  const [backups, removed] = [await recovery.backups(), await recovery.trashed()];
  const json = { version: 1, backups: backups.map(backupJson), removed: removed.map(removedJson) };
  const lines = [
    ...backups.map((backup) => `${backup.name}  ${countText(backup)}\n`),
    ...removed.map((entry) => {
      const { trackNo, courierCode, label } = entry.parcel;
      const courier = courierCode === null ? '' : `@${courierCode}`;
      return `${trackNo}${courier}  removed ${utcDay(entry.removedAt)}${label === null ? '' : `  ${label}`}\n`;
    }),
  ];
  print(json, lines.join(''));
  if (!hasBackups) {
    printNote(
      context,
      lines.length === 0
        ? 'There are no removed parcels. Back up the database with pg_dump.'
        : 'To restore a parcel, run "parcel-monitor restore --parcel NUMBER".',
    );
  } else if (lines.length === 0) {
    printNote(
      context,
      'There are no backups or removed parcels yet. A backup is made at the first change of each day.',
    );
    const damaged = await damagedWatchlist(paths);
    if (damaged !== null) printNote(context, damaged);
  } else {
    printNote(context, 'Run "parcel-monitor restore NAME" for a backup, or "parcel-monitor restore --parcel NUMBER".');
  }
}

const countText = ({ parcels }: BackupInfo): string => (parcels === null ? 'unusable' : counted(parcels, 'parcel'));
const utcDay = (at: number): string => new Date(at).toISOString().slice(0, 10);

function backupJson({ name, path, at, parcels }: BackupInfo): object {
  return { name, path, at: new Date(at).toISOString(), parcels };
}

function removedJson({ parcel, removedAt }: TrashedParcel): object {
  const { trackNo, courierCode, label } = parcel;
  const keptUntil = new Date(removedAt + trashKeptMs).toISOString();
  return { trackNo, courierCode, label, removedAt: new Date(removedAt).toISOString(), keptUntil };
}
