import { counted } from '../lib/text.ts';
import { runWithStatus } from './footer/messages.ts';
import type { Binding } from './keys/binding.ts';

/** Writes the listed parcels to a file, in the format of its extension. */
export const exportCommand: Binding = {
  id: 'export',
  keys: [],
  description: 'Export the list to a file',
  alsoFoundBy: ['save', 'csv', 'calendar', 'ics', 'json', 'markdown'],
  disabled: ({ arrangement, exportParcels }) =>
    exportParcels === undefined
      ? 'The demo exports nothing. Use "parcel-monitor export" with your own parcels.'
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
  run: ({ change }) => change({ message: { tone: 'plain', text: 'Type :export and a file, such as late.csv.' } }),
};
