import { parseAddInput } from '../../board/input/add-input.ts';
import type { RejectedEntry } from '../../board/input/entered-text.ts';
import { cleanText, cleanTextOrNull } from '../../lib/clean-text.ts';
import type { EpochMs } from '../../lib/clock.ts';
import { parseUserTime } from '../../lib/date-time.ts';
import { counted } from '../../lib/text.ts';
import type { NewParcel } from '../../parcels/parcel-factory.ts';
import type { GivenFields } from '../../scan/text-table.ts';
import { MissingArgumentError, UsageError } from '../../settings/errors.ts';
import {
  readCourierCode,
  readMerchant,
  readPhoneSuffix,
  readPostalCode,
  readTags,
} from '../../settings/parcel-fields.ts';
import { readEntered } from '../../settings/read-text.ts';
import { printNote } from '../../settings/session/output.ts';
import type { Session } from '../../settings/session/session.ts';
import { type ExitCode, exitCode, worseExit } from '../../system/exit.ts';
import { addParcels } from '../additions.ts';
import { checkCouriers, type ParcelEntry } from '../check-entries.ts';
import { openCouriers, requireCourier } from '../couriers.ts';
import { assertNotSource, checkLeftFile, saveUnimported } from '../output-file.ts';
import { readParcelName } from '../select-parcels.ts';
import { type AccountImportOptions, runAccountImport } from './account.ts';
import { headingList, type ImportRow, type ImportTable, placeList } from './cells-and-lines.ts';
import { readColumnMap, readLabelTemplate } from './columns.ts';
import { createImportCouriers, type ImportCouriers, readCourierMap } from './couriers.ts';
import { showImport } from './preview.ts';
import { readImportTable } from './rows.ts';

interface ImportOptions extends AccountImportOptions {
  readonly fromAccount?: boolean;
  readonly left?: string;
  /** Assigns headings to fields, each as `number=Tracking,label=Item`. */
  readonly map?: readonly string[];
  readonly mapCourier?: readonly string[];
  /** Such as `{Name} · {Item}`. */
  readonly labelFrom?: string;
  readonly courier?: string;
  readonly tag?: readonly string[];
}

/** Adds parcels from a file, from standard input (`-`) or from the account. Throws a {@link UsageError}. */
export async function runImport(
  session: Session,
  options: ImportOptions,
  [file]: readonly string[],
): Promise<ExitCode> {
  if (options.fromAccount === true) {
    for (const [value, message] of [
      [options.map, '--map requires a file, because the account has no columns.'],
      [options.mapCourier, '--map-courier requires a file, because the account names couriers by their codes.'],
      [options.labelFrom, '--label-from requires a file, because the account has no columns.'],
      [options.courier, '--courier requires a file, because the account already knows the courier of each number.'],
      [options.tag, '--tag requires a file. Use "edit NUMBER --tag" to tag numbers from the account.'],
      [options.left, '--left requires a file, because the account has no rows to save.'],
    ] as const) {
      if (value !== undefined) throw new UsageError(message);
    }
    if (file !== undefined) {
      throw new UsageError('--from-account takes no file, because it reads your account at the service.');
    }
    return await runAccountImport(session, options);
  }
  if (options.since !== undefined) throw new UsageError('--since requires --from-account.');
  if (file === undefined) throw new MissingArgumentError('Name a file, "-" for standard input, or --from-account.');
  return await importFile(session, file, options);
}

async function importFile(session: Session, file: string, options: ImportOptions): Promise<ExitCode> {
  await checkLeftFile(session, options.left);
  const tags = readTags(options.tag ?? []);
  const map = readColumnMap(...(options.map ?? []));
  const isTyped = file === '-' && session.context.stdinIsTerminal;
  if (isTyped) printNote(session.context, 'Type or paste a table, or one number per line, then press Ctrl+D.');
  const template = options.labelFrom === undefined ? null : readLabelTemplate(options.labelFrom);
  const table = readImportTable(await readEntered(session.context, file), map, template);
  const { isOurs, unused } = table;
  const impliedCourier = options.courier === undefined ? table.courier : undefined;
  const rows = withDefaultCourier(table.rows, impliedCourier);
  if (!isOurs) await assertNotSource(file, options.left);
  const hasLabel = rows.some(({ fields }) => fields.label !== undefined);
  if (table.interpretation !== undefined)
    printNote(
      session.context,
      `${table.interpretation}${impliedCourier === undefined ? '' : `, courier = ${impliedCourier}`}.`,
    );
  if (unused.length > 0) printNote(session.context, unusedText(unused, hasLabel));
  printSkipped(session, table);
  const mapTexts = options.mapCourier ?? [];
  const rowCouriers = rows.map(({ fields }) => {
    const reading = readParcelName(fields.trackNo ?? '', fields.courierCode ?? null);
    return reading.ok ? reading.name.courierCode : fields.courierCode;
  });
  const lookup = await openCouriers(session, [...rowCouriers, ...mapTexts, options.courier]);
  const courierCode = readCourierCode(lookup.resolve(options.courier ?? ''));
  const courierMap = readCourierMap(mapTexts, lookup);
  for (const code of [courierCode, ...courierMap.values()]) requireCourier(lookup, code);
  const couriers = createImportCouriers(lookup, isOurs, courierMap);
  const { configuration, context } = session;
  const { clock } = await session.stores(options.dryRun === true ? 'read' : 'write');
  const droppedFields: { readonly field: string; readonly place: string }[] = [];
  const { zone } = configuration;
  const rowContext = { now: clock.now(), zone, resolveCourier: couriers.resolve };
  const entries = rows.map((row) => {
    const fields = isOurs
      ? row.fields
      : dropInvalidFields(row, zone, (field, { place }) => droppedFields.push({ field, place }));
    const reading = readRow({ ...row, fields }, rowContext);
    const entry = { place: row.place, fields: isOurs ? fields : withCourier(fields, couriers), reading };
    return withOptions(entry, hasCourier(row) ? null : courierCode, tags);
  });
  for (const sentence of couriers.unresolvedMessages()) printNote(context, sentence);
  for (const [field, rows] of Map.groupBy(droppedFields, ({ field }) => field)) {
    const places = placeList(rows.map(({ place }) => place));
    printNote(context, `${counted(rows.length, 'row')}: the ${field} is not valid and was ignored (${places}).`);
  }
  const additions = checkCouriers(entries, lookup);
  const { parcels, skipped } = additions;
  const isEmpty = parcels.length + skipped.length === 0;
  if (isEmpty) printNote(context, 'No tracking number found.');
  const minExitCode = isEmpty && table.withoutNumber.length > 0 ? exitCode.rejected : exitCode.done;
  if (options.dryRun !== true) return worseExit(await addParcels(session, additions, options), minExitCode);
  const code = await showImport(session, additions, options);
  if (options.left !== undefined) await saveUnimported(session, options.left, skipped);
  return worseExit(code, minExitCode);
}

function withDefaultCourier(rows: readonly ImportRow[], courier: string | undefined): readonly ImportRow[] {
  if (courier === undefined) return rows;
  return rows.map((row) => (hasCourier(row) ? row : { ...row, fields: { ...row.fields, courierCode: courier } }));
}

function printSkipped({ context }: Session, { comments, withoutNumber }: ImportTable): void {
  if (comments.length > 0)
    printNote(context, `Skipped ${counted(comments.length, 'comment line')} (${placeList(comments)}).`);
  if (withoutNumber.length > 0) {
    printNote(
      context,
      `Skipped ${counted(withoutNumber.length, 'row')} without a number (${placeList(withoutNumber)}).`,
    );
  }
}

const unusedText = (headings: readonly string[], hasLabel: boolean): string =>
  `Not used: ${headingList(headings)}.${hasLabel ? '' : ' Use --map label=HEADING to choose the label column.'}`;

interface RowContext {
  readonly now: EpochMs;
  readonly zone: () => string;
  /** Returns the code of the courier that the text means, or null if the service should detect the courier. */
  readonly resolveCourier: (text: string, trackNo: string, place: string) => string | null;
}

/** Fields that are dropped if they are invalid, because other programs may use the heading for something else. */
const optionalFields = {
  postalCode: ['postal code', readPostalCode],
  phoneSuffix: ['phone suffix', readPhoneSuffix],
  country: ['country', (country, zone) => readMerchant({ country }, zone)],
  email: ['email address', (email, zone) => readMerchant({ email }, zone)],
  shipTime: ['ship time', (shipTime, zone) => readMerchant({ shipTime }, zone)],
} as const satisfies {
  readonly [Field in keyof GivenFields]?: readonly [name: string, read: (text: string, zone: () => string) => unknown];
};

function dropInvalidFields(
  row: ImportRow,
  zone: () => string,
  drop: (field: string, row: ImportRow) => void,
): GivenFields {
  const fields = { ...row.fields };
  for (const field of Object.keys(optionalFields) as (keyof typeof optionalFields)[]) {
    const [name, read] = optionalFields[field];
    const text = fields[field];
    if (text === undefined) continue;
    try {
      read(text, zone);
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      drop(name, row);
      delete fields[field];
    }
  }
  return fields;
}

/** Drops unknown couriers, because `--left` writes a table of our own, in which they are an error. */
function withCourier({ courierCode, ...fields }: GivenFields, { codeOrText }: ImportCouriers): GivenFields {
  const courier = courierCode === undefined ? null : codeOrText(courierCode);
  return { ...fields, ...(courier === null ? {} : { courierCode: courier }) };
}

const hasCourier = ({ fields }: ImportRow): boolean => (fields.courierCode ?? '').trim() !== '';

/** Applies the options. The courier in `NUMBER@COURIER` overrides `courierCode`. */
function withOptions(
  { fields, place, reading }: ParcelEntry,
  courierCode: string | null,
  addedTags: readonly string[],
): ParcelEntry {
  const mergeTags = (tags: readonly string[] = []): readonly string[] => [...new Set([...tags, ...addedTags])];
  const tags = mergeTags(fields.tags);
  return {
    place,
    fields: { ...fields, ...(courierCode === null ? {} : { courierCode }), ...(tags.length === 0 ? {} : { tags }) },
    reading:
      'reason' in reading
        ? reading
        : { ...reading, courierCode: reading.courierCode ?? courierCode, tags: mergeTags(reading.tags) },
  };
}

export function readRow({ fields, place, problem }: ImportRow, rowContext: RowContext): NewParcel | RejectedEntry {
  const { resolveCourier, now, zone } = rowContext;
  const invalid = problem ?? cellProblem(fields.trackNo ?? '');
  if (invalid !== null) return invalid;
  try {
    const courier =
      fields.courierCode === undefined ? null : resolveCourier(fields.courierCode, fields.trackNo ?? '', place);
    const reading = readParcelName(fields.trackNo ?? '', courier);
    if (!reading.ok) return { reason: reading.reason, message: reading.message };
    return {
      trackNo: reading.name.trackNo,
      courierCode: readCourierCode(reading.name.courierCode ?? ''),
      label: cleanTextOrNull(fields.label ?? ''),
      note: cleanTextOrNull(fields.note ?? ''),
      postalCode: readPostalCode(fields.postalCode ?? ''),
      phoneSuffix: readPhoneSuffix(fields.phoneSuffix ?? ''),
      merchant: readMerchant(fields, zone),
      tags: [...new Set((fields.tags ?? []).flatMap((tag) => cleanTextOrNull(tag) ?? []))],
      ...readArchivedAt(fields, now, zone),
    };
  } catch (error) {
    if (error instanceof UsageError) return { reason: 'unusable-field', message: error.message };
    throw error;
  }
}

/** Returns the problem with a number cell of several words, or null if they are the groups of a single number. */
function cellProblem(cell: string): RejectedEntry | null {
  if (!/\S\s+\S/.test(cell)) return null;
  const input = parseAddInput(cell);
  if (input.kind === 'problem') return { reason: input.reason, message: input.message };
  if (input.kind === 'empty' || input.label === null) return null;
  return { reason: 'unclear', message: `The number column also contains a label: "${cleanText(cell)}".` };
}

const yesPattern = /^(?:yes|y|true|1|x|✓|✔|ja|j|oui|si|sí|sim|archived|archiviert|tak|да|是)$/iu;
const noPattern = /^(?:|no|n|false|0|-|nein|non|não|nie|нет|否)$/iu;

/** If only "yes" is given, the parcel is archived now. Throws a {@link UsageError} unless the cell is yes, no or a time. */
function readArchivedAt(
  { archivedAt = '', state = '' }: ImportRow['fields'],
  now: EpochMs,
  zone: () => string,
): Pick<NewParcel, 'archivedAt'> {
  const text = archivedAt.trim();
  if (yesPattern.test(text) || (noPattern.test(text) && state === 'archived')) {
    return { archivedAt: new Date(now).toISOString() };
  }
  if (noPattern.test(text)) return {};
  const local = text.replace(/^(\d{1,2})\.(\d{1,2})\.(\d{4})$/, (_, day: string, month: string, year: string) =>
    [year, month.padStart(2, '0'), day.padStart(2, '0')].join('-'),
  );
  const at = /^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/.test(text) ? Date.parse(text) : (parseUserTime(local, zone) ?? Number.NaN);
  if (Number.isNaN(at)) {
    throw new UsageError(
      `"${cleanText(text).slice(0, 40)}" does not say whether the parcel is archived. Write yes, no, or a day such as 2026-11-20.`,
    );
  }
  return { archivedAt: new Date(at).toISOString() };
}
