import { parcelTitle } from '../../board/parcel-facts.ts';
import { toError } from '../../lib/error-text.ts';
import { counted } from '../../lib/text.ts';
import type { Parcel } from '../../parcels/parcel.ts';
import { RequestRefusedError, ServiceError } from '../../service/port.ts';
import { splitIntoBatches } from '../../store/store.ts';
import type { Board } from '../board.ts';
import { inBackground, showMessage } from '../footer.ts';
import { removeMarks } from '../list/keys.ts';

/** Failures by parcel id. */
type Failures = ReadonlyMap<string, Error>;

export interface ParcelAction {
  /** By default, all parcels are one batch. */
  readonly batchSize?: number;
  /** For example `Deleting 3 parcels`. Absent for immediate actions. */
  readonly progressText?: (what: string) => string;
  /** For example `Archived 3 parcels`. */
  readonly doneText: (what: string, count: number) => string;
  /** Acts on a batch. An error fails the whole batch, and a service error also skips the remaining batches. */
  readonly act: (parcels: readonly Parcel[]) => Promise<Failures>;
}

export function describeParcels(parcels: readonly Parcel[]): string {
  const [only, ...others] = parcels;
  return only !== undefined && others.length === 0 ? parcelTitle(only) : counted(parcels.length, 'parcel');
}

const maxNames = 3;

/**
 * Acts on parcels as one undo step, and shows the progress and the result. Unmarks the parcels that succeeded. Those
 * that failed are named in the message and stay marked.
 */
export function actOnParcels(board: Board, parcels: readonly Parcel[], action: ParcelAction): void {
  const { change, marks, monitor } = board;
  change({ marked: marks.ids, rangeStartId: null });
  inBackground(board, async () => {
    const failures = await monitor.together(() => actInBatches(board, parcels, action));
    const [failure] = failures.values();
    if (failure !== undefined && parcels.length === 1) throw failure;
    const succeeded = parcels.filter(({ id }) => !failures.has(id));
    change(removeMarks(succeeded));
    const advice = succeeded.length === 0 ? {} : { advice: 'Press u to undo.' };
    const done = succeeded.length === 0 ? '' : `${action.doneText(describeParcels(succeeded), succeeded.length)}.`;
    if (failure === undefined) return showMessage(board, done, advice);
    const failed = parcels.filter(({ id }) => failures.has(id));
    const failedText = `Failed${marks.ids.size === 0 ? '' : ' and still marked'}: ${listNames(failed)}. ${failure.message}`;
    showMessage(board, [done, failedText].filter((part) => part !== '').join(' '), { tone: 'attention', ...advice });
  });
}

async function actInBatches(board: Board, parcels: readonly Parcel[], action: ParcelAction): Promise<Failures> {
  const { act, batchSize = parcels.length, progressText } = action;
  const failures = new Map<string, Error>();
  let started = 0;
  let serviceFailure: Error | null = null;
  for (const batch of splitIntoBatches(parcels, batchSize)) {
    if (progressText !== undefined)
      showMessage(board, `${progressText(describeParcels(parcels))}${started === 0 ? '' : `: ${started} done`}…`);
    started += batch.length;
    const batchFailures: Failures =
      serviceFailure === null ? await attempt(act, batch) : failAll(batch, serviceFailure);
    for (const [id, error] of batchFailures) failures.set(id, error);
    serviceFailure ??= [...batchFailures.values()].find(isServiceFailure) ?? null;
  }
  return failures;
}

async function attempt(act: ParcelAction['act'], batch: readonly Parcel[]): Promise<Failures> {
  try {
    return await act(batch);
  } catch (thrown) {
    return failAll(batch, toError(thrown));
  }
}

const failAll = (parcels: readonly Parcel[], error: Error): Failures => new Map(parcels.map(({ id }) => [id, error]));

const isServiceFailure = (error: Error): boolean =>
  error instanceof ServiceError && !(error instanceof RequestRefusedError);

export function listNames(parcels: readonly Parcel[]): string {
  const names = parcels.slice(0, maxNames).map(parcelTitle).join(', ');
  return parcels.length > maxNames ? `${names} and ${parcels.length - maxNames} more` : names;
}

/** Acts on all parcels in one write, except for those that were removed elsewhere, which fail. */
export async function actInOneWrite(
  { monitor }: Board,
  parcels: readonly Parcel[],
  write: (parcelIds: readonly string[]) => Promise<void>,
): Promise<Failures> {
  const missingIds = new Set(parcels.map(({ id }) => id));
  for (const { id } of monitor.getState().parcels) missingIds.delete(id);
  await write(parcels.flatMap(({ id }) => (missingIds.has(id) ? [] : [id])));
  return new Map([...missingIds].map((id) => [id, new Error('It is no longer on the list.')]));
}
