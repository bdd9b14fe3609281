import { parcelTitle } from '../../board/status/view-stage.ts';
import { inBatches } from '../../polling/schedule/in-batches.ts';
import { RequestRefusedError, ServiceError } from '../../service/failures/errors.ts';
import type { Parcel } from '../../watchlist/model/parcel.ts';
import type { Board } from '../board.ts';
import { inBackground, showMessage } from '../footer/messages.ts';
import { withoutMarks } from './state.ts';

/** Why something was not done to parcels, by their ids. */
export type Failures = ReadonlyMap<string, Error>;

/** Something that is done to several parcels. */
export interface Deed {
  /** Parcels that are done at once; all when left out. */
  readonly batchSize?: number;
  /** What is under way, e.g. `Deleting`; said where it takes several batches, or `isSlow`. */
  readonly doing: string;
  readonly isSlow?: boolean;
  /** What was done to so many, e.g. `3 archived`. */
  readonly done: (what: string) => string;
  /** Does it to a batch; what it throws concerns the whole batch, and ends the rest where the service is in trouble. */
  readonly act: (parcels: readonly Parcel[]) => Promise<Failures>;
  readonly advice?: string;
}

/** One parcel by its title, several by their number. */
export function countWords(parcels: readonly Parcel[]): string {
  const [only, ...others] = parcels;
  return only !== undefined && others.length === 0 ? parcelTitle(only) : String(parcels.length);
}

/** Titles that a message names. */
const mostNamed = 3;

/**
 * Does something to parcels as one step of undo, says how far it is and what came of it. Those for which it succeeded are
 * marked no more; those for which it failed are named and stay marked.
 */
export function actOnSeveral(board: Board, parcels: readonly Parcel[], deed: Deed): void {
  const { change, monitor } = board;
  change({ marked: board.marks.ids, rangeFrom: null });
  inBackground(board, async () => {
    const failures = await monitor.together(() => inTurn(board, parcels, deed));
    const succeeded = parcels.filter(({ id }) => !failures.has(id));
    change((ui) =>
      withoutMarks(
        ui,
        succeeded.map(({ id }) => id),
      ),
    );
    const advice = succeeded.length === 0 ? {} : { advice: deed.advice ?? 'u undoes.' };
    const done = succeeded.length === 0 ? '' : `${deed.done(countWords(succeeded))}.`;
    if (failures.size === 0) showMessage(board, done, advice);
    else {
      const failed = failureWords(parcels, failures);
      showMessage(board, [done, failed].filter((part) => part !== '').join(' '), { tone: 'attention', ...advice });
    }
  });
}

async function inTurn(board: Board, parcels: readonly Parcel[], deed: Deed): Promise<Failures> {
  const { act, batchSize = parcels.length, doing, isSlow = false } = deed;
  const failures = new Map<string, Error>();
  let begun = 0;
  let trouble: Error | null = null;
  for (const batch of inBatches(parcels, batchSize)) {
    if (isSlow || batchSize < parcels.length) showMessage(board, progressWords(doing, begun, parcels.length));
    begun += batch.length;
    const found: Failures = trouble === null ? await tried(act, batch) : all(batch, trouble);
    for (const [id, error] of found) failures.set(id, error);
    trouble ??= [...found.values()].find(concernsAll) ?? null;
  }
  return failures;
}

const progressWords = (doing: string, done: number, all: number): string =>
  done === 0 ? `${doing} ${all === 1 ? '1 parcel' : `${all} parcels`}…` : `${doing}: ${done} of ${all}…`;

async function tried(act: Deed['act'], batch: readonly Parcel[]): Promise<Failures> {
  try {
    return await act(batch);
  } catch (thrown) {
    return all(batch, thrown instanceof Error ? thrown : new Error(String(thrown)));
  }
}

const all = (parcels: readonly Parcel[], error: Error): Failures => new Map(parcels.map(({ id }) => [id, error]));

/** Where the service is in trouble, the next number meets the same. */
const concernsAll = (error: Error): boolean => error instanceof ServiceError && !(error instanceof RequestRefusedError);

function failureWords(parcels: readonly Parcel[], failures: Failures): string {
  const failed = parcels.filter(({ id }) => failures.has(id));
  const [first] = failures.values();
  return `Failed and still marked: ${namesOf(failed)}. ${first?.message ?? ''}`;
}

/** The first of some parcels by their titles, the others by their number. */
export function namesOf(parcels: readonly Parcel[]): string {
  const named = parcels.slice(0, mostNamed).map(parcelTitle).join(', ');
  return parcels.length > mostNamed ? `${named} and ${parcels.length - mostNamed} more` : named;
}

/** Does something to all of some parcels together: what fails, fails for all. */
export async function inOneWrite(
  parcels: readonly Parcel[],
  write: (parcelIds: readonly string[]) => Promise<void>,
): Promise<Failures> {
  await write(parcels.map(({ id }) => id));
  return new Map();
}

/** Does something to each of some parcels at once; answers why of those for which it failed. */
export async function onEach(parcels: readonly Parcel[], act: (parcel: Parcel) => Promise<unknown>): Promise<Failures> {
  const outcomes = await Promise.allSettled(parcels.map(act));
  return new Map(
    parcels.flatMap(({ id }, position): [string, Error][] => {
      const outcome = outcomes[position];
      if (outcome?.status !== 'rejected') return [];
      const { reason } = outcome as { readonly reason: unknown };
      return [[id, reason instanceof Error ? reason : new Error(String(reason))]];
    }),
  );
}
