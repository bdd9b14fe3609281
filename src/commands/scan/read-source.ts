import type { CourierCheck } from '../../board/courier/courier-check.ts';
import { createFindKnown, type JudgedRow, judgeRows } from '../../board/scan/judge-rows.ts';
import { rowsOfScan } from '../../board/scan/scan-row.ts';
import type { Courier } from '../../service/record/record.ts';
import type { NewParcel } from '../../watchlist/model/parcel-factory.ts';
import type { Scan } from '../../watchlist/scan/scanned-number.ts';
import type { CourierList } from '../../watchlist/state/courier-directory.ts';
import { listedCouriers, openCourierCheck } from '../input/courier-lookup.ts';
import { readBytes } from '../input/read-text.ts';
import type { Session } from '../session/session.ts';
import { readNumbers } from '../session/stores.ts';
import { withProgress } from '../session/with-progress.ts';
import type { CommonFields } from '../write/additions.ts';

const bytesOfMebibyte = 1024 * 1024;

/** A text with what was found in it. */
export interface ScannedSource {
  readonly scan: Scan;
  /** The list of Get Carriers; null when there is none. */
  readonly list: CourierList | null;
}

/**
 * Finds the numbers in a file, or in standard input (`-`); null when it was interrupted. Rejects with a `UsageError` when that cannot be
 * read.
 * @param isKept what is found is kept in a file when it was interrupted, so that the text, which may be gone by then, is
 * looked through all the same
 */
export async function scanSource(session: Session, source: string, isKept = false): Promise<ScannedSource | null> {
  const { context } = session;
  const { signal } = context;
  const bytes = await readBytes(context, source);
  const [list, { scanText }] = await Promise.all([
    listedCouriers(session),
    import('../../watchlist/scan/scan-text.ts'),
  ]);
  const couriers: readonly Courier[] = list?.couriers ?? [];
  const heeded = isKept ? {} : { signal };
  try {
    const total = Math.ceil(bytes.length / bytesOfMebibyte);
    const scan = await withProgress(session, (_, progress) =>
      scanText(bytes, {
        couriers,
        ...heeded,
        onProgress: (share) => progress.show({ done: Math.floor(share * total), total, deed: 'MiB searched' }),
      }),
    );
    return signal.aborted && !isKept ? null : { scan, list };
  } catch (error) {
    if (signal.aborted) return null;
    throw error;
  }
}

/** How what was found stands to the watchlist, row by row; a courier of the user's is that of all that name none. */
export async function judgeFound(
  session: Session,
  { list, scan }: ScannedSource,
  common: CommonFields,
): Promise<readonly JudgedRow[]> {
  const rows = rowsOfScan(scan).map((row) => ({ ...row, courierCode: row.courierCode ?? common.courierCode }));
  const codes = rows.map(({ courierCode }) => courierCode);
  const check: CourierCheck = await openCourierCheck(session, codes, { list, meant: (text) => text });
  return judgeRows(rows, createFindKnown(await readNumbers(session, rows)), check);
}

/** A number that was found, with what all numbers of the command have in common. */
export const withCommon = (parcel: NewParcel, common: CommonFields): NewParcel => ({
  ...common,
  trackNo: parcel.trackNo,
  label: parcel.label,
  courierCode: parcel.courierCode ?? common.courierCode,
  postalCode: parcel.postalCode ?? common.postalCode,
  phoneSuffix: parcel.phoneSuffix ?? common.phoneSuffix,
  merchant: { ...parcel.merchant, ...common.merchant },
});
