import { readFile } from 'node:fs/promises';
import type { CourierCheck } from '../board/courier-check.ts';
import type { NewParcel } from '../polling/state.ts';
import type { EpochMs } from '../service/clock.ts';
import { addParcels } from './add.ts';
import { openCourierCheck } from './courier-check.ts';
import { UsageError } from './errors.ts';
import { type ExitCode, exitCode } from './exit-code.ts';
import { readCourierCode, readLabel, readPhoneSuffix, readPostalCode } from './extras.ts';
import { readParcelName } from './find-parcel.ts';
import { type ImportRow, readImportRows } from './import-rows.ts';
import { readMerchant } from './merchant.ts';
import { type Session, say } from './session.ts';

/** Options of `import`. */
export interface ImportOptions {
  /** Tell what would be added, and add nothing. */
  readonly dryRun?: boolean;
  /** Whatever it costs. */
  readonly yes?: boolean;
}

/** Watches the parcels of a file or of standard input (`-`). Rows that cannot be used are told and cost only themselves. */
export async function runImport(session: Session, file: string, options: ImportOptions): Promise<ExitCode> {
  const { context } = session;
  const content = file === '-' ? await context.readStdin() : await contentOf(file);
  const { parcels, complaints } = await readCheckedParcels(session, content);
  if (parcels.length + complaints.length === 0) say(context, 'There is no number in it.');
  if (options.dryRun !== true) return await addParcels(session, parcels, complaints, options.yes === true);
  for (const complaint of complaints) say(context, complaint);
  for (const { courierCode, label, trackNo } of parcels) {
    const courier = courierCode === null ? '' : `@${courierCode}`;
    context.stdout.write(`${trackNo}${courier}${label === null ? '' : `  ${label}`}\n`);
  }
  say(context, `${parcels.length} to be added, ${complaints.length} not usable; nothing was changed.`);
  return complaints.length > 0 ? exitCode.rejected : exitCode.done;
}

/** When and where a file is read. */
export interface ImportSituation {
  readonly now: EpochMs;
  /** The viewer's zone, IANA: that of times without an offset. */
  readonly zone: () => string;
  /** Looks at couriers of parcels that are to be registered; every code passes unless told. */
  readonly check?: CourierCheck;
}

/** As {@link readParcels}; the couriers that it names are looked up before any of them costs a registration. */
async function readCheckedParcels(session: Session, content: string): Promise<ReturnType<typeof readParcels>> {
  const { configuration, context } = session;
  const situation: ImportSituation = { now: context.clock.now(), zone: configuration.zone };
  const codes = readParcels(content, situation)
    .parcels.filter(isToRegister)
    .map(({ courierCode }) => courierCode);
  return readParcels(content, { ...situation, check: await openCourierCheck(session, codes) });
}

const isToRegister = ({ archivedAt }: NewParcel): boolean => archivedAt === undefined;

/** The parcels of a file, and what is wrong with the rows that hold none. Throws a {@link UsageError} for an unreadable file. */
export function readParcels(
  content: string,
  situation: ImportSituation,
): { readonly parcels: readonly NewParcel[]; readonly complaints: readonly string[] } {
  const parcels: NewParcel[] = [];
  const complaints: string[] = [];
  for (const row of readImportRows(content)) {
    const reading = readRow(row, situation);
    if (typeof reading === 'string') complaints.push(`${row.place}: ${reading}`);
    else parcels.push(reading);
  }
  return { parcels, complaints };
}

async function contentOf(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    throw new UsageError(`${file} cannot be read (${error instanceof Error ? error.message : String(error)}).`, {
      cause: error,
    });
  }
}

/** The parcel of a row, or why there is none. */
function readRow({ fields, tags = [] }: ImportRow, { now, zone, check }: ImportSituation): NewParcel | string {
  try {
    const reading = readParcelName(fields.number ?? '', fields.courier ?? null);
    if (!reading.ok) return reading.message;
    const parcel: NewParcel = {
      trackNo: reading.name.trackNo,
      courierCode: readCourierCode(reading.name.courierCode ?? ''),
      label: readLabel(fields.label ?? ''),
      postalCode: readPostalCode(fields.postalCode ?? ''),
      phoneSuffix: readPhoneSuffix(fields.phoneSuffix ?? ''),
      merchant: readMerchant(fields, zone),
      tags: [...new Set(tags.flatMap((tag) => readLabel(tag) ?? []))],
      ...archivedSince(fields, now),
    };
    const isChecked = parcel.courierCode !== null && isToRegister(parcel);
    return (isChecked ? check?.(parcel.courierCode) : null) ?? parcel;
  } catch (error) {
    if (error instanceof UsageError) return error.message;
    throw error;
  }
}

/** When a row says that its parcel was put away; one that does not say when is put away now. */
function archivedSince(
  { archivedAt = '', state = '' }: ImportRow['fields'],
  now: EpochMs,
): Pick<NewParcel, 'archivedAt'> {
  const at = /^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/.test(archivedAt) ? Date.parse(archivedAt) : Number.NaN;
  if (!Number.isNaN(at)) return { archivedAt: new Date(at).toISOString() };
  return state === 'archived' ? { archivedAt: new Date(now).toISOString() } : {};
}
