import { printableText } from '../lib/clean-text.ts';
import { counted } from '../lib/text.ts';
import { identityKey } from '../parcels/identity.ts';
import type { Parcel } from '../parcels/parcel.ts';
import { UsageError } from '../settings/errors.ts';
import { damagedWatchlist } from '../settings/session/open-stores.ts';
import { printJson, printNote, type Session } from '../settings/session/session.ts';
import type { OfferedBackup, Recovery } from '../store/recovery.ts';
import { type TrashedParcel, trashKeptMs } from '../store/trash.ts';
import { type ExitCode, exitCode } from '../system/exit.ts';
import { oneParcelNamed, refuseBlank } from './find-parcel.ts';

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
  else await list(session, recovery, files !== null, print);
  return exitCode.done;
}

type Print = (json: object, text: string) => void;

async function restoreBackup(recovery: Recovery, nameOrDay: string, print: Print): Promise<void> {
  const { backup, keptAs } = await recovery.restoreBackup(nameOrDay);
  const kept = keptAs === null ? '' : `; the previous watchlist is saved as ${printableText(keptAs)}`;
  print(
    { version: 1, restored: { ...backupJson(backup), keptAs } },
    `${backup.name}  restored, ${countText(backup)}${kept}\n`,
  );
}

async function restoreParcel(recovery: Recovery, text: string, print: Print): Promise<void> {
  refuseBlank([text]);
  // If a number was removed several times, the latest entry is restored.
  const removed = new Map<string, Parcel>();
  for (const { parcel } of (await recovery.trashed()).toReversed()) removed.set(identityKey(parcel), parcel);
  const parcel = oneParcelNamed([...removed.values()], text, null, 'trash');
  const { trackNo, courierCode, label } = await recovery.restoreParcel(parcel.id);
  print({ version: 1, restored: { trackNo, courierCode, label } }, `${trackNo}  restored\n`);
}

/** @param hasBackups false for a database */
async function list({ context, paths }: Session, recovery: Recovery, hasBackups: boolean, print: Print): Promise<void> {
  const [backups, removed] = [await recovery.backups(), await recovery.trashed()];
  const json = { version: 1, backups: backups.map(backupJson), removed: removed.map(removedJson) };
  const lines = [
    ...backups.map((backup) => `${backup.name}  ${countText(backup)}\n`),
    ...removed.map((entry) => {
      const { trackNo, courierCode, label } = entry.parcel;
      const courier = courierCode === null ? '' : `@${courierCode}`;
      return `${trackNo}${courier}  removed ${dayOf(entry.removedAt)}${label === null ? '' : `  ${label}`}\n`;
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

const countText = ({ parcels }: OfferedBackup): string => (parcels === null ? 'unusable' : counted(parcels, 'parcel'));
const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10);

function backupJson({ name, path, at, parcels }: OfferedBackup): object {
  return { name, path, at: new Date(at).toISOString(), parcels };
}

function removedJson({ parcel, removedAt }: TrashedParcel): object {
  const { trackNo, courierCode, label } = parcel;
  const until = new Date(removedAt + trashKeptMs).toISOString();
  return { trackNo, courierCode, label, removedAt: new Date(removedAt).toISOString(), keptUntil: until };
}
