import type { Dispatch } from 'react';
import { activeCourierQuery, replaceCourier } from '../board/add-input.ts';
import { parcelTitle } from '../board/view-stage.ts';
import type { AddOutcome, Monitor, RefreshOutcome } from '../polling/state.ts';
import type { Parcel } from '../watchlist/parcel.ts';
import { type AddEntry, parseAddEntries } from './add-entries.ts';
import type { Message, UiEvent, UiState } from './state.ts';
import { applyEdit } from './text-edit.ts';
import type { LoadedCouriers } from './use-couriers.ts';

/** What the actions act on. */
export interface ActionScope {
  readonly ui: UiState;
  readonly dispatch: Dispatch<UiEvent>;
  readonly monitor: Monitor;
}

const told = (text: string, tone: Message['tone'] = 'plain'): UiEvent => ({ kind: 'told', message: { text, tone } });

const sentenceOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Runs something that takes time; a failure becomes a message. */
function inBackground(scope: ActionScope, work: () => Promise<void>): void {
  work().catch((error: unknown) => scope.dispatch(told(sentenceOf(error), 'attention')));
}

const count = (number: number, one: string, many: string): string => `${number} ${number === 1 ? one : many}`;

function refreshWords(outcome: RefreshOutcome): string {
  const asked = outcome.answered.length + outcome.rejected.length;
  if (asked === 0) return 'Nothing had to be asked.';
  const rejected = outcome.rejected.length === 0 ? '' : `, ${outcome.rejected.length} not accepted`;
  const changed = outcome.changed.length === 0 ? 'no news' : count(outcome.changed.length, 'has news', 'have news');
  return `Asked about ${count(asked, 'parcel', 'parcels')}: ${changed}${rejected}.`;
}

/** Asks now about one parcel. */
export function refreshOne(scope: ActionScope, parcel: Parcel): void {
  scope.dispatch(told(`Asking about ${parcelTitle(parcel)}…`));
  inBackground(scope, async () => scope.dispatch(told(refreshWords(await scope.monitor.refresh([parcel.id])))));
}

/** Asks now about all that are due. */
export function refreshDue(scope: ActionScope): void {
  scope.dispatch(told('Asking about all that are due…'));
  inBackground(scope, async () => scope.dispatch(told(refreshWords(await scope.monitor.refreshDue()))));
}

/** Archives a parcel; `undoArchive` brings it back. */
export function archive(scope: ActionScope, parcel: Parcel): void {
  const name = parcelTitle(parcel);
  inBackground(scope, async () => {
    await scope.monitor.archive(parcel.id);
    scope.dispatch({ kind: 'archived', undoable: { parcelId: parcel.id, name } });
    scope.dispatch(told(`Archived ${name}. Press u to undo.`));
  });
}

/** Brings the last archived parcel back and selects it. */
export function undoArchive(scope: ActionScope): void {
  const last = scope.ui.undo.at(-1);
  if (last === undefined) return;
  inBackground(scope, async () => {
    await scope.monitor.restore(last.parcelId);
    scope.dispatch({ kind: 'undone', parcelId: last.parcelId });
    scope.dispatch({ kind: 'selected', parcelId: last.parcelId, index: scope.ui.selectedIndex });
    scope.dispatch(told(`${last.name} is watched again.`));
  });
}

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
  inBackground(scope, async () => {
    const outcomes: AddOutcome[] = [];
    for (const { text, input } of good) {
      if (input.kind !== 'ok') continue;
      const { trackNo, courierCode, label } = input;
      try {
        outcomes.push(await monitor.add({ trackNo, courierCode, label, postalCode: null, phoneSuffix: null }));
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

/** Puts the chosen courier's code where the `@` stands. */
export function chooseCourier(scope: ActionScope, code: string): void {
  const { dispatch, ui } = scope;
  const token = activeCourierQuery(ui.draft.text, ui.draft.cursor);
  dispatch({ kind: 'picker-closed' });
  if (token !== null) dispatch({ kind: 'draft-set', draft: replaceCourier(ui.draft.text, token, code) });
}

/** Closes the picker without a choice; what was typed in it stays behind the `@`. */
export function leavePicker(scope: ActionScope): void {
  const { dispatch, ui } = scope;
  const query = ui.picker?.query ?? '';
  dispatch({ kind: 'picker-closed' });
  if (query !== '') dispatch({ kind: 'draft-set', draft: applyEdit(ui.draft, { kind: 'insert', text: query }) });
}

/** Types an `@` and opens the picker over the couriers. */
export function openPicker(scope: ActionScope): void {
  scope.dispatch({ kind: 'draft-edited', command: { kind: 'insert', text: '@' } });
  scope.dispatch({ kind: 'picker-opened' });
}
