import type { Board } from '../board.ts';
import { emptyEdit } from '../field/text-edit.ts';
import type { Binding, KeyGroup } from '../keys/binding.ts';
import { moving } from '../keys/movement.ts';
import { moveSelection } from '../list/keys.ts';

/** The key that leads to the filter. */
export const openFilter: Binding = {
  keys: ['/'],
  hint: 'filter',
  description:
    'Filter by number, label, tag, courier, last mile, status, place, event, order number, remark, who signed, delivery day, pieces, weight, size or service',
  leadsToField: true,
  run: ({ change }) => change({ focus: 'filter' }),
};

const toList = ({ change }: Board): void => change({ focus: 'list' });

/** Keys of the filter. */
export const filterKeys: KeyGroup = {
  context: 'filter',
  title: 'Filter',
  isClosed: true,
  text: { read: ({ filter }) => filter, write: (_ui, filter) => ({ filter }) },
  bindings: [
    {
      keys: ['enter'],
      hint: 'apply',
      description: 'Apply the filter, back to the list',
      alwaysShown: true,
      run: toList,
    },
    {
      keys: ['escape'],
      hint: 'clear',
      description: 'Clear the filter',
      alwaysShown: true,
      run: ({ change }) => change({ filter: emptyEdit, focus: 'list' }),
    },
    { keys: ['down'], description: 'Down the list', ...moving('down', moveSelection) },
    { keys: ['up'], description: 'Up the list', ...moving('up', moveSelection) },
  ],
};
