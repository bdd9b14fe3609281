import { completeLast } from '../../board/input/completions.ts';
import { parcelTitle } from '../../board/status/view-stage.ts';
import { cutMiddle } from '../../board/text/cells.ts';
import type { Parcel } from '../../watchlist/model/parcel.ts';
import type { Board } from '../board.ts';
import { inBackground, showMessage } from '../footer/messages.ts';
import { actOnSeveral, inOneWrite } from '../marks/act-on-several.ts';
import { type Prompt, textPrompt } from '../prompt/state.ts';
import { readTagEdit, sharedTags, tagEditWords, tagText } from './tag-list.ts';

/** Completes the last tag of a list as other parcels have it. */
const completeTag =
  ({ state }: Board): NonNullable<Prompt['complete']> =>
  (text, cursor) =>
    completeLast(
      text,
      cursor,
      state.parcels.flatMap(({ tags }) => tags.map((tag) => tagText([tag]))),
    );

/** Lets the tags of a parcel be edited as a list. */
export function promptTags(board: Board, parcel: Parcel): void {
  const prompt = textPrompt(
    {
      name: `tags of ${cutMiddle(parcelTitle(parcel), 15)}`,
      placeholder: 'such as: gift, fragile; empty for none',
      complete: completeTag(board),
      accept: (text) =>
        inBackground(board, async () => {
          const { tags } = await board.monitor.edit(parcel.id, readTagEdit(parcel.tags, text));
          const name = parcelTitle(parcel);
          const shown = tags.map((tag) => `#${tag}`).join(' ');
          showMessage(board, tags.length === 0 ? `${name} has no tags.` : `${name}: ${shown}`);
        }),
    },
    tagText(parcel.tags),
  );
  board.change({ prompt });
}

/** Lets the tags be edited that all of some parcels have; their other tags stay unless a `-` takes them off. */
export function promptTagsOfSeveral(board: Board, parcels: readonly Parcel[]): void {
  const shared = sharedTags(parcels);
  const prompt = textPrompt(
    {
      name: `tags of all ${parcels.length}`,
      placeholder: 'such as: gift, fragile; -gift takes it off',
      complete: completeTag(board),
      accept: (text) => {
        const edit = readTagEdit(shared, text);
        const words = tagEditWords(edit);
        if (words === null) {
          showMessage(board, 'No tag was changed.');
          return;
        }
        actOnSeveral(board, parcels, {
          doing: 'Tagging',
          done: (what) => `${what}: ${words}`,
          act: (batch) => inOneWrite(batch, (ids) => board.monitor.editAll(ids, edit)),
        });
      },
    },
    tagText(shared),
  );
  board.change({ prompt });
}
