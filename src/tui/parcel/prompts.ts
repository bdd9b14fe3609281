import { completeLast, completeLine } from '../../board/input/completions.ts';
import { parseTags } from '../../board/input/entered-text.ts';
import { nextMidnight } from '../../board/time.ts';
import { cutMiddle } from '../../lib/cells.ts';
import { dayMs } from '../../lib/clock.ts';
import type { Parcel } from '../../parcels/parcel.ts';
import type { ParcelEdit } from '../../parcels/parcel-factory.ts';
import { courierNeeds } from '../../service/couriers.ts';
import type { Board } from '../board.ts';
import { runWithStatus, showMessage } from '../footer.ts';
import { askText, extraQuestion } from '../prompt.ts';
import { actInOneWrite, actOnParcels, describeParcels, type ParcelAction } from './act-on-parcels.ts';

type TagEdit = Required<Pick<ParcelEdit, 'addTags' | 'removeTags'>>;

/** Formats tags as the user types them: separated by commas, and quoted if necessary. */
export const tagText = (tags: readonly string[]): string => tags.map(quoteTag).join(', ');

function quoteTag(tag: string): string {
  const [first, ...others] = parseTags(tag);
  // An unquoted leading quotation mark would be closed by one in a later tag.
  const isPlain = first?.name === tag && !first.isRemoved && others.length === 0 && !tag.startsWith('"');
  return isPlain ? tag : `"${tag.replaceAll('"', '""')}"`;
}

export function commonTags(parcels: readonly { readonly tags: readonly string[] }[]): readonly string[] {
  const [first, ...others] = parcels;
  return (first?.tags ?? []).filter((tag) => others.every(({ tags }) => tags.includes(tag)));
}

/**
 * Compares a typed list with the common tags: missing tags are removed, new ones are added, and `-` removes a tag that
 * only some parcels have. A leading `#` is ignored.
 */
export function readTagEdit(shared: readonly string[], text: string): TagEdit {
  const typed = parseTags(text);
  const namesOf = (isRemoved: boolean): readonly string[] => [
    ...new Set(typed.flatMap((tag) => (tag.isRemoved === isRemoved ? [tag.name] : []))),
  ];
  const [added, removed] = [namesOf(false), namesOf(true)];
  const addTags = added.filter((tag) => !shared.includes(tag) && !removed.includes(tag));
  return { addTags, removeTags: [...new Set([...shared.filter((tag) => !added.includes(tag)), ...removed])] };
}

/** Returns a summary such as `+fragile -gift`, or null if nothing changes. */
export function tagEditText({ addTags, removeTags }: TagEdit): string | null {
  const words = [...addTags.map((tag) => `+${tag}`), ...removeTags.map((tag) => `-${tag}`)];
  return words.length === 0 ? null : words.join(' ');
}

const shortName = (parcels: readonly Parcel[]): string => cutMiddle(describeParcels(parcels), 15);

function editParcels(
  board: Board,
  parcels: readonly Parcel[],
  changes: ParcelEdit,
  doneText: ParcelAction['doneText'],
): void {
  actOnParcels(board, parcels, {
    doneText,
    act: (batch) => actInOneWrite(board, batch, (ids) => board.monitor.editAll(ids, changes)),
  });
}

export function promptLabel(board: Board, parcels: readonly Parcel[]): void {
  const [first, ...others] = parcels;
  const shared = first !== undefined && others.every(({ label }) => label === first.label) ? first.label : null;
  const isSingle = others.length === 0;
  const isNew = parcels.every(({ label }) => label === null);
  askText(board, {
    name: `${isSingle ? 'label of' : 'one label for'} ${shortName(parcels)}`,
    placeholder: isSingle
      ? 'your own name for the parcel; leave empty to remove it'
      : `the same for all${isNew ? '' : '; leave empty to remove them'}`,
    complete: (text, cursor) => completeLine(text, cursor, knownLabels(board)),
    accept: (text) => setLabel(board, parcels, text),
    text: shared ?? '',
  });
}

export const knownLabels = ({ state }: Board): readonly string[] => state.parcels.flatMap(({ label }) => label ?? []);

/** An empty answer removes the labels. */
export function setLabel(board: Board, parcels: readonly Parcel[], text: string): void {
  editParcels(board, parcels, { label: text === '' ? null : text }, (what, count) => {
    if (text === '') return `Removed the label of ${what}`;
    return `${what} ${count === 1 ? 'is' : 'are'} now called ${text}`;
  });
}

/** Asks for a note, which stays on this machine. */
export function promptNote(board: Board, parcels: readonly Parcel[]): void {
  const [first, ...others] = parcels;
  const shared = others.every(({ note }) => note === first?.note) ? first?.note : undefined;
  askText(board, {
    name: `note on ${shortName(parcels)}`,
    placeholder: 'never sent to the service; leave empty to remove it',
    accept: (text) => setNote(board, parcels, text),
    text: shared ?? '',
  });
}

/** An empty answer removes the notes. */
export const setNote = (board: Board, parcels: readonly Parcel[], text: string): void =>
  editParcels(board, parcels, { note: text === '' ? null : text }, (what) =>
    text === '' ? `Removed the note on ${what}` : `Saved the note on ${what}`,
  );

function editTags(board: Board, parcels: readonly Parcel[], changes: TagEdit): void {
  const words = tagEditText(changes);
  if (words === null) showMessage(board, 'No tags were changed.');
  else editParcels(board, parcels, changes, (what) => `${what}: ${words}`);
}

/** Adds the typed tags, and removes those with a `-`. */
export const changeTags = (board: Board, parcels: readonly Parcel[], text: string): void =>
  editTags(board, parcels, readTagEdit([], text));

/** Edits the tags that parcels have in common. Other tags stay unless a `-` removes them. */
export function promptTags(board: Board, parcels: readonly Parcel[]): void {
  const shared = commonTags(parcels);
  askText(board, {
    name: `tags of ${shortName(parcels)}`,
    placeholder: `such as: gift, fragile; ${parcels.length === 1 ? 'leave empty to remove all' : '-gift removes it'}`,
    complete: (text, cursor) =>
      completeLast(
        text,
        cursor,
        board.state.parcels.flatMap(({ tags }) => tags.map((tag) => tagText([tag]))),
      ),
    accept: (text) => editTags(board, parcels, readTagEdit(shared, text)),
    text: tagText(shared),
  });
}

const snoozeTexts = ['', 'until tomorrow', 'for three days', 'until it moves'] as const;

/** Asks how long to snooze parcels, which moves them to the end of the list. */
export function promptSnooze(board: Board, parcels: readonly Parcel[]): void {
  askText(board, {
    name: `snooze: ${shortName(parcels)}`,
    placeholder: '1 until tomorrow, 2 for 3 days, 3 until it moves, 0 ends the snooze',
    validate: (text) => (/^[0-3]$/.test(text) ? null : 'Type 1, 2 or 3, or 0 to end the snooze.'),
    accept: (text) => {
      const { clock, monitor, zone } = board;
      const tomorrow = nextMidnight(clock.now(), zone);
      const until = (['now', tomorrow, nextMidnight(tomorrow + dayMs, zone), null] as const)[Number(text)] ?? null;
      actOnParcels(board, parcels, {
        doneText: (what, count) => {
          const state = until === 'now' ? 'no longer snoozed' : `snoozed ${snoozeTexts[Number(text)] ?? ''}`;
          return `${what} ${count === 1 ? 'is' : 'are'} ${state}`;
        },
        act: (batch) => actInOneWrite(board, batch, (ids) => monitor.snoozeAll(ids, until)),
      });
    },
  });
}

/** Asks for the extra information that the courier needs: phone digits, or otherwise the postal code. */
export function promptExtra(board: Board, parcel: Parcel): void {
  const need = (parcel.courierCode === null ? null : courierNeeds(parcel.courierCode)) ?? 'postal-code';
  const isPhone = need === 'phone-suffix';
  const what = isPhone ? 'phone digits' : 'postal code';
  // Saved extras are not shown again.
  askText(board, {
    name: `${isPhone ? 'phone' : 'postal code'} for ${shortName([parcel])}`,
    placeholder: isPhone ? 'last four digits; leave empty to remove' : "the recipient's; leave empty to remove",
    ...extraQuestion(need, (extra) =>
      runWithStatus(board, `Sending the ${what}…`, async () => {
        const path = await board.account.setExtras(parcel.id, extra);
        const saved = isPhone ? 'Phone digits saved' : 'Postal code saved';
        return path === 'registered-again' ? `${saved}; registering the number again.` : `${saved}.`;
      }),
    ),
  });
}
