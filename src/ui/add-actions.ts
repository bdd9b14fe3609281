import { type CourierCheck, courierCheck } from '../board/courier-check.ts';
import { parcelTitle } from '../board/view-stage.ts';
import type { AddOutcome, NewParcel } from '../polling/state.ts';
import { courierNeeds } from '../service/courier-needs.ts';
import { type ActionScope, count, inBackground, told } from './action-scope.ts';
import { type AddEntry, parseAddEntries } from './add-entries.ts';
import type { NewEntry, UiEvent } from './state.ts';
import { emptyEdit } from './text-edit.ts';
import type { LoadedCouriers } from './use-couriers.ts';

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

const backToBar = (entries: readonly { readonly text: string }[]): UiEvent => ({
  kind: 'draft-edited',
  command: { kind: 'insert', text: entries.map(({ text }) => text).join(', ') },
});

function draftParcel({ trackNo, courierCode, label }: Extract<AddEntry['input'], { kind: 'ok' }>): NewParcel {
  return { trackNo, courierCode, label, postalCode: null, phoneSuffix: null };
}

/** Opens the question for the extra that a chosen courier needs; false when it needs none or has a default. */
function asksForExtra({ board, dispatch }: ActionScope, { parcel, text }: NewEntry): boolean {
  const need = parcel.courierCode === null ? null : courierNeeds(parcel.courierCode);
  if (need === null || parcel.courierCode === null || board.hasDefaultExtra(parcel.courierCode)) return false;
  const kind = need === 'postal-code' ? 'new-postal-code' : 'new-phone-suffix';
  dispatch({ kind: 'prompted', purpose: { kind, parcel, entry: text }, text: '' });
  return true;
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

/**
 * Adds what the input bar holds. What cannot be added stays in the bar, with a sentence that says why. A courier that
 * Get Carriers does not list would cost a registration, so that list is waited for.
 */
export function submitDraft(scope: ActionScope, couriers: LoadedCouriers): void {
  const { board, dispatch, ui } = scope;
  const entries = parseAddEntries(ui.draft.text);
  if (entries.length === 0) {
    dispatch({ kind: 'focused', pane: 'list' });
    return;
  }
  dispatch({ kind: 'draft-set', draft: emptyEdit });
  const namesCourier = entries.some(({ input }) => input.kind === 'ok' && input.courierCode !== null);
  if (!namesCourier || couriers.status === 'ready') {
    submitEntries(scope, entries, couriers.check);
    return;
  }
  dispatch(told('Looking the courier up…'));
  inBackground(scope, async () => {
    // Why there is none is told by the picker; without a list every code is let pass.
    const list = await board.couriers.list().catch(() => null);
    dispatch({ kind: 'told', message: null });
    submitEntries(scope, entries, courierCheck(list));
  });
}

function submitEntries(scope: ActionScope, entries: readonly AddEntry[], check: CourierCheck): void {
  const { dispatch } = scope;
  const checked = entries.map((entry) => ({ ...entry, problem: problemOf(entry, check) }));
  const refused = checked.filter((entry) => entry.problem !== null);
  if (refused.length > 0) dispatch(backToBar(refused));
  const good = checked.flatMap(({ input, problem, text }): NewEntry[] =>
    input.kind === 'ok' && problem === null ? [{ parcel: draftParcel(input), text }] : [],
  );
  const [only] = good;
  const problem = refused[0]?.problem ?? null;
  if (good.length > unasked) dispatch({ kind: 'prompted', purpose: { kind: 'add-many', entries: good }, text: '' });
  else if (good.length !== 1 || only === undefined || !asksForExtra(scope, only)) addEntries(scope, good, problem);
  if (problem !== null) dispatch(told(problem, 'attention'));
}
