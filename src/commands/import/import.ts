import type { CourierCheck } from '../../board/courier/courier-check.ts';
import { parseAddInput } from '../../board/input/add-input.ts';
import type { LeftEntry } from '../../board/input/partial-add.ts';
import { type ExitCode, exitCode } from '../../process/exit-code.ts';
import type { EpochMs } from '../../service/clock/clock.ts';
import { cleanText } from '../../service/text/clean-text.ts';
import type { NewParcel } from '../../watchlist/model/parcel-factory.ts';
import { openCourierCheck, openCourierNames } from '../input/courier-lookup.ts';
import { readParcelName } from '../input/find-parcel.ts';
import { readMerchant } from '../input/merchant-fields.ts';
import { readCourierCode, readLabel, readPhoneSuffix, readPostalCode } from '../input/parcel-fields.ts';
import { readEntered } from '../input/read-text.ts';
import { type SharedConnection, shareConnection } from '../session/connection.ts';
import { UsageError } from '../session/errors.ts';
import { type Session, say } from '../session/session.ts';
import { addParcels, type Complaint, reportComplaints, warnOfCheckDigits } from '../write/add.ts';
import { type ImportRow, readImportRows } from './import-rows.ts';

/** Options of `import`. */
export interface ImportOptions {
  /** Print what would be added, and add nothing. */
  readonly dryRun?: boolean;
  /** Whatever it costs. */
  readonly yes?: boolean;
}

/** Watches the parcels of a file or of standard input (`-`). Rows that cannot be used are reported and skipped. */
export async function runImport(session: Session, file: string, options: ImportOptions): Promise<ExitCode> {
  const content = await readEntered(session.context, file);
  const connection = shareConnection(session);
  try {
    const { parcels, left } = await readCheckedParcels(session, connection, content);
    if (parcels.length + left.length === 0) say(session.context, 'There is no number in it.');
    return options.dryRun === true
      ? showParcels(session, parcels, left)
      : await addParcels(session, connection, { parcels, left, isSure: options.yes === true });
  } finally {
    await connection.close();
  }
}

/** Prints what would be added; standard error names what cannot be. */
function showParcels(session: Session, parcels: readonly NewParcel[], left: readonly Complaint[]): ExitCode {
  const { context } = session;
  reportComplaints(session, left);
  warnOfCheckDigits(session, parcels);
  for (const { courierCode, label, trackNo } of parcels) {
    const courier = courierCode === null ? '' : `@${courierCode}`;
    context.stdout.write(`${trackNo}${courier}${label === null ? '' : `  ${label}`}\n`);
  }
  say(context, `${parcels.length} to be added, ${left.length} not usable; nothing was changed.`);
  return left.length > 0 ? exitCode.rejected : exitCode.done;
}

/** When and where a file is read. */
interface ImportSituation {
  readonly now: EpochMs;
  /** The viewer's zone, IANA: that of times without an offset. */
  readonly zone: () => string;
  /** The courier code that a text means; itself by default. */
  readonly meant?: (text: string) => string;
  /** Looks at couriers of parcels that are to be registered; every code passes by default. */
  readonly check?: CourierCheck;
}

/** As {@link readParcels}; the couriers that it names are looked up before any of them costs a registration. */
async function readCheckedParcels(
  session: Session,
  connection: SharedConnection,
  content: string,
): Promise<ReturnType<typeof readParcels>> {
  const { configuration, context } = session;
  const texts = readImportRows(content).map(({ fields }) => fields.courier);
  const names = await openCourierNames(session, connection, texts);
  const situation: ImportSituation = { now: context.clock.now(), zone: configuration.zone, meant: names.meant };
  const codes = readParcels(content, situation)
    .parcels.filter(isToRegister)
    .map(({ courierCode }) => courierCode);
  return readParcels(content, { ...situation, check: await openCourierCheck(session, connection, codes, names) });
}

const isToRegister = ({ archivedAt }: NewParcel): boolean => archivedAt === undefined;

/** The parcels of a file, and what is wrong with the rows that hold none. Throws a {@link UsageError} for an unreadable file. */
export function readParcels(
  content: string,
  situation: ImportSituation,
): { readonly parcels: readonly NewParcel[]; readonly left: readonly Complaint[] } {
  const parcels: NewParcel[] = [];
  const left: Complaint[] = [];
  for (const row of readImportRows(content)) {
    const reading = readRow(row, situation);
    if ('reason' in reading) left.push({ ...reading, place: row.place });
    else parcels.push(reading);
  }
  return { parcels, left };
}

/** The parcel of a row, or why there is none. */
function readRow(
  { fields, problem, tags = [] }: ImportRow,
  { now, zone, meant, check }: ImportSituation,
): NewParcel | LeftEntry {
  const flaw = problem ?? flawOfCell(fields.number ?? '');
  if (flaw !== null) return flaw;
  try {
    const courier = fields.courier ?? null;
    const reading = readParcelName(fields.number ?? '', courier === null ? null : (meant?.(courier) ?? courier));
    if (!reading.ok) return { reason: reading.flaw, message: reading.message };
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
    const unknown = isChecked ? (check?.(parcel.courierCode) ?? null) : null;
    return unknown === null ? parcel : { reason: 'unknown-courier', message: unknown };
  } catch (error) {
    if (error instanceof UsageError) return { reason: 'unusable-field', message: error.message };
    throw error;
  }
}

/** What is wrong with a cell for numbers that holds several words; null when they are one number in groups. */
function flawOfCell(cell: string): LeftEntry | null {
  if (!/\S\s+\S/.test(cell)) return null;
  const input = parseAddInput(cell);
  if (input.kind === 'problem') return { reason: input.flaw, message: input.message };
  if (input.kind === 'empty' || input.label === null) return null;
  return { reason: 'unclear', message: `The column of numbers holds a label, too: "${cleanText(cell)}".` };
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
