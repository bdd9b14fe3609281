import type { CourierResolver } from '../../board/courier-search.ts';
import { partialAddText, type RejectedEntry, type TextEntry } from '../../board/input/entered-text.ts';
import { parcelTitle } from '../../board/parcel-facts.ts';
import { resultText } from '../../board/scan/row-words.ts';
import { counted } from '../../lib/text.ts';
import { unverifiedKind } from '../../parcels/check-digit.ts';
import type { NewParcel } from '../../parcels/parcel-factory.ts';
import type { AddedParcel } from '../../parcels/parcel-list.ts';
import { confirmThreshold } from '../../polling/gate/call-rules.ts';
import { courierNamer, courierNeeds } from '../../service/couriers.ts';
import { defaultBatchLimit } from '../../service/port.ts';
import { withEnteredNumbers, withoutNumbers } from '../../store/saved-view.ts';
import type { Board } from '../board.ts';
import { inBackground, showProblem, showUnlessUrgent } from '../footer.ts';
import { selectParcel } from '../list/state.ts';
import { extraQuestion } from '../prompt.ts';
import { emptyEdit } from '../text-edit.ts';
import type { Prompt, UiState } from '../ui-state.ts';

function prependEntries(
  { draft }: Pick<UiState, 'draft'>,
  entries: readonly { readonly text: string }[],
): Partial<UiState> {
  const texts = entries.map(({ text }) => text).join('\n');
  const prefix = draft.text.trim() === '' ? texts : `${texts}\n`;
  return { draft: { text: prefix + draft.text, cursor: prefix.length + draft.cursor } };
}

export const forgetNumbers =
  (trackNos: readonly string[]) =>
  ({ entered, forgotten }: UiState): Pick<UiState, 'entered' | 'forgotten' | 'recall'> => ({
    entered: withoutNumbers(entered, trackNos),
    forgotten: [...new Set([...forgotten, ...trackNos])],
    recall: null,
  });

interface NewEntry {
  readonly parcel: NewParcel;
  readonly text: string;
}

function outcomeText(outcome: AddedParcel): string {
  const name = parcelTitle(outcome.parcel);
  switch (outcome.kind) {
    case 'added':
      return `Added ${name}.`;
    case 'duplicate':
      return `${name} is already on the list.`;
    case 'restored':
      return `${name} was archived and is back on the list.`;
    case 'retried':
      return `${name} was rejected before; trying again.`;
  }
}

function summaryText(outcomes: readonly AddedParcel[]): string {
  const [only, ...others] = outcomes;
  if (only !== undefined && others.length === 0) return outcomeText(only);
  return resultText(outcomes.map(({ kind }) => ({ kind: kind === 'duplicate' ? 'known' : 'registered' })));
}

/** Returns an entry with its courier code, and why it cannot be added, or null. */
function checkEntry(
  { input, text }: TextEntry,
  readCourier: CourierResolver,
  flaggedNumbers: readonly string[],
): Pick<TextEntry, 'input' | 'text'> & { readonly rejection: RejectedEntry | null } {
  if (input.kind === 'problem') return { input, text, rejection: { reason: input.reason, message: input.message } };
  const reading = input.courierCode === null ? null : readCourier(input.courierCode);
  if (reading?.ok === false) {
    return {
      input,
      text,
      rejection: { reason: 'unknown-courier', message: `${reading.problem} Type @ to choose one.` },
    };
  }
  const { trackNo } = input;
  const courierCode = reading?.code ?? null;
  const needsConfirmation = !flaggedNumbers.includes(trackNo) && unverifiedKind(trackNo, courierCode) !== null;
  // The number comes last, because narrow windows truncate the message, and the bar shows the number anyway.
  const message = `The check digit looks wrong. Press Enter to add it anyway: ${trackNo}.`;
  const rejection = needsConfirmation ? ({ reason: 'check-digit', message } as const) : null;
  return { input: { ...input, courierCode }, text, rejection };
}

/**
 * Asks for the extra information that a courier needs. Returns null if it needs none, or if a default is configured.
 */
function extraQuestionFor(board: Board, { parcel, text }: NewEntry, rejected: readonly RejectedEntry[]): Prompt | null {
  const { courierCode } = parcel;
  const need = courierCode === null ? null : courierNeeds(courierCode);
  if (need === null || courierCode === null || board.hasDefaultExtra(courierCode)) return null;
  const courier = courierNamer(board.courierList.couriers)(courierCode);
  const placeholder =
    need === 'postal-code'
      ? `${courier} needs a postal code (leave empty to skip)`
      : `${courier} needs the last four phone digits (leave empty to skip)`;
  return {
    ...extraQuestion(need, (extra) => addEntries(board, [{ parcel: { ...parcel, ...extra }, text }], rejected)),
    name: need === 'postal-code' ? 'postal code' : 'phone',
    placeholder,
    edit: emptyEdit,
    cancel: () => board.change((ui) => prependEntries(ui, [{ text }])),
  };
}

/**
 * Adds entries as one undo step, selects the last one and shows the result. Entries that cannot be saved return to the
 * bar.
 * @param rejected entries that were not added, for the message
 */
function addEntries(board: Board, entries: readonly NewEntry[], rejected: readonly RejectedEntry[] = []): void {
  const { change, monitor } = board;
  inBackground(board, async () => {
    const outcomes = await monitor.together(() => Promise.allSettled(entries.map(({ parcel }) => monitor.add(parcel))));
    const failed = entries.filter((_, index) => outcomes[index]?.status === 'rejected');
    const added = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
    const last = added.at(-1);
    if (last !== undefined) {
      change((ui) => ({
        filter: emptyEdit,
        focus: ui.focus === 'filter' ? 'list' : ui.focus,
        ...selectParcel(ui, last.parcel.id, 0),
      }));
      // Must not hide a problem with an entry that the user has submitted since.
      if (rejected.length === 0) showUnlessUrgent(board, summaryText(added));
      else {
        const known = added.filter(({ kind }) => kind === 'duplicate').length;
        showProblem(board, partialAddText({ added: added.length - known, known }, rejected));
      }
    }
    const failure = outcomes.find((outcome) => outcome.status === 'rejected');
    if (failure === undefined) return;
    change((ui) => prependEntries(ui, failed));
    throw failure.reason;
  });
}

function costQuestion(board: Board, entries: readonly NewEntry[], rejected: readonly RejectedEntry[]): Prompt {
  const registrations = counted(entries.length, 'registration');
  const calls = counted(2 * Math.ceil(entries.length / defaultBatchLimit), 'call');
  return {
    name: 'add',
    placeholder: `Add ${entries.length} numbers? This uses up to ${registrations} and ${calls}. y/n`,
    edit: null,
    accept: () => addEntries(board, entries, rejected),
    cancel: () => board.change((ui) => prependEntries(ui, entries)),
  };
}

/** The entries in the input bar, split by whether they can be added. */
interface SortedEntries {
  readonly good: readonly NewEntry[];
  /** Entries that are not added, or only after a second Enter. */
  readonly rejected: readonly (RejectedEntry & { readonly text: string })[];
  readonly flaggedNumbers: readonly string[];
  /** A question to answer before the good entries are added, or null. */
  readonly question: Prompt | null;
}

export function sortEntries(board: Board, entries: readonly TextEntry[], read: CourierResolver): SortedEntries {
  const checked = entries.map((entry) => checkEntry(entry, read, board.ui.flaggedNumbers));
  const rejected = checked.flatMap(({ text, rejection }) => (rejection === null ? [] : [{ ...rejection, text }]));
  const good = checked.flatMap(({ input, text, rejection }): NewEntry[] => {
    if (input.kind === 'problem' || rejection !== null) return [];
    const { courierCode, label, trackNo } = input;
    return [{ parcel: { trackNo, courierCode, label, postalCode: null, phoneSuffix: null }, text }];
  });
  const flaggedNumbers = checked.flatMap(({ input, rejection }) =>
    input.kind === 'ok' && rejection?.reason === 'check-digit' ? [input.trackNo] : [],
  );
  const [only, ...others] = good;
  const extraQuestionIfSingle =
    others.length === 0 && only !== undefined ? extraQuestionFor(board, only, rejected) : null;
  const question = good.length > confirmThreshold.board ? costQuestion(board, good, rejected) : extraQuestionIfSingle;
  return { good, rejected, flaggedNumbers, question };
}

export function submitEntries(board: Board, { good, rejected, flaggedNumbers, question }: SortedEntries): void {
  const { change } = board;
  const addedNumbers = new Set(good.map(({ parcel }) => parcel.trackNo));
  change(({ entered, forgotten }) => ({
    flaggedNumbers,
    forgotten: forgotten.some((trackNo) => addedNumbers.has(trackNo))
      ? forgotten.filter((trackNo) => !addedNumbers.has(trackNo))
      : forgotten,
    entered: withEnteredNumbers(
      entered,
      good.map(({ parcel }) => parcel),
    ),
    recall: null,
  }));
  if (rejected.length > 0) change((ui) => prependEntries(ui, rejected));
  if (question !== null) change({ prompt: question });
  else if (good.length > 0) addEntries(board, good, rejected);
  const isPending = question !== null;
  if (rejected.length > 0 && (isPending || good.length === 0)) {
    showProblem(board, partialAddText(isPending ? null : { added: 0, known: 0 }, rejected));
  }
}
