import type { WatchlistKind } from './seed.ts';

/** The resulting screen's name (null for an intermediate step), the input for a single write, and what to wait for. */
export type Step = readonly [name: string | null, typed: string, shows?: RegExp];

/** A run of the program from screen to screen. */
export interface Walk {
  readonly watchlist: WatchlistKind;
  readonly arguments?: readonly string[];
  /** Absent if the user has not run setup. */
  readonly isSetUp?: true;
  /** Whether another board on the same watchlist was opened first. */
  readonly isSecond?: true;
  readonly steps: readonly Step[];
}

const esc = '\u001b[27u';
const enter = '\r';
const [up, down, pageDown] = ['\u001b[A', '\u001b[B', '\u001b[6~'];
const [ctrlD, ctrlU, tab] = ['\u0004', '\u0015', '\t'];
const paste = (text: string): string => `\u001b[200~${text}\u001b[201~`;
/** In a terminal without focus, nothing is marked as read, so news stays unread. */
const focusOut = '\u001b[O';

const mail = `Subject: Your orders have shipped

UPS: 1Z999AA10123456784
China Post RB848719115CN, once more RB848719115CN
Perhaps a number: 123456789012
Known already: LX123456789CN
Invoice 2026-11-0815
`;

/** The board is complete once it has set the window's title. */
export const openBoard: Step = ['opened', focusOut, /^title: .*parcel-monitor/m];

/** The board with parcels of all kinds. */
const board: Walk = {
  watchlist: 'mixed',
  isSetUp: true,
  steps: [
    openBoard,
    ['selected-down', 'j'],
    ['selected-half-page-down', ctrlD],
    ['selected-last', 'G'],
    [null, 'g'],
    ['next-group', '}'],
    ['group-collapsed', 'z'],
    [null, 'z'],
    ['all-groups-collapsed', 'Z'],
    ['heading-selected', 'j'],
    [null, 'Z'],
    [null, 'g'],
    ['filter-empty', '/'],
    ['filter-hits', 'headphones', /[▸>] headphones/],
    ['filter-applied', enter],
    ['timeline', enter],
    ['timeline-down', 'j'],
    ['timeline-page-down', ctrlD],
    ['timeline-zoomed', enter],
    ['timeline-zoomed-last', 'G'],
    ['timeline-in-my-zone', 't'],
    ['timeline-in-utc', 't'],
    [null, 't'],
    [null, esc],
    [null, esc],
    ['filter-left', esc],
    ['list-zoomed', '+'],
    [null, '-'],
    ['timeline-of-odd-record', '/last mile with pages\r'],
    ['timeline-of-odd-record-zoomed', '\r\r'],
    [null, esc],
    [null, esc],
    [null, esc],
    [null, '/'],
    ['filter-without-hits', 'zzz'],
    ['filter-without-hits-applied', enter],
    [null, `/${ctrlU}`],
    ['filter-term', 'is:l'],
    ['filter-term-completed', tab],
    [null, ctrlU],
    ['filter-error', 'older:soon'],
    ['filter-error-message', enter],
    [null, esc],
    ['help', '?'],
    ['help-page-down', pageDown],
    ['help-search', 'archive', /search archive/],
    ['help-search-down', down],
    ['help-search-without-hits', 'zzz'],
    [null, esc],
    [null, esc],
    ['details', 'D'],
    ['details-down', 'j'],
    [null, esc],
    ['news', 'n', /News/],
    ['news-down', 'jj'],
    ['news-in-utc', 't'],
    [null, 't'],
    [null, esc],
    ['order', 's'],
    ['order-down', 'jj'],
    ['order-reversed', 'S'],
    ['order-chosen', enter],
    [null, 's'],
    [null, 'kk'],
    [null, enter],
    ['label-prompt', 'e', /label of/],
    [null, ctrlU],
    ['label-prompt-typed', '小さな lamp 🎁'],
    ['label-saved', enter, / now /],
    ['undone', 'u'],
    ['tags-prompt', '#'],
    ['tags-prompt-typed', 'gift, fragile'],
    [null, esc],
    ['extra-prompt', 'p'],
    [null, '!!!'],
    ['extra-prompt-problem', enter],
    [null, esc],
    ['courier-picker', 'c', /UPS|ups/],
    ['courier-picker-down', down],
    ['courier-picker-search', 'china', /search china/],
    ['courier-picker-without-hits', 'zzz'],
    [null, esc],
    ['delete-confirmation', 'd'],
    [null, esc],
    ['mark', ' '],
    ['marks-range', 'vj'],
    [null, esc],
    ['marks-all', '*'],
    ['delete-confirmation-of-several', 'd'],
    [null, 'n'],
    ['label-prompt-of-several', 'e'],
    [null, esc],
    ['tags-prompt-of-several', '#'],
    [null, esc],
    [null, '*'],
    [null, 'g'],
    ['archived', 'x', /undo|Archived/],
    [null, 'u', /All 31/],
    ['archived-of-several', '  x', /Archived 2/],
    [null, 'u', /All 31/],
    ['archive', 'A'],
    ['archive-timeline', enter],
    [null, 'h'],
    [null, 'A'],
    ['silenced', 'N'],
    [null, 'N'],
    ['marked-read', 'M', /Marked/],
    [null, 'u', /^title: .* new/m],
    ['paused', 'P'],
    [null, 'P'],
    ['add', 'a'],
    ['add-number', '1Z999AA10123456784'],
    ['add-courier', ' @'],
    ['add-courier-search', 'co'],
    ['add-courier-left', esc],
    [null, ctrlU],
    [null, 'too short'],
    ['add-invalid', enter],
    [null, ctrlU],
    ['add-known', 'LX123456789CN'],
    [null, ctrlU],
    [null, esc],
    ['scan', paste(mail), /1Z999/],
    ['scan-down', 'j'],
    ['scan-left-out', ' '],
    ['scan-label', 'e'],
    [null, esc],
    ['scan-number', 'n'],
    [null, esc],
    ['scan-courier', 'c'],
    [null, esc],
    ['scan-help', '?'],
    [null, esc],
    ['scan-closed', esc],
    ['setup-again', 'C'],
    [null, esc],
  ],
};

/** Setup from the first question to the board, with a service that does not respond. */
const setup: Walk = {
  watchlist: 'empty',
  steps: [
    ['service', '', /Which service/],
    ['help', '?'],
    [null, '?'],
    [null, 'j'],
    ['address', enter, /address/],
    ['address-typed', 'http://127.0.0.1:9/'],
    ['header', enter, /header/],
    ['key', enter, /key/i],
    ['key-command', down],
    [null, up],
    ['key-typed', 'not-a-valid-key', /^cursor: .*column 23$/m],
    ['check-failed', enter, /cannot|refused|✗/],
    ['save', tab, /be saved/],
    ['save-down', 'j'],
    ['zone', tab, /zone/],
    ['zone-typed', 'berl', /[▸>] berl/],
    ['notify', enter, /bell/],
    ['notify-down', 'j'],
    ['numbers', enter, /first numbers/i],
    ['numbers-typed', '1Z999AA10123456784 "Lamp"'],
    ['left', esc],
  ],
};

/** All walks, by the prefixes of their screens' names. */
export const walks: Readonly<Record<string, Walk>> = {
  board,
  setup,
  second: {
    watchlist: 'mixed',
    isSetUp: true,
    isSecond: true,
    steps: [openBoard, ['details', 'D']],
  },
  empty: {
    watchlist: 'empty',
    isSetUp: true,
    steps: [openBoard, ['help', '?'], [null, esc], ['archive', 'A']],
  },
  'not-set-up': {
    watchlist: 'due',
    steps: [openBoard, ['refresh-refused', 'r'], ['details', 'D']],
  },
  offline: {
    watchlist: 'due',
    isSetUp: true,
    steps: [openBoard, ['refresh-failed', 'R', /^(?![\s\S]*Checking)[\s\S]*cannot be/], ['problem-details', 'D']],
  },
  demo: { watchlist: 'empty', arguments: ['--demo'], steps: [openBoard] },
};
