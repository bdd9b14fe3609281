import { courierPage, trackingLink } from '../../board/courier/courier-page.ts';
import { parcelSummary } from '../../board/status/parcel-summary.ts';
import { parcelTitle } from '../../board/status/view-stage.ts';
import type { Parcel } from '../../watchlist/model/parcel.ts';
import type { Board } from '../board.ts';
import { inBackground, showMessage } from '../footer/messages.ts';
import { type Binding, onSelected } from '../keys/binding.ts';
import type { CopiedTo } from './copy-text.ts';

const clipboardNames: Readonly<Record<Exclude<CopiedTo, 'none'>, string>> = {
  desktop: 'system clipboard',
  terminal: 'terminal clipboard',
};

/** Copies a text and says where it went. */
function copy(board: Board, text: string, what: string): void {
  inBackground(board, async () => {
    const copiedTo = await board.copyText(text);
    if (copiedTo === 'none') showMessage(board, 'That is too long for the clipboard.', { tone: 'attention' });
    else showMessage(board, `Copied ${what} (${clipboardNames[copiedTo]}).`);
  });
}

function copyLink(board: Board, selected: Parcel): void {
  inBackground(board, async () => {
    const [parcel = selected] = await board.monitor.whole([selected.id]);
    const page = courierPage(parcel);
    if (page === null) showMessage(board, "The courier's page is not known yet.");
    else copy(board, page, trackingLink(parcel) === null ? "the courier's home page" : "the courier's link");
  });
}

/** The keys that copy something of the selected parcel. */
export const copyKeys: readonly Binding[] = [
  {
    keys: ['y'],
    hint: 'copy',
    description: 'Copy the number of the selected parcel',
    alsoFoundBy: ['clipboard', 'yank'],
    ...onSelected((board, { trackNo }) => copy(board, trackNo, trackNo)),
  },
  {
    keys: ['Y'],
    description: "Copy the link to the courier's page",
    alsoFoundBy: ['clipboard', 'yank'],
    ...onSelected(copyLink),
  },
  {
    keys: ['ctrl+y'],
    description: 'Copy the selected parcel in one line: label, number, courier, status, place, time',
    alsoFoundBy: ['clipboard', 'yank'],
    ...onSelected((board, parcel) =>
      copy(board, parcelSummary(parcel, board.ui.timeMode, board.zone), `a summary of ${parcelTitle(parcel)}`),
    ),
  },
];
