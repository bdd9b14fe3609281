import type { CourierCheck } from '../../board/courier/courier-check.ts';
import type { AddInput } from '../../board/input/add-input.ts';
import type { TextEntry } from '../../board/input/entered-text.ts';
import { type AddedCounts, type LeftEntry, partialAddWords } from '../../board/input/partial-add.ts';
import { parcelTitle } from '../../board/status/view-stage.ts';
import type { AddOutcome, NewParcel } from '../../polling/core/state.ts';
import { usualBatchLimit } from '../../service/operations.ts';
import { courierNeeds } from '../../service/record/courier-needs.ts';
import { unverifiedKind } from '../../watchlist/rules/check-digit.ts';
import { confirmThreshold } from '../../watchlist/rules/thresholds.ts';
import { type ActionScope, count, inBackground, told } from '../action-scope.ts';
import type { NewEntry, PromptPurpose, UiEvent } from '../state.ts';

function outcomeWords(outcome: AddOutcome): string {
  const name = parcelTitle(outcome.parcel);
  switch (outcome.kind) {
    case 'added':
      return `Added ${name}.`;
    case 'duplicate':
      return `${name} is watched already: here it is.`;
    case 'restored':
      return `${name} was archived and is watched again.`;
    case 'retried':
      return `${name} was rejected before and is tried again.`;
  }
}

function countsOf(outcomes: readonly AddOutcome[]): AddedCounts {
  const known = outcomes.filter((outcome) => outcome.kind === 'duplicate').length;
  return { added: outcomes.length - known, known };
}

function summaryWords(outcomes: readonly AddOutcome[]): string {
  const [only] = outcomes;
  if (only !== undefined && outcomes.length === 1) return outcomeWords(only);
  const { added: fresh, known } = countsOf(outcomes);
  const added = count(fresh, 'number', 'numbers');
  return known === 0 ? `Added ${added}.` : `Added ${added}, ${known} watched already.`;
}

/** Why an entry is not added, or null. */
function whyLeft({ input }: TextEntry, check: CourierCheck, doubted: readonly string[]): LeftEntry | null {
  if (input.kind === 'problem') return { reason: input.flaw, message: input.message };
  const { courierCode, trackNo } = input;
  const problem = courierCode === null ? null : check(courierCode);
  if (problem !== null) return { reason: 'unknown-courier', message: `${problem} Type @ to choose one.` };
  const isDoubted = !doubted.includes(trackNo) && unverifiedKind(trackNo, courierCode) !== null;
  // What to do first: a narrow window cuts the rest, and the number stands in the bar.
  const message = `Wrong check digit? Enter adds it anyway: ${trackNo}.`;
  return isDoubted ? { reason: 'check-digit', message } : null;
}

/** Puts entries that could not be added back into the bar. */
export const backToBar = (entries: readonly { readonly text: string }[]): UiEvent => ({
  kind: 'draft-returned',
  text: entries.map(({ text }) => text).join('\n'),
});

function draftParcel({ trackNo, courierCode, label }: Extract<AddInput, { kind: 'ok' }>): NewParcel {
  return { trackNo, courierCode, label, postalCode: null, phoneSuffix: null };
}

/** The question for the extra that a chosen courier needs; null when it needs none or has a default. */
function extraQuestion(
  { board }: ActionScope,
  { parcel, text }: NewEntry,
  left: readonly LeftEntry[],
): PromptPurpose | null {
  const need = parcel.courierCode === null ? null : courierNeeds(parcel.courierCode);
  if (need === null || parcel.courierCode === null || board.hasDefaultExtra(parcel.courierCode)) return null;
  const kind = need === 'postal-code' ? 'new-postal-code' : 'new-phone-suffix';
  return { kind, parcel, entry: text, left };
}

/**
 * Adds entries as one step of undo, selects the last and says what came of them; what cannot be kept goes back to the
 * bar.
 * @param left entries that were entered along with them and are not added
 */
export function addEntries(scope: ActionScope, entries: readonly NewEntry[], left: readonly LeftEntry[] = []): void {
  const { dispatch, monitor } = scope;
  inBackground(scope, async () => {
    const outcomes = await monitor.together(() => Promise.allSettled(entries.map(({ parcel }) => monitor.add(parcel))));
    const failed = entries.filter((_, index) => outcomes[index]?.status === 'rejected');
    const added = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
    const last = added.at(-1);
    if (last !== undefined) {
      dispatch({ kind: 'filter-cleared' });
      dispatch({ kind: 'selected', parcelId: last.parcel.id, index: 0 });
      const isAll = left.length === 0;
      dispatch(isAll ? told(summaryWords(added)) : told(partialAddWords(countsOf(added), left), 'attention'));
    }
    const failure = outcomes.find((outcome) => outcome.status === 'rejected');
    if (failure === undefined) return;
    dispatch(backToBar(failed));
    throw failure.reason;
  });
}

/** What adding many numbers takes, as a question. */
export function costQuestion(entries: readonly NewEntry[]): string {
  const registrations = count(entries.length, 'registration', 'registrations');
  const batches = Math.ceil(entries.length / usualBatchLimit);
  return `${entries.length} numbers? They take up to ${registrations} of the account and ${count(2 * batches, 'call', 'calls')}.`;
}

/** Entries of the input bar, as they can be added or not. */
export interface SortedEntries {
  readonly good: readonly NewEntry[];
  /** What is not added, or not before it is entered once more. */
  readonly left: readonly (LeftEntry & { readonly text: string })[];
  /** Numbers that are left for their check digits alone. */
  readonly doubted: readonly string[];
  /** What has to be asked before the good ones are added; null when nothing has. */
  readonly question: PromptPurpose | null;
}

/** Tells what can be added from what cannot. */
export function sortEntries(scope: ActionScope, entries: readonly TextEntry[], check: CourierCheck): SortedEntries {
  const checked = entries.map((entry) => ({ ...entry, why: whyLeft(entry, check, scope.ui.doubted) }));
  const left = checked.flatMap(({ text, why }) => (why === null ? [] : [{ ...why, text }]));
  const good = checked.flatMap(({ input, text, why }): NewEntry[] =>
    input.kind === 'ok' && why === null ? [{ parcel: draftParcel(input), text }] : [],
  );
  const doubted = checked.flatMap(({ input, why }) =>
    input.kind === 'ok' && why?.reason === 'check-digit' ? [input.trackNo] : [],
  );
  const [only, ...others] = good;
  const single = others.length === 0 && only !== undefined ? extraQuestion(scope, only, left) : null;
  const question: PromptPurpose | null =
    good.length > confirmThreshold.board ? { kind: 'add-many', entries: good, left } : single;
  return { good, left, doubted, question };
}

/** Adds what can be added, after a question where one is needed; the rest goes back to the bar with a sentence. */
export function submitEntries(scope: ActionScope, { good, left, doubted, question }: SortedEntries): void {
  const { dispatch } = scope;
  dispatch({ kind: 'doubts-told', trackNos: doubted });
  if (left.length > 0) dispatch(backToBar(left));
  if (question !== null) dispatch({ kind: 'prompted', purpose: question, text: '' });
  else if (good.length > 0) addEntries(scope, good, left);
  const isPending = question !== null;
  if (left.length > 0 && (isPending || good.length === 0)) {
    dispatch(told(partialAddWords(isPending ? null : { added: 0, known: 0 }, left), 'attention'));
  }
}
