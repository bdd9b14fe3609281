import { formatInstant } from '../../board/parcel-json.ts';
import { createParcelFinder, type JudgedRow, judgeRows } from '../../board/scan/judge-rows.ts';
import { scanCells } from '../../board/scan/scan-lines.ts';
import { parcelFromRow, rowsFromScan } from '../../board/scan/scan-row.ts';
import { cleanText } from '../../lib/clean-text.ts';
import type { EpochMs } from '../../lib/clock.ts';
import type { Table, TableCell, TableColumn } from '../../lib/table.ts';
import { counted } from '../../lib/text.ts';
import { identityKey } from '../../parcels/identity.ts';
import type { NewParcel } from '../../parcels/parcel-factory.ts';
import { parcelState } from '../../parcels/parcel-state.ts';
import { createAccountActions } from '../../polling/account.ts';
import { type AppliedAddition, type ApplyAdditions, applyAdditions } from '../../polling/apply-additions.ts';
import type { CallCost } from '../../polling/gate/call-rules.ts';
import type { Scan } from '../../scan/found-number.ts';
import { courierNamer } from '../../service/couriers.ts';
import { CancelledError } from '../../service/port.ts';
import { readBytes } from '../../settings/read-text.ts';
import { type Core, openCore } from '../../settings/session/core.ts';
import { courierDirectory, readNumbers } from '../../settings/session/open-stores.ts';
import { printNote } from '../../settings/session/output.ts';
import { type Connection, connect } from '../../settings/session/service.ts';
import { type Session, zoneOf } from '../../settings/session/session.ts';
import { firstView } from '../../store/saved-view.ts';
import { type ExitCode, exitCode } from '../../system/exit.ts';
import { type CommonFields, concludeAdding, interruptedText, printResults } from '../additions.ts';
import { type CourierLookup, openCourierList } from '../couriers.ts';
import type { ScanJson, ScannedJson } from '../published-schemas.ts';
import { batchLimits, lacksExtra } from '../register.ts';
import { openProgress, Results } from '../results.ts';

const bytesPerMebibyte = 1024 * 1024;

interface ScannedSource {
  readonly scan: Scan;
  readonly couriers: CourierLookup;
}

export interface FoundRow extends JudgedRow {
  readonly newParcel: NewParcel;
}

export interface ScanReport extends ScannedSource {
  readonly rows: readonly FoundRow[];
  readonly cost: CallCost;
}

/**
 * Returns null after an interruption. Throws a `UsageError` if the source cannot be read.
 * @param ignoresInterrupt whether to search the whole text even after an interruption, because `--left` saves what is
 * found
 */
export async function scanSource(
  session: Session,
  source: string,
  ignoresInterrupt: boolean,
): Promise<ScannedSource | null> {
  const { context } = session;
  const { signal } = context;
  const bytes = await readBytes(context, source);
  const [couriers, { scanText }] = await Promise.all([openCourierList(session), import('../../scan/scan-text.ts')]);
  try {
    const total = Math.ceil(bytes.length / bytesPerMebibyte);
    using progress = await openProgress(session);
    const scan = await scanText(bytes, {
      couriers: couriers.list?.couriers ?? [],
      ...(ignoresInterrupt ? {} : { signal }),
      onProgress: (share) => progress.show({ done: Math.floor(share * total), total, action: 'MiB searched' }),
    });
    return signal.aborted && !ignoresInterrupt ? null : { scan, couriers };
  } catch (error) {
    if (signal.aborted) return null;
    throw error;
  }
}

/** Compares the found numbers with the watchlist. `--courier` applies to numbers whose courier the text does not name. */
export async function judgeScan(
  session: Session,
  { couriers, scan }: ScannedSource,
  common: CommonFields,
): Promise<readonly FoundRow[]> {
  const rows = rowsFromScan(scan).map((row) => ({ ...row, courierCode: row.courierCode ?? common.courierCode }));
  const judgedRows = judgeRows(rows, createParcelFinder(await readNumbers(session, rows)), couriers.check);
  return judgedRows.map((row) => ({ ...row, newParcel: withCommonFields(parcelFromRow(row), common) }));
}

const withCommonFields = (parcel: NewParcel, common: CommonFields): NewParcel => ({
  ...common,
  trackNo: parcel.trackNo,
  label: parcel.label,
  courierCode: parcel.courierCode ?? common.courierCode,
  postalCode: parcel.postalCode ?? common.postalCode,
  phoneSuffix: parcel.phoneSuffix ?? common.phoneSuffix,
  merchant: { ...parcel.merchant, ...common.merchant },
});

/** Returns the document of `add --scan --json`. If you change its shape, increase `version`. */
export function scanJson(
  { cost: { calls, registrations }, couriers: { list }, rows, scan: { format, leftOut, problems } }: ScanReport,
  results: ReadonlyMap<JudgedRow, AppliedAddition>,
  now: EpochMs,
): ScanJson {
  const nameCourier = courierNamer(list?.couriers ?? []);
  return {
    version: 1,
    generatedAt: formatInstant(now),
    format,
    cost: { registrations, calls },
    numbers: rows.map((row) => scannedJson(row, results.get(row) ?? null, nameCourier)),
    problems: problems.map(({ message, place }) => ({ message, place: { ...place } })),
    leftOut,
  };
}

function scannedJson(
  row: JudgedRow,
  result: AppliedAddition | null,
  nameCourier: (code: string) => string,
): ScannedJson {
  const { candidates, certainty, courierCode, evidence, isSelected, label, places, remark, state, trackNo } = row;
  return {
    trackNo,
    courierCode,
    courierName: courierCode === null ? null : nameCourier(courierCode),
    candidates: candidates.map(({ courierCode: code, name }) => ({ courierCode: code, courierName: name })),
    label,
    evidence: evidence === 'entered' ? 'looks' : evidence,
    trust: certainty,
    places: [...places],
    standing: state,
    added: isSelected,
    remark,
    result: result === null ? null : parcelState(result.parcel),
  };
}

const columns: readonly TableColumn[] = [
  { title: 'STATE', yields: 0 },
  { title: 'NUMBER', yields: 0 },
  { title: 'COURIER', yields: 1 },
  { title: 'LABEL', yields: 2, maxWidth: 40 },
  { title: 'FOUND IN', yields: 3, maxWidth: 40 },
];

export function scanTable({ couriers: { list }, rows }: ScanReport): Table {
  const nameCourier = courierNamer(list?.couriers ?? []);
  const cells = rows.map((row): readonly TableCell[] => {
    const { courier, label, number, place, state } = scanCells(row, null, nameCourier);
    const style = row.isSelected ? { bold: true } : { dim: true };
    return [
      { text: state, ...style },
      { text: number, ...style },
      { text: courier },
      { text: label },
      { text: place, dim: true },
    ];
  });
  return { columns, rows: cells };
}

/** Lets the user choose from the found numbers on the board, and prints a line for each number that was added. */
export async function runPreview(
  session: Session,
  source: string,
  { scan }: ScannedSource,
  common: CommonFields,
): Promise<ExitCode> {
  const connection = await connect(session);
  const numbers = scan.numbers.map(({ trackNo }) => trackNo);
  await using core = await openCore(session, connection.service, { named: { numbers } });
  const batchAdder = createBatchAdder(session, core, connection, common);
  const end = await session.context.showBoard({
    ...boardServices(session, core, connection),
    initialScan: { source: source === '-' ? 'standard input' : cleanText(source), scan },
    applyAdditions: batchAdder.apply,
  });
  await batchAdder.stop();
  if (end.reason === 'error') throw end.error;
  return conclude(session, connection, batchAdder.outcome, end.reason === 'interrupted');
}

/** Saves and registers batch by batch, so that nothing is spent on the remaining numbers if the user stops. */
function createBatchAdder(session: Session, { monitor }: Core, connection: Connection, common: CommonFields) {
  const outcome = {
    results: new Map<string, AppliedAddition>(),
    notAdded: new Map<string, NewParcel>(),
    isStopped: false,
  };
  const stopController = new AbortController();
  let lastBatch: Promise<void> = Promise.resolve();
  const apply: ApplyAdditions = async (parcels, options) => {
    const newParcels = parcels.map((parcel) => withCommonFields(parcel, common));
    const addition = applyAdditions(monitor, newParcels, {
      ...options,
      checks: true,
      clock: session.context.clock,
      registers: connection.service !== null,
      batchSize: batchLimits(session).register,
      signal: AbortSignal.any([options.signal, stopController.signal, session.context.signal]),
    });
    const bookkeeping = addition.then(({ failure, remaining, results }) => {
      for (const result of results) {
        const key = identityKey(newParcels[result.index] ?? result.parcel);
        outcome.results.set(key, result);
        outcome.notAdded.delete(key);
      }
      for (const parcel of remaining.flatMap((index) => newParcels[index] ?? []))
        outcome.notAdded.set(identityKey(parcel), parcel);
      outcome.isStopped = failure instanceof CancelledError || (outcome.isStopped && outcome.notAdded.size > 0);
    });
    // The caller reports failures.
    lastBatch = bookkeeping.catch(() => undefined);
    return await addition;
  };
  const stop = (): Promise<void> => {
    stopController.abort();
    return lastBatch;
  };
  return { apply, outcome, stop };
}

/** The monitor does not poll, because only the chosen numbers may be registered. */
function boardServices(session: Session, { monitor, stores }: Core, { service }: Connection) {
  const { configuration, context, style } = session;
  return {
    monitor: { ...monitor, start: () => undefined },
    couriers: courierDirectory(session, service, stores.couriers),
    zone: zoneOf(session),
    title: false,
    notificationSwitch: null,
    setup: { kind: 'ready' },
    setupEffects: null,
    facts: [],
    account: createAccountActions(monitor, service),
    clockSkew: () => service?.clockSkew() ?? null,
    hasDefaultExtra: (courierCode: string) => !lacksExtra(configuration, courierCode),
    glyphs: style.glyphs,
    colour: style.colour,
    badge: null,
    view: { ...firstView, newsSeq: monitor.changeSeq() },
    keepView: () => undefined,
    signal: context.signal,
  } as const;
}

const maxNamed = 5;

function notAddedText(parcels: readonly NewParcel[]): string {
  const numbers = parcels.slice(0, maxNamed).map(({ trackNo }) => trackNo);
  const more = parcels.length - numbers.length;
  if (more === 0) return `Not added: ${numbers.join(', ')}.`;
  return `${counted(parcels.length, 'number')} not added: ${numbers.join(', ')} and ${more} more. To add the rest, scan the same text again.`;
}

function conclude(
  session: Session,
  connection: Connection,
  { isStopped, notAdded, results: byIdentity }: ReturnType<typeof createBatchAdder>['outcome'],
  isInterrupted: boolean,
): ExitCode {
  const { context } = session;
  const results = [...byIdentity.values()];
  printResults(new Results(session), results);
  if (notAdded.size > 0) printNote(context, notAddedText([...notAdded.values()]));
  const wasInterrupted = isStopped || context.signal.aborted;
  if (results.length === 0) {
    printNote(context, 'Nothing was added.');
    return wasInterrupted || isInterrupted ? exitCode.interrupted : exitCode.failed;
  }
  if (wasInterrupted) {
    if (notAdded.size === 0) printNote(context, interruptedText(results.map(({ parcel }) => parcel)));
    return exitCode.interrupted;
  }
  const code = concludeAdding(session, connection, { failure: null, results }, []);
  return notAdded.size > 0 ? exitCode.failed : code;
}
