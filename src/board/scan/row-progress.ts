import type { Parcel } from '../../watchlist/model/parcel.ts';
import { counted } from '../text/counted.ts';
import type { Tone } from '../text/line.ts';

/** What became of a row that was to be added. */
export type RowProgress =
  /** Its turn is still to come. */
  | { readonly kind: 'queued' }
  /** On the watchlist, and being registered. */
  | { readonly kind: 'registering' }
  | { readonly kind: 'registered' }
  /** On the watchlist: it was archived before. */
  | { readonly kind: 'restored' }
  /** On the watchlist; it is registered as soon as the service can be called. */
  | { readonly kind: 'pending' }
  /** On the watchlist before it came to that. */
  | { readonly kind: 'known' }
  /** The service does not take it. */
  | { readonly kind: 'rejected'; readonly reason: string }
  /** Not on the watchlist. */
  | { readonly kind: 'failed'; readonly reason: string };

/** How it is shown what became of a row. */
interface ProgressLook {
  /** A word or two. */
  readonly word: string;
  readonly sign: string;
  /** Of word and sign. */
  readonly tone: Tone;
}

/** The looks of all that can become of a row. */
export const progressLooks: Readonly<Record<RowProgress['kind'], ProgressLook>> = {
  queued: { word: 'waits', sign: '○', tone: 'quiet' },
  registering: { word: 'registering', sign: '↻', tone: 'moving' },
  registered: { word: 'added', sign: '✓', tone: 'done' },
  restored: { word: 'restored', sign: '✓', tone: 'done' },
  pending: { word: 'saved', sign: '◔', tone: 'today' },
  known: { word: 'watched', sign: '✓', tone: 'done' },
  rejected: { word: 'rejected', sign: '✗', tone: 'attention' },
  failed: { word: 'not added', sign: '✗', tone: 'attention' },
};

/** Whether it is on the watchlist, so that nothing is left to do about it. */
export const isSettled = ({ kind }: RowProgress): boolean =>
  kind !== 'rejected' && kind !== 'failed' && kind !== 'queued';

/** How a parcel stands that was put on the watchlist. */
export function progressOf(
  kind: 'added' | 'duplicate' | 'restored' | 'retried',
  { error, registration }: Pick<Parcel, 'error' | 'registration'>,
  isUnderWay: boolean,
): RowProgress {
  if (registration === 'rejected') return { kind: 'rejected', reason: error?.message ?? 'The service gave no reason.' };
  if (registration === 'pending') return { kind: isUnderWay ? 'registering' : 'pending' };
  if (kind === 'duplicate') return { kind: 'known' };
  return { kind: kind === 'restored' ? 'restored' : 'registered' };
}

/** What came of all rows that were to be added, as a sentence. */
export function resultWords(all: readonly RowProgress[]): string {
  const count = (...kinds: readonly RowProgress['kind'][]): number =>
    all.filter(({ kind }) => kinds.includes(kind)).length;
  const added = count('registered', 'restored', 'registering');
  const parts = [
    [added, 'added'],
    [count('pending'), 'saved, to be registered later'],
    [count('known'), 'watched already'],
    [count('rejected'), 'rejected by the service'],
    [count('failed', 'queued'), 'not added'],
  ] as const;
  if (added === all.length && added > 0) return `Added ${counted(added, 'number')}.`;
  const said = parts.filter(([number]) => number > 0).map(([number, what]) => `${number} ${what}`);
  return said.length === 0 ? 'Nothing was added.' : `${said.join(', ')}.`;
}
