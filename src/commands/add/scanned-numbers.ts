import { formatInstant } from '../../board/parcel-json.ts';
import { createFindKnown, type JudgedRow, judgeRows } from '../../board/scan/judge-rows.ts';
import { scanCells } from '../../board/scan/scan-lines.ts';
import { parcelOfRow, rowsOfScan } from '../../board/scan/scan-row.ts';
import type { EpochMs } from '../../lib/clock.ts';
import type { Table, TableCell, TableColumn } from '../../lib/table.ts';
import type { NewParcel } from '../../parcels/parcel-factory.ts';
import { parcelState } from '../../parcels/parcel-stage.ts';
import type { AppliedAddition } from '../../polling/apply-additions.ts';
import type { CallCost } from '../../polling/gate/call-rules.ts';
import type { Scan } from '../../scan/found-number.ts';
import { courierNamer } from '../../service/couriers.ts';
import { readBytes } from '../../settings/read-text.ts';
import { readNumbers } from '../../settings/session/open-stores.ts';
import { openProgress } from '../../settings/session/progress.ts';
import type { Session } from '../../settings/session/session.ts';
import type { CommonFields } from '../additions.ts';
import { type CourierLookup, listedCouriers } from '../courier-lookup.ts';
import type { ScanJson, ScannedJson } from '../published-schemas.ts';

const bytesPerMebibyte = 1024 * 1024;

export interface ScannedSource {
  readonly scan: Scan;
  readonly couriers: CourierLookup;
}

/** A found number, and the parcel that it becomes if it is added. */
export interface FoundRow extends JudgedRow {
  readonly newParcel: NewParcel;
}

export interface Reading extends ScannedSource {
  readonly rows: readonly FoundRow[];
  readonly cost: CallCost;
}

/**
 * Returns null after an interruption. Throws a `UsageError` if the source cannot be read.
 * @param isKept whether to search the whole text even after an interruption, because `--left` saves what was found
 */
export async function scanSource(session: Session, source: string, isKept: boolean): Promise<ScannedSource | null> {
  const { context } = session;
  const { signal } = context;
  const bytes = await readBytes(context, source);
  const [couriers, { scanText }] = await Promise.all([listedCouriers(session), import('../../scan/scan-text.ts')]);
  try {
    const total = Math.ceil(bytes.length / bytesPerMebibyte);
    using progress = await openProgress(session);
    const scan = await scanText(bytes, {
      couriers: couriers.list?.couriers ?? [],
      ...(isKept ? {} : { signal }),
      onProgress: (share) => progress.show({ done: Math.floor(share * total), total, action: 'MiB searched' }),
    });
    return signal.aborted && !isKept ? null : { scan, couriers };
  } catch (error) {
    if (signal.aborted) return null;
    throw error;
  }
}

/** Compares the found numbers with the watchlist. `--courier` applies to numbers whose courier the text does not name. */
export async function judgeFound(
  session: Session,
  { couriers, scan }: ScannedSource,
  common: CommonFields,
): Promise<readonly FoundRow[]> {
  const rows = rowsOfScan(scan).map((row) => ({ ...row, courierCode: row.courierCode ?? common.courierCode }));
  const judged = judgeRows(rows, createFindKnown(await readNumbers(session, rows)), couriers.check);
  return judged.map((row) => ({ ...row, newParcel: withCommon(parcelOfRow(row), common) }));
}

export const withCommon = (parcel: NewParcel, common: CommonFields): NewParcel => ({
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
  { cost: { calls, registrations }, couriers: { list }, rows, scan: { format, leftOut, problems } }: Reading,
  results: ReadonlyMap<JudgedRow, AppliedAddition>,
  now: EpochMs,
): ScanJson {
  const names = courierNamer(list?.couriers ?? []);
  return {
    version: 1,
    generatedAt: formatInstant(now),
    format,
    cost: { registrations, calls },
    numbers: rows.map((row) => scannedJson(row, results.get(row) ?? null, names)),
    problems: problems.map(({ message, place }) => ({ message, place: { ...place } })),
    leftOut,
  };
}

function scannedJson(row: JudgedRow, result: AppliedAddition | null, names: (code: string) => string): ScannedJson {
  const { candidates, certainty, courierCode, evidence, isSelected, label, places, remark, state, trackNo } = row;
  return {
    trackNo,
    courierCode,
    courierName: courierCode === null ? null : names(courierCode),
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

export function scanTable({ couriers: { list }, rows }: Reading): Table {
  const names = courierNamer(list?.couriers ?? []);
  const cells = rows.map((row): readonly TableCell[] => {
    const { courier, label, number, place, state } = scanCells(row, null, names);
    const look = row.isSelected ? { bold: true } : { dim: true };
    return [
      { text: state, ...look },
      { text: number, ...look },
      { text: courier },
      { text: label },
      { text: place, dim: true },
    ];
  });
  return { columns, rows: cells };
}
