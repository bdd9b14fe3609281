import type { JudgedRow } from '../../board/scan/judge-rows.ts';
import type { AppliedAddition } from '../../polling/additions/apply-additions.ts';
import type { CallCost } from '../../polling/gate/call-cost.ts';
import type { EpochMs } from '../../service/clock/clock.ts';
import { courierNamer } from '../../service/record/courier-words.ts';
import { parcelState } from '../../watchlist/rules/parcel-state.ts';
import type { Scan } from '../../watchlist/scan/scanned-number.ts';
import type { CourierList } from '../../watchlist/state/courier-directory.ts';
import { formatInstant } from '../output/parcel-json.ts';
import type { ScanJson, ScannedJson } from '../output/scan-schema.ts';

/** What is printed of a text that was looked through. */
interface ScanJsonInput {
  readonly scan: Scan;
  readonly rows: readonly JudgedRow[];
  /** The list of Get Carriers; null when there is none. */
  readonly list: CourierList | null;
  /** What became of those that were added. */
  readonly results: ReadonlyMap<JudgedRow, AppliedAddition>;
  /** What adding would cost. */
  readonly cost: Pick<CallCost, 'calls' | 'registrations'>;
  readonly now: EpochMs;
}

/** What `add --scan --json` prints, with the end of its last line. Changes to its shape raise `version`. */
export function scanJson({ cost: { calls, registrations }, list, now, results, rows, scan }: ScanJsonInput): string {
  const { format, leftOut, problems } = scan;
  const names = courierNamer(list?.couriers ?? []);
  const answer: ScanJson = {
    version: 1,
    generatedAt: formatInstant(now),
    format,
    cost: { registrations, calls },
    numbers: rows.map((row) => scannedJson(row, results.get(row) ?? null, names)),
    problems: problems.map(({ message, place }) => ({ message, place: { ...place } })),
    leftOut,
  };
  return `${JSON.stringify(answer, null, 2)}\n`;
}

function scannedJson(row: JudgedRow, result: AppliedAddition | null, names: (code: string) => string): ScannedJson {
  const { courierCode, found, isTaken, label, remark, standing, trackNo } = row;
  return {
    trackNo,
    courierCode,
    courierName: courierCode === null ? null : names(courierCode),
    candidates: found.candidates.map(({ courierCode: code, name }) => ({ courierCode: code, courierName: name })),
    label,
    evidence: found.evidence === 'entered' ? 'looks' : found.evidence,
    trust: found.trust,
    places: found.places.map((place) => ({ ...place })),
    standing,
    added: isTaken,
    remark,
    result: result === null ? null : parcelState(result.parcel),
  };
}
