import { cellWidth } from '../../lib/cells.ts';
import type { Tone } from '../../lib/paint.ts';
import { counted } from '../../lib/text.ts';
import type { Parcel } from '../../parcels/parcel.ts';
import type { Evidence, Scan, ScanPlace, ScanProblem } from '../../scan/found-number.ts';
import type { JudgedRow } from './judge-rows.ts';

export const stateText = ({ remark, state, choice }: JudgedRow): string =>
  state === 'new' && remark !== null && choice === null ? 'doubtful' : state.replace('-', ' ');

/** Returns a courier's name, or its code if the name is unknown. */
export type CourierNames = (courierCode: string) => string;

const maxNamed = 3;

/** Returns the courier, or the candidates with a question mark if it is unknown. Empty if there aren't any. */
export function courierText(
  { candidates: all, courierCode: rowCode, parcel }: Pick<JudgedRow, 'candidates' | 'courierCode' | 'parcel'>,
  names: CourierNames,
): string {
  const courierCode = rowCode ?? parcel?.courierCode ?? null;
  if (courierCode !== null)
    return all.find((candidate) => candidate.courierCode === courierCode)?.name ?? names(courierCode);
  const candidates = [...new Set(all.map(({ name }) => name))];
  if (candidates.length === 0) return '';
  const more = candidates.length > maxNamed ? ' …' : '';
  return `${candidates.slice(0, maxNamed).join(' or ')}${more}?`;
}

export const evidenceText: Readonly<Record<Evidence, string>> = {
  'parcel-delivery': 'The sender marked it as a parcel',
  link: 'Found in a link to a tracking page',
  'check-digit': 'Matches a courier’s format, with a correct check digit',
  pattern: 'Matches a courier’s format',
  looks: 'Looks like a tracking number',
  entered: 'Entered',
};

/** Describes a place, such as `line 3` or `order.html, line 12`. */
export function placeText({ message, part, line, subject }: ScanPlace): string {
  const parts = [
    ...(message === null ? [] : [`email ${message}`]),
    ...(part === null || part === 'text' ? [] : [part]),
    ...(line === null ? [] : [`line ${line}`]),
  ];
  if (parts.length > 0) return parts.join(', ');
  return subject === null ? '' : `“${subject}”`;
}

/** Shortens the description of a place to fit a width, without cutting a number in two. */
export function fitPlace(text: string, width: number): string {
  if (cellWidth(text) <= width) return text;
  const first = text.replace(/ \+\d+$/, '');
  const line = /(?:^|, )(line \d+)$/.exec(first)?.[1];
  const shorter = [first, ...(line === undefined ? [] : [line, line.slice('line '.length), '…'])];
  return shorter.find((candidate) => cellWidth(candidate) <= width) ?? text;
}

export function placesSentence(places: readonly ScanPlace[]): string {
  const descriptions = places.slice(0, 3).map((place) => {
    const text = placeText(place);
    return place.subject === null || text === `“${place.subject}”` ? text : `${text} of “${place.subject}”`;
  });
  const hiddenCount = places.length - descriptions.length;
  return (
    [...new Set(descriptions.filter((text) => text !== ''))].join('; ') +
    (hiddenCount > 0 ? `; ${hiddenCount} more` : '')
  );
}

export type RowProgress =
  | {
      /** `pending`: saved, and will be registered later. `known`: already on the watchlist. */
      readonly kind: 'queued' | 'registering' | 'registered' | 'restored' | 'pending' | 'known';
    }
  | { readonly kind: 'rejected' | 'failed'; readonly reason: string };

type ProgressLook = Readonly<Record<'word' | 'symbol', string>> & { readonly tone: Tone };

export const progressLooks: Readonly<Record<RowProgress['kind'], ProgressLook>> = {
  queued: { word: 'waiting', symbol: '○', tone: 'quiet' },
  registering: { word: 'registering', symbol: '↻', tone: 'moving' },
  registered: { word: 'added', symbol: '✓', tone: 'done' },
  restored: { word: 'restored', symbol: '✓', tone: 'done' },
  pending: { word: 'saved', symbol: '◔', tone: 'today' },
  known: { word: 'watched', symbol: '✓', tone: 'done' },
  rejected: { word: 'rejected', symbol: '✗', tone: 'attention' },
  failed: { word: 'not added', symbol: '✗', tone: 'attention' },
};

export const isSettled = ({ kind }: RowProgress): boolean =>
  kind !== 'rejected' && kind !== 'failed' && kind !== 'queued';

export function rowProgress(
  kind: 'added' | 'duplicate' | 'restored' | 'retried',
  { error, registration }: Pick<Parcel, 'error' | 'registration'>,
  isUnderWay: boolean,
): RowProgress {
  if (registration === 'rejected') return { kind: 'rejected', reason: error?.message ?? 'The service gave no reason.' };
  if (registration === 'pending') return { kind: isUnderWay ? 'registering' : 'pending' };
  if (kind === 'duplicate') return { kind: 'known' };
  return { kind: kind === 'restored' ? 'restored' : 'registered' };
}

export function resultText(all: readonly RowProgress[]): string {
  const count = (...kinds: readonly RowProgress['kind'][]): number =>
    all.filter(({ kind }) => kinds.includes(kind)).length;
  const added = count('registered', 'restored', 'registering');
  const parts = [
    [added, 'added'],
    [count('pending'), 'saved, to be registered later'],
    [count('known'), 'already on the list'],
    [count('rejected'), 'rejected by the service'],
    [count('failed', 'queued'), 'not added'],
  ] as const;
  if (added === all.length && added > 0) return `Added ${counted(added, 'number')}.`;
  const counts = parts.filter(([number]) => number > 0).map(([number, what]) => `${number} ${what}`);
  return counts.length === 0 ? 'Nothing was added.' : `${counts.join(', ')}.`;
}

export function scanNotes({ leftOut, problems }: Pick<Scan, 'leftOut' | 'problems'>): readonly string[] {
  const notes = leftOut === 0 ? [] : [`${counted(leftOut, 'more number')} left out. Add these first.`];
  const [first] = problems;
  if (first === undefined) return notes;
  const more = problems.length > 1 ? ` (and ${problems.length - 1} more)` : '';
  return [...notes, `${problemText(first)}${more}`];
}

export const problemText = ({ message, place }: ScanProblem): string =>
  [placeText(place), message].filter((text) => text !== '').join(': ');
