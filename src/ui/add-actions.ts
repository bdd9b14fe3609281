import { parcelTitle } from '../board/view-stage.ts';
import type { AddOutcome, NewParcel } from '../polling/state.ts';
import { courierNeeds } from '../service/courier-needs.ts';
import { type ActionScope, count, inBackground, told } from './action-scope.ts';
import { type AddEntry, parseAddEntries } from './add-entries.ts';
import type { LoadedCouriers } from './use-couriers.ts';

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

/** Why an entry cannot be added, or null. A courier that Get Carriers does not list would only cost a call. */
function problemOf(entry: AddEntry, couriers: LoadedCouriers): string | null {
  if (entry.input.kind === 'problem') return entry.input.message;
  const code = entry.input.kind === 'ok' ? entry.input.courierCode : null;
  if (code === null || couriers.status !== 'ready') return null;
  const isListed = couriers.couriers.some((courier) => courier.code.toLowerCase() === code.toLowerCase());
  return isListed ? null : `No courier has the code "${code}". Type @ to choose one.`;
}

function draftParcel({ trackNo, courierCode, label }: Extract<AddEntry['input'], { kind: 'ok' }>): NewParcel {
  return { trackNo, courierCode, label, postalCode: null, phoneSuffix: null };
}

/** Opens the question for the extra that a chosen courier needs; false when it needs none or has a default. */
function asksForExtra({ board, dispatch }: ActionScope, parcel: NewParcel, entry: string): boolean {
  const need = parcel.courierCode === null ? null : courierNeeds(parcel.courierCode);
  if (need === null || parcel.courierCode === null || board.hasDefaultExtra(parcel.courierCode)) return false;
  const kind = need === 'postal-code' ? 'new-postal-code' : 'new-phone-suffix';
  dispatch({ kind: 'prompted', purpose: { kind, parcel, entry }, text: '' });
  return true;
}

/** Adds a parcel, selects it and says so; when it cannot be kept, the entry goes back to the bar. */
export function addOne(scope: ActionScope, parcel: NewParcel, entry: string): void {
  const { dispatch, monitor } = scope;
  inBackground(scope, async () => {
    try {
      const outcome = await monitor.add(parcel);
      dispatch({ kind: 'filter-cleared' });
      dispatch({ kind: 'selected', parcelId: outcome.parcel.id, index: 0 });
      dispatch(told(outcomeWords(outcome)));
    } catch (error) {
      dispatch({ kind: 'draft-edited', command: { kind: 'insert', text: entry } });
      throw error;
    }
  });
}

/** Adds what the input bar holds. What cannot be added stays in the bar, with a sentence that says why. */
export function submitDraft(scope: ActionScope, couriers: LoadedCouriers): void {
  const { dispatch, monitor, ui } = scope;
  const entries = parseAddEntries(ui.draft.text);
  if (entries.length === 0) {
    dispatch({ kind: 'focused', pane: 'list' });
    return;
  }
  const checked = entries.map((entry) => ({ ...entry, problem: problemOf(entry, couriers) }));
  const refused = checked.filter((entry) => entry.problem !== null);
  const left = refused.map((entry) => entry.text).join(', ');
  dispatch({ kind: 'draft-set', draft: { text: left, cursor: left.length } });
  const firstProblem = refused[0]?.problem ?? null;
  if (firstProblem !== null) dispatch(told(firstProblem, 'attention'));
  const good = checked.filter((entry) => entry.problem === null);
  const [only] = good;
  if (good.length === 1 && only?.input.kind === 'ok' && asksForExtra(scope, draftParcel(only.input), only.text)) return;
  inBackground(scope, async () => {
    const outcomes: AddOutcome[] = [];
    for (const { text, input } of good) {
      if (input.kind !== 'ok') continue;
      try {
        outcomes.push(await monitor.add(draftParcel(input)));
      } catch (error) {
        dispatch({ kind: 'draft-edited', command: { kind: 'insert', text } });
        throw error;
      }
    }
    const last = outcomes.at(-1);
    if (last === undefined) return;
    dispatch({ kind: 'filter-cleared' });
    dispatch({ kind: 'selected', parcelId: last.parcel.id, index: 0 });
    if (firstProblem === null) dispatch(told(summaryWords(outcomes)));
  });
}
