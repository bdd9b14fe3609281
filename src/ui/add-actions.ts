import type { CourierCheck } from '../board/courier-check.ts';
import { parcelTitle } from '../board/view-stage.ts';
import type { AddOutcome, NewParcel } from '../polling/state.ts';
import { courierNeeds } from '../service/courier-needs.ts';
import { type ActionScope, count, inBackground, told } from './action-scope.ts';
import type { AddEntry } from './add-entries.ts';
import type { NewEntry, PromptPurpose, UiEvent } from './state.ts';

/** As many numbers are added without a question about their cost. */
const unasked = 10;

/** Most numbers of one call, as a rule of thumb for the cost (public fact). */
const numbersACall = 100;

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

function summaryWords(outcomes: readonly AddOutcome[]): string {
  const [only] = outcomes;
  if (only !== undefined && outcomes.length === 1) return outcomeWords(only);
  const known = outcomes.filter((outcome) => outcome.kind === 'duplicate').length;
  const added = count(outcomes.length - known, 'number', 'numbers');
  return known === 0 ? `Added ${added}.` : `Added ${added}, ${known} watched already.`;
}

/** Why an entry cannot be added, or null. */
function problemOf({ input }: AddEntry, check: CourierCheck): string | null {
  if (input.kind === 'problem') return input.message;
  const problem = input.kind === 'ok' && input.courierCode !== null ? check(input.courierCode) : null;
  return problem === null ? null : `${problem} Type @ to choose one.`;
}

/** Puts entries that could not be added back into the bar. */
export const backToBar = (entries: readonly { readonly text: string }[]): UiEvent => ({
  kind: 'draft-returned',
  text: entries.map(({ text }) => text).join(', '),
});

function draftParcel({ trackNo, courierCode, label }: Extract<AddEntry['input'], { kind: 'ok' }>): NewParcel {
  return { trackNo, courierCode, label, postalCode: null, phoneSuffix: null };
}

/** The question for the extra that a chosen courier needs; null when it needs none or has a default. */
function extraQuestion({ board }: ActionScope, { parcel, text }: NewEntry): PromptPurpose | null {
  const need = parcel.courierCode === null ? null : courierNeeds(parcel.courierCode);
  if (need === null || parcel.courierCode === null || board.hasDefaultExtra(parcel.courierCode)) return null;
  const kind = need === 'postal-code' ? 'new-postal-code' : 'new-phone-suffix';
  return { kind, parcel, entry: text };
}

/**
 * Adds entries as one step of undo, selects the last and says what came of them; what cannot be kept goes back to the
 * bar.
 * @param problem what is wrong with other entries, said in place of the summary
 */
export function addEntries(scope: ActionScope, entries: readonly NewEntry[], problem: string | null = null): void {
  const { dispatch, monitor } = scope;
  inBackground(scope, async () => {
    const outcomes = await monitor.together(() => Promise.allSettled(entries.map(({ parcel }) => monitor.add(parcel))));
    const failed = entries.filter((_, index) => outcomes[index]?.status === 'rejected');
    const added = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
    const last = added.at(-1);
    if (last !== undefined) {
      dispatch({ kind: 'filter-cleared' });
      dispatch({ kind: 'selected', parcelId: last.parcel.id, index: 0 });
      dispatch(problem === null ? told(summaryWords(added)) : told(problem, 'attention'));
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
  const batches = Math.ceil(entries.length / numbersACall);
  return `${entries.length} numbers? They take up to ${registrations} of the account and ${count(2 * batches, 'call', 'calls')}.`;
}

/** Entries of the input bar, as they can be added or not. */
export interface SortedEntries {
  readonly good: readonly NewEntry[];
  /** What cannot be added. */
  readonly refused: readonly AddEntry[];
  /** What is wrong with the first of them, as a sentence; null when nothing is refused. */
  readonly problem: string | null;
  /** What has to be asked before the good ones are added; null when nothing has. */
  readonly question: PromptPurpose | null;
}

/** Tells what can be added from what cannot. */
export function sortEntries(scope: ActionScope, entries: readonly AddEntry[], check: CourierCheck): SortedEntries {
  const checked = entries.map((entry) => ({ ...entry, problem: problemOf(entry, check) }));
  const refused = checked.filter((entry) => entry.problem !== null);
  const good = checked.flatMap(({ input, problem, text }): NewEntry[] =>
    input.kind === 'ok' && problem === null ? [{ parcel: draftParcel(input), text }] : [],
  );
  const [only, ...others] = good;
  const single = others.length === 0 && only !== undefined ? extraQuestion(scope, only) : null;
  const question: PromptPurpose | null = good.length > unasked ? { kind: 'add-many', entries: good } : single;
  return { good, refused, problem: refused[0]?.problem ?? null, question };
}

/** Adds what can be added, after a question where one is needed; the rest goes back to the bar with a sentence. */
export function submitEntries(scope: ActionScope, { good, problem, question, refused }: SortedEntries): void {
  const { dispatch } = scope;
  if (refused.length > 0) dispatch(backToBar(refused));
  if (question === null) addEntries(scope, good, problem);
  else dispatch({ kind: 'prompted', purpose: question, text: '' });
  if (problem !== null) dispatch(told(problem, 'attention'));
}
