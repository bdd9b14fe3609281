import { stringify } from 'csv-stringify/sync';
import { formatInTimeZone } from 'date-fns-tz';
import type { ExportedParcel } from '../board/json-schemas.ts';
import { arrangeAll } from '../board/list/arrange.ts';
import { courierName, orderNoOf, remarkOf } from '../board/parcel-facts.ts';
import { formatInstant, type JsonContext, listJson, parcelJson } from '../board/parcel-json.ts';
import { expectedDay, findMilestones } from '../board/status/expected-delivery.ts';
import { createForecasts } from '../board/status/forecast.ts';
import { statusNow } from '../board/status/status-now.ts';
import { checkpointTime } from '../board/time.ts';
import type { Zone } from '../lib/date-time.ts';
import { type CellValue, csvText, escapeMarkdown } from '../lib/escape.ts';
import { awaitedDelivery, type Viewer } from '../parcels/delivery.ts';
import type { Parcel } from '../parcels/parcel.ts';
import { UsageError } from '../settings/errors.ts';
import { readPrintContext, withHistories } from '../settings/session/open-stores.ts';
import { printNote } from '../settings/session/output.ts';
import { type Session, zoneOf } from '../settings/session/session.ts';
import { splitIntoBatches } from '../store/store.ts';
import { type ExitCode, exitCode } from '../system/exit.ts';
import { calendarText, type ParcelMilestones } from './export-calendar.ts';
import { parcelsText } from './list.ts';
import { writeOutputFile } from './output-file.ts';
import { type ExportFormat, exportFormats } from './program/command-row.ts';
import { filterParcels, selectParcels } from './select-parcels.ts';

interface ExportOptions {
  readonly format: ExportFormat;
  readonly all?: boolean;
  readonly output?: string;
  readonly filter?: string;
}

/** Only reads the store. Throws a `StoreError`, possibly after part of the output was written. */
export async function runExport(
  session: Session,
  { format, all = false, filter, output = '-' }: ExportOptions,
): Promise<ExitCode> {
  const { context } = session;
  if (output === '') throw new UsageError('--output needs a file name.');
  const { clock, store } = await session.stores('read');
  const { parcels: allParcels } = await store.read();
  const parcels =
    filter === undefined
      ? selectParcels(allParcels, { all })
      : filterParcels(session, filter, { parcels: allParcels, now: clock.now() }, { all });
  const pieces = () => exportPieces(session, format, parcels, allParcels);
  if (output !== '-') await writeOutputFile(output, { pieces }, session);
  else for await (const piece of pieces()) context.stdout.write(piece);
  if (parcels.length > 0) return exitCode.done;
  if (filter !== undefined) printNote(context, 'No parcel matches, so the export is empty.');
  else
    printNote(
      context,
      all
        ? 'There are no parcels, so the export is empty.'
        : 'There are no active parcels, so the export is empty. Use --all to include archived ones.',
    );
  return exitCode.done;
}

/** The extension of the file decides the format. Throws a {@link UsageError} for an unknown one, or a `StoreError`. */
export async function exportToFile(session: Session, file: string, parcels: readonly Parcel[]): Promise<void> {
  const format = exportFormats.find((extension) => file.toLowerCase().endsWith(`.${extension}`));
  if (format === undefined) throw new UsageError(`The file name must end in .json, .csv, .ics or .md.`);
  const { store } = await session.stores('read');
  const { parcels: allParcels } = await store.read();
  await writeOutputFile(file, { pieces: () => exportPieces(session, format, parcels, allParcels) }, session);
}

/** Limits the memory that a long table needs. */
const rowsAtOnce = 50;

/** @param all the whole list, which the forecasts are based on */
async function* exportPieces(
  session: Session,
  format: ExportFormat,
  parcels: readonly Parcel[],
  all: readonly Parcel[],
): AsyncGenerator<string> {
  const { configuration } = session;
  const base = await readPrintContext(session);
  const { now } = base;
  const circumstances = { ...base, forecast: createForecasts(all, { now, zone: zoneOf(session) }) };
  const toExported = (parcel: Parcel): ExportedParcel => exportedParcel(parcel, circumstances);
  switch (format) {
    case 'json':
      yield* parcelsText(listJson([], configuration.baseUrl, circumstances), parcels, toExported, 2);
      return;
    case 'csv':
      yield csvText([csvHeadings]);
      for (const page of splitIntoBatches(parcels, rowsAtOnce))
        yield csvText(page.map((parcel) => csvRow(toExported(parcel))));
      return;
    case 'ics': {
      const entries: ParcelMilestones[] = [];
      for await (const [parcel, history] of withHistories(session, parcels))
        entries.push({ parcel, milestones: findMilestones(parcel, history) });
      yield calendarText(entries, now);
      return;
    }
    case 'md':
      yield exportMarkdown(parcels, { now, zone: zoneOf(session) });
      return;
  }
}

/** Saves the expected deliveries in the current folder, and returns the file's name. Throws like `writeOutputFile`. */
export async function writeCalendar(
  session: Pick<Session, 'context' | 'paths'>,
  parcels: readonly Parcel[],
  day: string,
): Promise<string> {
  const file = `parcels-${day.toLowerCase().replaceAll(' ', '-')}.ics`;
  const entries = parcels.map((parcel) => ({
    parcel,
    milestones: { reached: null, expected: awaitedDelivery(parcel) },
  }));
  await writeOutputFile(file, calendarText(entries, session.context.clock.now()), session);
  return file;
}

/** If you change the shape, increase `version`. */
export function exportedParcel(parcel: Parcel, circumstances: JsonContext): ExportedParcel {
  const { addedAt, archivedAt, extras, merchant = {} } = parcel;
  return {
    ...parcelJson(parcel, circumstances),
    addedAt: utcText(addedAt),
    archivedAt: archivedAt === null ? null : utcText(archivedAt),
    postalCode: extras.postalCode,
    phoneSuffix: extras.phoneSuffix,
    orderNo: orderNoOf(parcel),
    country: merchant.country ?? null,
    shipTime: merchant.shippedAt === undefined ? null : utcText(merchant.shippedAt),
    email: merchant.customerEmail ?? null,
    remark: remarkOf(parcel),
    custom1: merchant.custom1 ?? null,
    custom2: merchant.custom2 ?? null,
  };
}

function utcText(instant: string): string {
  return formatInstant(Date.parse(instant));
}

/** Columns are named after the JSON fields. */
const columns: readonly (readonly [name: string, value: (parcel: ExportedParcel) => CellValue])[] = [
  // First, because `import` treats a line that begins with # as a comment.
  ['trackNo', ({ trackNo }) => trackNo],
  ['courierCode', ({ courierCode }) => courierCode],
  ['courierName', ({ courierName }) => courierName],
  ['label', ({ label }) => label],
  ['tags', ({ tags }) => (tags.length === 0 ? null : stringify([[...tags]], { eof: false }))],
  ['state', ({ state }) => state],
  ['stage', ({ stage }) => stage],
  ['status', ({ status }) => status],
  ['subStatus', ({ subStatus }) => subStatus],
  ['statusText', ({ statusText }) => statusText],
  ['shipFrom', ({ shipFrom }) => shipFrom],
  ['shipTo', ({ shipTo }) => shipTo],
  ['transitDays', ({ transitDays }) => transitDays],
  ['stayDays', ({ stayDays }) => stayDays],
  ['shipmentType', ({ shipmentType }) => shipmentType],
  ['expectedFrom', ({ expectedDelivery }) => expectedDelivery?.from ?? null],
  ['expectedTo', ({ expectedDelivery }) => expectedDelivery?.to ?? null],
  ['deliveredAt', ({ deliveredAt }) => deliveredAt],
  ['signedBy', ({ signedBy }) => signedBy],
  ['trackingLink', ({ trackingLink }) => trackingLink],
  ['courierHomePage', ({ courierHomePage }) => courierHomePage],
  ['lastMileTrackNo', ({ lastMile }) => lastMile?.trackNo ?? null],
  ['lastMileCourierCode', ({ lastMile }) => lastMile?.courierCode ?? null],
  ['lastMileCourierName', ({ lastMile }) => lastMile?.courierName ?? null],
  ['lastEventAt', ({ lastEvent }) => lastEvent?.at ?? null],
  ['lastEventLocal', ({ lastEvent }) => joinLocalTime(lastEvent?.local ?? null, lastEvent?.offset ?? null)],
  ['lastEventAddress', ({ lastEvent }) => lastEvent?.address ?? null],
  ['lastEventDetail', ({ lastEvent }) => lastEvent?.detail ?? null],
  ['checkpointCount', ({ checkpointCount }) => checkpointCount],
  ['nextUpdateAt', ({ nextUpdateAt }) => nextUpdateAt],
  ['nextPollAt', ({ nextPollAt }) => nextPollAt],
  ['checkedAt', ({ checkedAt }) => checkedAt],
  ['stale', ({ stale }) => String(stale)],
  ['error', ({ error }) => error?.message ?? null],
  ['addedAt', ({ addedAt }) => addedAt],
  ['archivedAt', ({ archivedAt }) => archivedAt],
  ['postalCode', ({ postalCode }) => postalCode],
  ['phoneSuffix', ({ phoneSuffix }) => phoneSuffix],
  ['orderNo', ({ orderNo }) => orderNo],
  ['country', ({ country }) => country],
  ['shipTime', ({ shipTime }) => shipTime],
  ['email', ({ email }) => email],
  ['remark', ({ remark }) => remark],
  ['custom1', ({ custom1 }) => custom1],
  ['custom2', ({ custom2 }) => custom2],
  ['deliveredLocal', ({ deliveredLocal }) => deliveredLocal],
  ['forecastFrom', ({ forecast }) => forecast?.from ?? null],
  ['forecastTo', ({ forecast }) => forecast?.to ?? null],
  ['note', ({ note }) => note],
];

export const csvHeadings: readonly string[] = columns.map(([name]) => name);

/** Contains private data. `import` reads the row back unchanged. */
export function csvRow(exported: ExportedParcel): readonly CellValue[] {
  return columns.map(([, value]) => value(exported));
}

/** An offset alone would look like a formula. */
function joinLocalTime(local: string | null, offset: string | null): string | null {
  return local === null || offset === null ? local : `${local} ${offset}`;
}

const tableHead = [
  '| Parcel | Number | Courier | Status | Place | Expected | Last event |',
  '| --- | --- | --- | --- | --- | --- | --- |',
] as const;

/** Times are on the viewer's clock. Leaves out postal codes and phone digits. */
export function exportMarkdown(parcels: readonly Parcel[], { now, zone }: Viewer): string {
  const { groups } = arrangeAll({ parcels, now, zone });
  const archived = parcels.filter(({ archivedAt }) => archivedAt !== null);
  const tables = [...groups, ...(archived.length === 0 ? [] : [{ title: 'Archived', parcels: archived }])].map(
    (group) => [
      `### ${group.title} (${group.parcels.length})`,
      '',
      ...tableHead,
      ...group.parcels.map((parcel) => markdownRow(parcel, { now, zone })),
      '',
    ],
  );
  const content = tables.length === 0 ? ['There are no parcels.', ''] : tables.flat();
  const asOf = `As of ${formatInTimeZone(now, zone.name, 'yyyy-MM-dd HH:mm xxx')} (${escapeMarkdown(zone.name)}).`;
  return `${[...content, asOf].join('\n')}\n`;
}

function markdownRow(parcel: Parcel, viewing: Viewer): string {
  const cells = [
    escapeMarkdown(parcel.label ?? ''),
    // As code, because a number may contain underscores or look like a link.
    `\`${parcel.trackNo.replaceAll('`', "'").replaceAll('|', '\\|')}\``,
    escapeMarkdown(courierName(parcel) ?? ''),
    escapeMarkdown(statusNow(parcel, viewing)),
    escapeMarkdown(parcel.lastEvent?.address ?? ''),
    escapeMarkdown(expectedDay(parcel, viewing)?.full.replace(/^expected /, '') ?? ''),
    lastEventText(parcel, viewing.zone),
  ];
  return `| ${cells.join(' | ')} |`;
}

/** `~` marks an unknown zone, `±` a contradictory one. */
function lastEventText({ lastEvent }: Parcel, zone: Zone): string {
  if (lastEvent === null) return '';
  const { clock, date, zoneMark } = checkpointTime(lastEvent, 'local', zone);
  return escapeMarkdown([date, clock, zoneMark].filter((part) => part !== null && part !== '').join(' '));
}
