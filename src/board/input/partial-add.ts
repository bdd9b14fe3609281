import type { EntryFlaw } from './add-input.ts';

/** Why an entry was not added. */
type LeftReason = EntryFlaw | 'unknown-courier' | 'check-digit' | 'unusable-field';

/** Kinds of entries that are left, behind a count. */
const reasonWords: Readonly<Record<LeftReason, string>> = {
  'no-digit': 'without a digit',
  'no-number': 'without a number at the beginning',
  character: 'with signs that no number has',
  'too-short': 'too short',
  'too-long': 'too long',
  unclear: 'where number and label are unclear',
  courier: 'with an unclear courier',
  label: 'with two labels',
  'unknown-courier': 'with an unknown courier',
  'check-digit': 'with a wrong check digit',
  'unusable-field': 'with a field that cannot be used',
};

/** An entry that was not added, and the whole sentence about it. */
export interface LeftEntry {
  readonly reason: LeftReason;
  readonly message: string;
}

/** What came of the other entries. */
export interface AddedCounts {
  readonly added: number;
  /** How many were on the watchlist already. */
  readonly known: number;
  /** How many the service did not take; none when left out. */
  readonly rejected?: number;
  /** How many of those that were added or known are still to be registered; not said when left out. */
  readonly pending?: number;
}

/** How many were added, and how many were known: `4 added, 1 watched already`. */
function addedWords({ added, known, pending = 0, rejected = 0 }: AddedCounts): string {
  const more = [
    ...(known === 0 ? [] : [`${known} watched already`]),
    ...(rejected === 0 ? [] : [`${rejected} rejected`]),
    ...(pending === 0 || pending === added ? [] : [`${pending} still pending`]),
  ];
  return [`${added === 0 ? 'Nothing' : added} added`, ...more].join(', ');
}

/** How many entries were added and how many are left, with why for each kind; null while the others wait for an answer. */
export function partialAddCounts(others: AddedCounts | null, left: readonly LeftEntry[]): string {
  const reasons = [...new Set(left.map(({ reason }) => reason))].map(
    (reason) => `${left.filter((entry) => entry.reason === reason).length} ${reasonWords[reason]}`,
  );
  const leftWords = left.length === 0 ? [] : [`${left.length} left: ${reasons.join(', ')}`];
  return `${[...(others === null ? [] : [addedWords(others)]), ...leftWords].join(', ')}.`;
}

/** As {@link partialAddCounts}, with the whole sentence about an entry that is the only one left. */
export function partialAddWords(others: AddedCounts | null, left: readonly LeftEntry[]): string {
  const [only] = left;
  if (only === undefined || left.length > 1) return partialAddCounts(others, left);
  const hasAdded = others !== null && others.added + others.known > 0;
  return hasAdded ? `${addedWords(others)}, 1 left. ${only.message}` : only.message;
}
