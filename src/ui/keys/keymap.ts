import type { GlyphSet } from '../../board/text/line.ts';

/** Where a key is looked up: the focused pane or overlay, then `global`. */
export type KeyContext =
  | 'global'
  | 'list'
  | 'timeline'
  | 'add'
  | 'filter'
  | 'prompt'
  | 'confirm'
  | 'picker'
  | 'help'
  | 'details';

/** What a key does. */
export type Action =
  | 'quit'
  | 'back'
  | 'next-pane'
  | 'previous-pane'
  | 'help'
  | 'details'
  | 'focus-add'
  | 'focus-filter'
  | 'down'
  | 'up'
  | 'first'
  | 'last'
  | 'page-down'
  | 'page-up'
  | 'half-page-down'
  | 'half-page-up'
  | 'open'
  | 'open-page'
  | 'refresh'
  | 'refresh-due'
  | 'zone'
  | 'archive'
  | 'undo'
  | 'pause'
  | 'submit'
  | 'open-picker'
  | 'edit-label'
  | 'edit-extra'
  | 'change-courier'
  | 'retrack'
  | 'delete'
  | 'confirm'
  | 'redraw'
  | 'suspend';

/** What decides whether an action is possible just now. */
export interface KeySituation {
  /** Id of the selected parcel. */
  readonly selectedId: string | null;
  readonly canAsk: boolean;
  readonly canUndo: boolean;
}

/** One row of the keymap: the single source of input, footer, help and the README's table. */
export interface Binding {
  readonly keys: readonly string[];
  readonly action: Action;
  readonly context: KeyContext;
  /** For the footer; bindings without one are only in the help. */
  readonly hint?: string;
  readonly description: string;
  /** Holds while typing and in overlays, too. */
  readonly always?: boolean;
  /** Why the action is not possible, as a sentence; null when it is. */
  readonly disabled?: (situation: KeySituation) => string | null;
}

const needsSelection = ({ selectedId }: KeySituation): string | null =>
  selectedId === null ? 'No parcel is selected. Press a to add one.' : null;
const needsService = ({ canAsk }: KeySituation): string | null =>
  canAsk ? null : 'The service is not set up, so nothing can be asked. Press D for how, or try parcel-monitor --demo.';

const moves: readonly Omit<Binding, 'context'>[] = [
  { keys: ['j', 'down'], action: 'down', description: 'Down' },
  { keys: ['k', 'up'], action: 'up', description: 'Up' },
  { keys: ['g', 'home'], action: 'first', description: 'To the first' },
  { keys: ['G', 'end'], action: 'last', description: 'To the last' },
  { keys: ['ctrl+d'], action: 'half-page-down', description: 'Half a page down' },
  { keys: ['ctrl+u'], action: 'half-page-up', description: 'Half a page up' },
  { keys: ['pageDown'], action: 'page-down', description: 'A page down' },
  { keys: ['pageUp'], action: 'page-up', description: 'A page up' },
];

const inContext = (context: KeyContext, bindings: readonly Omit<Binding, 'context'>[]): readonly Binding[] =>
  bindings.map((binding) => ({ ...binding, context }));

/** All keys of the board, in the order of the help. */
export const keymap: readonly Binding[] = [
  ...inContext('global', [
    { keys: ['a', 'i'], action: 'focus-add', hint: 'add', description: 'Add a number in the input bar' },
    {
      keys: ['/'],
      action: 'focus-filter',
      hint: 'filter',
      description: 'Filter by number, label, courier, status, place, order number or remark',
    },
    { keys: ['t'], action: 'zone', hint: 'times', description: 'Times: local to event, your zone, UTC' },
    {
      keys: ['r'],
      action: 'refresh',
      hint: 'refresh',
      description: 'Ask now about the selected parcel',
      disabled: (situation) => needsService(situation) ?? needsSelection(situation),
    },
    {
      keys: ['R'],
      action: 'refresh-due',
      description: 'Ask now about all parcels that are due',
      disabled: needsService,
    },
    {
      keys: ['o'],
      action: 'open-page',
      hint: 'page',
      description: "Open the courier's page about the selected parcel",
      disabled: needsSelection,
    },
    {
      keys: ['x'],
      action: 'archive',
      hint: 'archive',
      description: 'Archive the selected parcel',
      disabled: needsSelection,
    },
    {
      keys: ['u'],
      action: 'undo',
      description: 'Undo what was done last: archive, delete, edit, add',
      disabled: ({ canUndo }) => (canUndo ? null : 'There is nothing to undo.'),
    },
    {
      keys: ['e'],
      action: 'edit-label',
      description: 'Give the selected parcel another label',
      disabled: needsSelection,
    },
    {
      keys: ['c'],
      action: 'change-courier',
      description: 'Choose another courier for the selected parcel',
      disabled: needsSelection,
    },
    {
      keys: ['p'],
      action: 'edit-extra',
      description: 'Give the postal code or phone digits that the courier asks for',
      disabled: needsSelection,
    },
    {
      keys: ['f'],
      action: 'retrack',
      description: 'Let the service ask the courier anew (once in six hours)',
      disabled: (situation) => needsService(situation) ?? needsSelection(situation),
    },
    {
      keys: ['d'],
      action: 'delete',
      description: 'Stop watching the selected parcel, here and at the service',
      disabled: needsSelection,
    },
    { keys: ['P'], action: 'pause', description: 'Pause asking, or go on', disabled: needsService },
    { keys: ['tab'], action: 'next-pane', description: 'Next pane' },
    { keys: ['shift+tab'], action: 'previous-pane', description: 'Previous pane' },
    { keys: ['D'], action: 'details', description: 'Service, clock, calls and files' },
    { keys: ['?'], action: 'help', hint: 'help', description: 'This help' },
    { keys: ['escape'], action: 'back', description: 'One level back: overlay, filter, pane, notice; never quits' },
    { keys: ['q'], action: 'quit', hint: 'quit', description: 'Quit' },
    { keys: ['ctrl+c'], action: 'quit', description: 'Quit, even while typing', always: true },
    { keys: ['ctrl+z'], action: 'suspend', description: 'Back to the shell; fg returns', always: true },
    { keys: ['ctrl+l'], action: 'redraw', description: 'Draw the screen anew', always: true },
  ]),
  ...inContext('list', [
    ...moves,
    {
      keys: ['enter', 'l', 'right'],
      action: 'open',
      hint: 'open',
      description: 'Go to the timeline',
      disabled: needsSelection,
    },
  ]),
  ...inContext('timeline', [
    ...moves,
    { keys: ['h', 'left'], action: 'back', hint: 'list', description: 'Back to the list' },
  ]),
  ...inContext('add', [
    { keys: ['enter'], action: 'submit', hint: 'add', description: 'Add what the bar holds' },
    { keys: ['@'], action: 'open-picker', hint: 'courier', description: 'Choose a courier' },
    { keys: ['escape'], action: 'back', hint: 'leave', description: 'Leave the bar; what was typed stays' },
    { keys: ['tab'], action: 'next-pane', description: 'Next pane' },
    { keys: ['shift+tab'], action: 'previous-pane', description: 'Previous pane' },
  ]),
  ...inContext('filter', [
    { keys: ['enter'], action: 'submit', hint: 'keep', description: 'Keep the filter, back to the list' },
    { keys: ['escape'], action: 'back', hint: 'clear', description: 'Clear the filter' },
    { keys: ['down'], action: 'down', description: 'Down the list' },
    { keys: ['up'], action: 'up', description: 'Up the list' },
  ]),
  ...inContext('prompt', [
    { keys: ['enter'], action: 'submit', hint: 'keep', description: 'Keep what was typed' },
    { keys: ['escape'], action: 'back', hint: 'cancel', description: 'Leave it as it was' },
  ]),
  ...inContext('confirm', [
    { keys: ['y', 'Y'], action: 'confirm', hint: 'yes', description: 'Yes, do it' },
    { keys: ['n', 'N', 'escape', 'enter', 'q'], action: 'back', hint: 'no', description: 'No, leave it' },
  ]),
  ...inContext('picker', [
    { keys: ['down', 'ctrl+n', 'tab'], action: 'down', hint: 'next', description: 'Next courier' },
    { keys: ['up', 'ctrl+p', 'shift+tab'], action: 'up', hint: 'previous', description: 'Previous courier' },
    { keys: ['pageDown'], action: 'page-down', description: 'A page down' },
    { keys: ['pageUp'], action: 'page-up', description: 'A page up' },
    { keys: ['enter'], action: 'submit', hint: 'choose', description: 'Choose this courier' },
    { keys: ['escape'], action: 'back', hint: 'close', description: 'Close without choosing' },
  ]),
  ...inContext('help', [
    { keys: ['j', 'down'], action: 'down', hint: 'down', description: 'Down' },
    { keys: ['k', 'up'], action: 'up', hint: 'up', description: 'Up' },
    { keys: ['pageDown', 'ctrl+d', ' '], action: 'page-down', description: 'A page down' },
    { keys: ['pageUp', 'ctrl+u'], action: 'page-up', description: 'A page up' },
    { keys: ['escape', '?', 'enter'], action: 'back', hint: 'close', description: 'Close the help' },
    { keys: ['q'], action: 'back', description: 'Close the help' },
  ]),
  ...inContext('details', [
    { keys: ['j', 'down'], action: 'down', hint: 'down', description: 'Down' },
    { keys: ['k', 'up'], action: 'up', hint: 'up', description: 'Up' },
    { keys: ['pageDown', 'ctrl+d', ' '], action: 'page-down', description: 'A page down' },
    { keys: ['pageUp', 'ctrl+u'], action: 'page-up', description: 'A page up' },
    { keys: ['escape', 'D', 'enter', 'q'], action: 'back', hint: 'close', description: 'Close the details' },
  ]),
];

/** Contexts in which letters are text; there, keys of the global context are not looked up. */
const closedContexts: ReadonlySet<KeyContext> = new Set([
  'add',
  'filter',
  'prompt',
  'confirm',
  'picker',
  'help',
  'details',
]);

/** The binding of a key in a context, or null. */
export function findBinding(context: KeyContext, keyName: string): Binding | null {
  const within = (wanted: KeyContext): Binding | undefined =>
    keymap.find((binding) => binding.context === wanted && binding.keys.includes(keyName));
  const everywhere = within('global');
  const reaches = everywhere?.always === true || !closedContexts.has(context);
  return within(context) ?? (reaches ? everywhere : undefined) ?? null;
}

/** Bindings with a footer hint, those of the context before the global ones. */
export function footerBindings(context: KeyContext): readonly Binding[] {
  const own = keymap.filter((binding) => binding.context === context && binding.hint !== undefined);
  if (closedContexts.has(context)) return own;
  return [...own, ...keymap.filter((binding) => binding.context === 'global' && binding.hint !== undefined)];
}

const keyCaps: Readonly<Record<string, string>> = {
  enter: '⏎',
  escape: 'Esc',
  tab: 'Tab',
  'shift+tab': 'Shift+Tab',
  up: '↑',
  down: '↓',
  left: '←',
  right: '→',
  pageUp: 'PgUp',
  pageDown: 'PgDn',
  home: 'Home',
  end: 'End',
  ' ': 'Space',
};

const asciiKeyCaps: Readonly<Record<string, string>> = {
  enter: 'Enter',
  up: 'Up',
  down: 'Down',
  left: 'Left',
  right: 'Right',
};

/** A key as people write it. */
export function keyCap(keyName: string, glyphs: GlyphSet = 'symbols'): string {
  const control = /^ctrl\+(.)$/.exec(keyName)?.[1];
  if (control !== undefined) return `Ctrl+${control}`;
  return (glyphs === 'ascii' ? asciiKeyCaps[keyName] : undefined) ?? keyCaps[keyName] ?? keyName;
}

/** Headings of the help and the README, in their order. */
export const contextTitles: Readonly<Record<KeyContext, string>> = {
  global: 'Everywhere',
  list: 'Parcel list',
  timeline: 'Timeline',
  add: 'Input bar',
  filter: 'Filter',
  prompt: 'Question',
  confirm: 'Yes or no',
  picker: 'Courier picker',
  help: 'Help',
  details: 'Details',
};
