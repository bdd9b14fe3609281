import type { Board } from '../app/board.ts';
import type { Binding } from '../keys/binding.ts';

/** The key that shows the archived parcels in place of the watched ones, and the other way round. */
export const archiveKey: Binding<Board> = {
  keys: ['A'],
  hint: 'archived',
  hintNow: ({ ui }) => (ui.listed === 'archive' ? 'watched' : 'archived'),
  description: 'Show the archive, or the watched parcels again',
  alsoFoundBy: ['restore', 'unarchive'],
  run: ({ change, ui }) =>
    change({ listed: ui.listed === 'archive' ? 'watched' : 'archive', selectedIndex: 0, timelineOffset: 0 }),
};
