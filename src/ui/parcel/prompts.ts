import { completeLine } from '../../board/input/completions.ts';
import { parcelTitle } from '../../board/status/view-stage.ts';
import { cutMiddle } from '../../board/text/cells.ts';
import { courierNeeds } from '../../service/record/courier-needs.ts';
import type { Parcel } from '../../watchlist/model/parcel.ts';
import { withForgotten } from '../add/state.ts';
import type { Board } from '../board.ts';
import { inBackground, runWithStatus, showMessage } from '../footer/messages.ts';
import { extraQuestion } from '../prompt/extra.ts';
import { type Prompt, textPrompt } from '../prompt/state.ts';
import { changeWords } from './actions.ts';

/** A parcel's name beside which there is room to type, in a narrow terminal, too. */
const shortName = (parcel: Parcel): string => cutMiddle(parcelTitle(parcel), 15);

/** Completes a label as other parcels have it. */
export const completeLabel =
  ({ state }: Board): NonNullable<Prompt['complete']> =>
  (text, cursor) =>
    completeLine(
      text,
      cursor,
      state.parcels.flatMap(({ label }) => label ?? []),
    );

/** Asks for another label. */
export function promptLabel(board: Board, parcel: Parcel): void {
  const prompt = textPrompt(
    {
      name: `label of ${shortName(parcel)}`,
      placeholder: 'your own name for the parcel; empty for none',
      complete: completeLabel(board),
      accept: (label) =>
        inBackground(board, async () => {
          const { trackNo } = await board.monitor.edit(parcel.id, { label: label === '' ? null : label });
          showMessage(board, label === '' ? 'Label removed.' : `${trackNo} is now ${label}.`);
        }),
    },
    parcel.label ?? '',
  );
  board.change({ prompt });
}

/** Asks for the extra that the parcel's courier needs: phone digits where it is known to want them, else the postal code. */
export function promptExtra(board: Board, parcel: Parcel): void {
  const need = (parcel.courierCode === null ? null : courierNeeds(parcel.courierCode)) ?? 'postal-code';
  const isPhone = need === 'phone-suffix';
  const what = isPhone ? 'phone digits' : 'postal code';
  // What is kept already is not shown again: it is nobody's business who looks over the shoulder.
  const prompt = textPrompt({
    name: `${isPhone ? 'phone' : 'postal code'} for ${shortName(parcel)}`,
    placeholder: isPhone ? 'last four digits; empty for none' : "the recipient's; empty for none",
    ...extraQuestion(need, (extra) =>
      runWithStatus(board, `Sending the ${what}…`, async () =>
        changeWords(
          await board.account.setExtras(parcel.id, extra),
          isPhone ? 'Phone digits saved' : 'Postal code saved',
        ),
      ),
    ),
  });
  board.change({ prompt });
}

/** Asks whether a parcel is to be deleted here and at the service. */
export function promptDelete(board: Board, parcel: Parcel): void {
  const name = parcelTitle(parcel);
  board.change({
    prompt: {
      name: 'delete',
      placeholder: `${name} and its history, here and at the service? y/n`,
      edit: null,
      accept: () =>
        runWithStatus(
          board,
          `Deleting ${name}…`,
          async () => {
            await board.account.deleteEverywhere(parcel.id);
            board.change(withForgotten([parcel.trackNo]));
            return `Deleted ${name}.`;
          },
          { advice: 'Press u to watch it again.' },
        ),
    },
  });
}
