import { parcelLook } from '../../board/parcel-facts.ts';
import { shortStatus, type Viewing } from '../../board/status/status-now.ts';
import { clockText } from '../../board/time.ts';
import { cleanText } from '../../lib/clean-text.ts';
import { dayMs, type EpochMs } from '../../lib/clock.ts';
import { parseUserTime } from '../../lib/date-time.ts';
import { printTable, type TableCell, type TableColumn } from '../../lib/table.ts';
import { counted, isSameNumber } from '../../lib/text.ts';
import { normaliseTrackNo } from '../../lib/track-number.ts';
import { mergeRecord } from '../../parcels/merge-record.ts';
import type { Parcel } from '../../parcels/parcel.ts';
import { accountParcel } from '../../parcels/parcel-factory.ts';
import { type MatchWatched, matchWatched } from '../../parcels/parcel-list.ts';
import { stageTable } from '../../parcels/stages.ts';
import { EndlessAccountError, listAccount } from '../../polling/account.ts';
import { ServiceError } from '../../service/port.ts';
import type { TrackingRecord } from '../../service/record.ts';
import { formatServiceTime, parseServiceTime, type ServiceClock } from '../../service/service-clock.ts';
import { describeFailure, UsageError } from '../../settings/errors.ts';
import { askYesNo, canAsk } from '../../settings/session/context.ts';
import { type Core, openCore } from '../../settings/session/core.ts';
import { printNote } from '../../settings/session/output.ts';
import { openService } from '../../settings/session/service.ts';
import { type Session, zoneOf } from '../../settings/session/session.ts';
import { historyFormat } from '../../store/file/formats.ts';
import { type ExitCode, exitCode, worseExit } from '../../system/exit.ts';
import { type JsonOption, Results } from '../results.ts';
import { findByName } from '../select-parcels.ts';

export interface AccountImportOptions extends JsonOption {
  /** Only list numbers registered since this day or time, which is in the viewer's zone unless it has an offset. */
  readonly since?: string;
  readonly dryRun?: boolean;
  readonly yes?: boolean;
}

interface AccountNumber {
  readonly record: TrackingRecord;
  readonly state: AccountNumberState;
  /** The parcel on the list, or null. */
  readonly watched: Parcel | null;
}

interface AccountContents {
  readonly numbers: readonly AccountNumber[];
  readonly fresh: readonly TrackingRecord[];
  readonly imported: number;
  readonly failure: ServiceError | null;
}

type Mode = 'import' | 'ask' | 'preview';

/**
 * Prints the numbers in the account, and adds the new ones to the watchlist with their records and histories, without
 * registering them again. If a call fails, the numbers read so far are saved.
 */
export async function runAccountImport(session: Session, options: AccountImportOptions): Promise<ExitCode> {
  const { context, configuration } = session;
  const since = readSince(options.since, configuration.zone);
  const shouldAsk = options.yes !== true && canAsk(context);
  const mode: Mode = options.dryRun === true ? 'preview' : shouldAsk ? 'ask' : 'import';
  const service = await openService(session);
  await using core = await openCore(session, service, { named: { numbers: [] } });
  const { monitor, stores } = core;
  const { serviceClock } = monitor.getState();
  // The local clock and the database's clock may differ. A slow clock would hide numbers that were just registered.
  const now = Math.max(context.clock.now(), stores.clock.now());
  const window = {
    createTimeStart: formatServiceTime(since ?? earliestTime, serviceClock),
    // A day from now, because the service clock may not be known.
    createTimeEnd: formatServiceTime(now + dayMs, serviceClock),
  };
  const askToContinue = async (sentence: string): Promise<boolean> =>
    shouldAsk && (await askYesNo(context, `${sentence} Continue reading?`));
  const contents = await readAccount(session, core, mode, listAccount(service, window, context.signal, askToContinue));
  if (contents.numbers.length > 0 && options.json !== true) {
    const viewing = { now: stores.clock.now(), serviceClock, zone: zoneOf(session) };
    printTable(session, {
      columns: accountColumns,
      rows: contents.numbers.map((number) => accountRow(session, number, viewing)),
    });
  }
  const isConfirmed = mode === 'ask' && (await confirmImport(session, contents));
  const imported = contents.imported + (isConfirmed ? (await monitor.takeOver(contents.fresh)).length : 0);
  const results = new Results(session, options);
  for (const { record, state } of contents.numbers) {
    const isImported = state === 'new' && (mode === 'import' || isConfirmed);
    const parcel = isImported ? findByName(monitor.getState().parcels, record)[0] : undefined;
    results.record(
      parcel ?? { trackNo: record.trackNo, courierCode: record.courierCode },
      isImported ? 'registered' : outcomes[state],
      state,
    );
  }
  results.end(core);
  return reportResult(session, mode, contents, imported);
}

type AccountNumberState = 'new' | 'watched' | 'archived' | 'unusable';

const accountColumns: readonly TableColumn[] = [
  { title: 'HERE', yields: 0 },
  { title: 'NUMBER', yields: 0 },
  { title: 'COURIER', yields: 1 },
  { title: 'STAGE', yields: 2 },
  { title: 'NAME', yields: 1 },
  { title: 'REGISTERED', yields: 3 },
];

const outcomes = {
  ...({ new: 'new', watched: 'known' } as const),
  ...({ archived: 'archived', unusable: 'left-out' } as const),
};

function accountRow(
  { context }: Session,
  { record, state, watched }: AccountNumber,
  viewing: Viewing & { readonly serviceClock: ServiceClock },
): readonly TableCell[] {
  const { courierCode, createTime, received, trackNo } = record;
  const { now, serviceClock } = viewing;
  const fresh = accountParcel(record, { now, random: context.random, serviceClock });
  const { parcel } = mergeRecord(fresh, historyFormat.empty, record, now);
  const texts = [watched?.label, received['orderNo'], received['remark']];
  const name = texts.find((text) => typeof text === 'string' && text !== '');
  const look = stageTable[parcelLook(parcel)];
  const at = parseServiceTime(createTime, serviceClock);
  return [
    { text: state, ...(state === 'new' ? { bold: true } : { dim: true }) },
    { text: trackNo },
    { text: courierCode ?? '' },
    { text: `${look.symbol} ${shortStatus(parcel, viewing)}`, tone: look.tone },
    { text: typeof name === 'string' ? cleanText(name) : '' },
    { text: at === null ? '' : clockText(at, now, viewing.zone), dim: true },
  ];
}

async function readAccount(
  session: Session,
  { monitor, stores }: Core,
  mode: Mode,
  pages: AsyncIterable<readonly TrackingRecord[]>,
): Promise<AccountContents> {
  const matched = new Map<string, string>();
  const numbers: AccountNumber[] = [];
  const fresh: TrackingRecord[] = [];
  let imported = 0;
  let failure: ServiceError | null = null;
  try {
    for await (const page of pages) {
      const watched = await stores.store.read(page.map(({ trackNo }) => trackNo));
      const match = matchWatched(watched.parcels, matched);
      const classified = page.map((record) => classify(session, record, match));
      const newOnPage = classified.flatMap(({ record, state }) => (state === 'new' ? [record] : []));
      numbers.push(...classified);
      fresh.push(...newOnPage);
      if (mode === 'import') imported += (await monitor.takeOver(newOnPage)).length;
    }
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    failure = error;
  }
  return { numbers, fresh, imported, failure };
}

function classify({ context }: Session, record: TrackingRecord, match: MatchWatched): AccountNumber {
  const check = normaliseTrackNo(record.trackNo);
  // The service would not find the number in a different spelling.
  if (!check.ok || !isSameNumber(check.trackNo, record.trackNo)) {
    const reason = check.ok ? 'It contains spaces or unsupported characters.' : check.message;
    printNote(context, `${cleanText(record.trackNo).slice(0, 60)} cannot be added: ${reason}`);
    return { record, state: 'unusable', watched: null };
  }
  const normalised = { ...record, trackNo: check.trackNo };
  const watched = match(normalised);
  return {
    record: normalised,
    state: watched === null ? 'new' : watched.archivedAt === null ? 'watched' : 'archived',
    watched,
  };
}

async function confirmImport({ context }: Session, { failure, fresh }: AccountContents): Promise<boolean> {
  if (fresh.length === 0 || context.signal.aborted) return false;
  if (failure !== null) printNote(context, `The account could not be read completely: ${failure.message}`);
  const what = fresh.length === 1 ? 'the new number' : `the ${fresh.length} new numbers`;
  return await askYesNo(
    context,
    `Add ${what}? ${fresh.length === 1 ? 'It is' : 'They are'} already registered, so this costs nothing.`,
  );
}

function reportResult(
  { context }: Session,
  mode: Mode,
  { failure, numbers }: AccountContents,
  imported: number,
): ExitCode {
  const count = (state: AccountNumberState): number => numbers.filter((number) => number.state === state).length;
  const unusable = count('unusable');
  const others = [
    `${count('watched')} already on the list`,
    `${count('archived')} archived`,
    ...(unusable === 0 ? [] : [`${unusable} unusable`]),
  ].join(', ');
  const isPreview = mode === 'preview' || (mode === 'ask' && imported === 0);
  const outcome = isPreview ? `${count('new')} new` : `${imported} added`;
  if (failure === null && numbers.length === 0) printNote(context, 'The account contains no matching numbers.');
  else
    printNote(context, `${outcome}, ${others}; ${isPreview ? 'nothing was changed' : 'nothing was registered again'}.`);
  const isDeclined = mode === 'ask' && imported === 0 && count('new') > 0;
  const code = isDeclined ? exitCode.failed : unusable > 0 ? exitCode.rejected : exitCode.done;
  if (context.signal.aborted) return exitCode.interrupted;
  if (failure === null) return code;
  const { message, exitCode: failed } = describeFailure(failure);
  const isEndless = failure instanceof EndlessAccountError;
  const rest = isEndless
    ? 'if numbers are missing, use --since with a later date'
    : 'run the command again to read the rest';
  const advice = isPreview ? '' : ` These are saved; ${rest}.`;
  printNote(
    context,
    `Only ${counted(numbers.length, 'number')} ${numbers.length === 1 ? 'was' : 'were'} read from the account. ${message}${advice}`,
  );
  return worseExit(failed, code);
}

/** The default start, because a service may reject a query without numbers or times. */
const earliestTime = Date.UTC(2000, 0, 1);

/** Throws a {@link UsageError} for an invalid time. */
function readSince(text: string | undefined, zone: () => string): EpochMs | null {
  if (text === undefined) return null;
  const at = parseUserTime(text, zone);
  if (at !== null) return at;
  throw new UsageError(
    `"${cleanText(text)}" is not a date. Write it like 2026-11-01 or, in local time, "2026-11-01 14:30".`,
  );
}
