import { parcelTitle } from '../../board/status/view-stage.ts';
import { cutMiddle } from '../../board/text/cells.ts';
import { type CourierNeed, courierNeeds } from '../../service/record/courier-needs.ts';
import type { Parcel } from '../../watchlist/model/parcel.ts';
import { checkExtra, type ExtraCheck } from '../../watchlist/rules/extras.ts';
import { type ActionScope, inBackground, tellOutcome, told } from '../action-scope.ts';
import { addEntries, backToBar, costQuestion } from '../add/add-actions.ts';
import { changeWords } from '../parcel/parcel-actions.ts';
import type { Prompt, PromptPurpose } from '../state.ts';

/** Asks for another label. */
export function promptLabel({ dispatch }: ActionScope, parcel: Parcel): void {
  const purpose = { kind: 'label', parcelId: parcel.id, name: parcelTitle(parcel) } as const;
  dispatch({ kind: 'prompted', purpose, text: parcel.label ?? '' });
}

/** Asks for the extra that the parcel's courier needs: phone digits where it is known to want them, else the postal code. */
export function promptExtra({ dispatch }: ActionScope, parcel: Parcel): void {
  const need = parcel.courierCode === null ? null : courierNeeds(parcel.courierCode);
  // What is kept already is not shown again: it is nobody's business who looks over the shoulder.
  const purpose = { kind: need ?? 'postal-code', parcelId: parcel.id, name: parcelTitle(parcel) } as const;
  dispatch({ kind: 'prompted', purpose, text: '' });
}

/** Asks whether a parcel is to be deleted here and at the service. */
export function promptDelete({ dispatch }: ActionScope, parcel: Parcel): void {
  dispatch({ kind: 'prompted', purpose: { kind: 'delete', parcelId: parcel.id, name: parcelTitle(parcel) }, text: '' });
}

/** Does what the open question is about. */
export function confirmPrompt(scope: ActionScope): void {
  const purpose = scope.ui.prompt?.purpose;
  scope.dispatch({ kind: 'prompt-closed' });
  if (purpose?.kind === 'add-many') addEntries(scope, purpose.entries, purpose.left);
  if (purpose?.kind !== 'delete') return;
  tellOutcome(scope, `Deleting ${purpose.name}…`, async () => {
    await scope.board.account.deleteEverywhere(purpose.parcelId);
    return `${purpose.name} is deleted. Press u to watch it again.`;
  });
}

/** Closes the open question; a number that waited for its answer goes back to the bar. */
export function cancelPrompt({ dispatch, ui }: ActionScope): void {
  const purpose = ui.prompt?.purpose;
  dispatch({ kind: 'prompt-closed' });
  if (purpose?.kind === 'add-many') {
    dispatch(backToBar(purpose.entries));
  }
  if (purpose?.kind === 'new-postal-code' || purpose?.kind === 'new-phone-suffix') {
    dispatch(backToBar([{ text: purpose.entry }]));
  }
}

/** The extra that a prompt is for; null for every other prompt. */
function extraOf(kind: PromptPurpose['kind']): CourierNeed | null {
  if (kind === 'phone-suffix' || kind === 'new-phone-suffix') return 'phone-suffix';
  return kind === 'postal-code' || kind === 'new-postal-code' ? 'postal-code' : null;
}

/** The answer in the form in which it is kept, null for none, or what is wrong with it. */
function checkAnswer(kind: PromptPurpose['kind'], text: string): ExtraCheck {
  const extra = extraOf(kind);
  if (extra !== null) return checkExtra(extra, text);
  const value = text.trim();
  return { ok: true, value: value === '' ? null : value };
}

/** Takes the answer to the open question. */
export function answerPrompt(scope: ActionScope, { purpose, edit }: Prompt): void {
  const { board, dispatch, monitor } = scope;
  const check = checkAnswer(purpose.kind, edit.text);
  if (!check.ok) {
    dispatch(told(check.message, 'attention'));
    return;
  }
  const answer = check.value;
  dispatch({ kind: 'prompt-closed' });
  switch (purpose.kind) {
    case 'label':
      inBackground(scope, async () => {
        const parcel = await monitor.edit(purpose.parcelId, { label: answer });
        dispatch(
          told(answer === null ? `The label of ${parcel.trackNo} is gone.` : `${parcel.trackNo} is now ${answer}.`),
        );
      });
      return;
    case 'postal-code':
      tellOutcome(scope, 'Sending the postal code…', async () =>
        changeWords(await board.account.setExtras(purpose.parcelId, { postalCode: answer }), 'The postal code is kept'),
      );
      return;
    case 'phone-suffix':
      tellOutcome(scope, 'Sending the phone digits…', async () =>
        changeWords(
          await board.account.setExtras(purpose.parcelId, { phoneSuffix: answer }),
          'The phone digits are kept',
        ),
      );
      return;
    case 'new-postal-code':
      addEntries(scope, [{ parcel: { ...purpose.parcel, postalCode: answer }, text: purpose.entry }], purpose.left);
      return;
    case 'new-phone-suffix':
      addEntries(scope, [{ parcel: { ...purpose.parcel, phoneSuffix: answer }, text: purpose.entry }], purpose.left);
      return;
    case 'add-many':
    case 'delete':
      return;
  }
}

/** A parcel's name beside which there is room to type, in a narrow terminal, too. */
const shortName = (name: string): string => cutMiddle(name, 15);

/** What the input bar asks, and its placeholder. */
export function promptTexts(purpose: PromptPurpose): { readonly name: string; readonly placeholder: string } {
  switch (purpose.kind) {
    case 'label':
      return {
        name: `label of ${shortName(purpose.name)}`,
        placeholder: 'your own name for the parcel; empty for none',
      };
    case 'postal-code':
      return { name: `postal code for ${shortName(purpose.name)}`, placeholder: "the recipient's; empty for none" };
    case 'phone-suffix':
      return { name: `phone for ${shortName(purpose.name)}`, placeholder: 'last four digits; empty for none' };
    case 'new-postal-code':
      return {
        name: 'postal code',
        placeholder: `${purpose.parcel.courierCode} asks for it; Enter without adds anyway`,
      };
    case 'new-phone-suffix':
      return {
        name: 'phone',
        placeholder: `last four digits: ${purpose.parcel.courierCode} asks for them; Enter without adds anyway`,
      };
    case 'add-many':
      return { name: 'add', placeholder: costQuestion(purpose.entries) };
    case 'delete':
      return { name: 'delete', placeholder: `${purpose.name}, here and at the service, with its history?` };
  }
}
