import { courierPage, parcelSummary, trackingLink } from '../board/parcel-facts.ts';
import { counted } from '../lib/text.ts';
import type { Parcel } from '../parcels/parcel.ts';
import type { Board } from './board.ts';
import { inBackground, runWithStatus, showMessage, showProblem } from './footer.ts';
import type { Binding } from './keys/binding.ts';
import { onTargets } from './list/keys.ts';
import { describeParcels } from './parcel/act-on-parcels.ts';
import type { CopiedTo } from './terminal/clipboard.ts';

const clipboardNames: Readonly<Record<Exclude<CopiedTo, 'none'>, string>> = {
  desktop: 'system clipboard',
  terminal: 'terminal clipboard',
};

/** Copies the strings, one per line. The message names the clipboard and ends with `note`. */
function copy(board: Board, texts: readonly string[], what: string, note = ''): void {
  inBackground(board, async () => {
    const copiedTo = await board.copyText(texts.join('\n'));
    if (copiedTo === 'none') showProblem(board, 'The text is too long for the clipboard.');
    else showMessage(board, `Copied ${what} (${clipboardNames[copiedTo]}).${note}`);
  });
}

function copyNumbers(board: Board, parcels: readonly Parcel[]): void {
  const numbers = parcels.map(({ trackNo }) => trackNo);
  const [only = ''] = numbers;
  copy(board, numbers, numbers.length === 1 ? only : counted(numbers.length, 'number'));
}

function copyLinks(board: Board, parcels: readonly Parcel[]): void {
  const pages = parcels.map(courierPage).filter((page) => page !== null);
  const [only] = parcels;
  if (pages.length === 0) showMessage(board, 'The courier page is not known yet.');
  else if (parcels.length === 1 && only !== undefined) {
    copy(board, pages, trackingLink(only) === null ? "the courier's home page" : 'the link to the courier page');
  } else {
    const unknown = parcels.length - pages.length;
    const note = unknown === 0 ? '' : ` ${counted(unknown, 'parcel')} without a courier page.`;
    copy(board, pages, counted(pages.length, 'link'), note);
  }
}

function copySummaries(board: Board, parcels: readonly Parcel[]): void {
  const summaries = parcels.map((parcel) => parcelSummary(parcel, board.ui.timeMode, board.zone));
  copy(board, summaries, `a summary of ${describeParcels(parcels)}`);
}

export const copyKeys: readonly Binding[] = [
  {
    id: 'copy',
    keys: ['y'],
    hint: 'copy',
    description: 'Copy the number',
    synonyms: ['clipboard', 'yank'],
    ...onTargets(copyNumbers),
  },
  {
    id: 'copy-link',
    keys: ['Y'],
    description: 'Copy the courier link',
    synonyms: ['clipboard', 'yank'],
    ...onTargets(copyLinks),
  },
  {
    id: 'copy-summary',
    keys: ['ctrl+y'],
    description: 'Copy a one-line summary',
    synonyms: ['clipboard', 'yank'],
    ...onTargets(copySummaries),
  },
];

/** Writes the listed parcels to a file, in the format given by its extension. */
export const exportCommand: Binding = {
  id: 'export',
  keys: [],
  description: 'Export the list to a file',
  synonyms: ['save', 'csv', 'calendar', 'ics', 'json', 'markdown'],
  disabled: ({ arrangement, exportParcels }) =>
    exportParcels === undefined
      ? 'Nothing can be exported in the demo. Use "parcel-monitor export" with your own parcels.'
      : arrangement.order.length === 0
        ? 'Nothing to export.'
        : null,
  command: {
    name: 'export',
    argument: 'FILE.csv, .json, .ics or .md',
    run: (board, file) => {
      const { arrangement, exportParcels } = board;
      const { order } = arrangement;
      runWithStatus(board, `Exporting ${counted(order.length, 'parcel')}…`, async () => {
        await exportParcels?.(file, order);
        return `Exported ${counted(order.length, 'parcel')} to ${file}.`;
      });
    },
  },
  run: ({ change }) => change({ message: { tone: 'plain', text: 'Type :export and a file name, such as late.csv.' } }),
};
