import { describe, expect, test } from 'vitest';
import { columnNeeds } from '../../../src/board/list/list-row.ts';
import { listRows, listWindow } from '../../../src/board/list/list-rows.ts';
import { urgentFirst } from '../../../src/board/list/sort-orders.ts';
import { cellWidth } from '../../../src/lib/cells.ts';
import type { Parcel } from '../../../src/parcels/parcel.ts';
import type { BoardSetup } from '../../../src/settings/setup/board-setup.ts';
import { listHeight, ParcelList } from '../../../src/tui/list/parcel-list.tsx';
import { effectiveSelection } from '../../../src/tui/list/state.ts';
import { OrderMenu } from '../../../src/tui/menus.tsx';
import { createEdit } from '../../../src/tui/text-edit.ts';
import { initialUiState, type UiState } from '../../../src/tui/ui-state.ts';
import { arrange } from '../../board/list/arranged.ts';
import { aBoard, berlin, now, waitingPolling } from '../../board/parcels.ts';
import { renderRows } from '../drawn.tsx';

const viewing = { now, zone: berlin, usual: new Map<string, number>(), forecast: () => null, phraseBook: null };

interface ListOptions {
  readonly parcels: readonly Parcel[];
  readonly ui?: Partial<UiState>;
  readonly collapsed?: readonly string[];
  readonly marked?: readonly string[];
  readonly setup?: BoardSetup;
  readonly height?: number;
}

/** Renders the list, with its first parcel selected by default. */
function renderList({
  parcels,
  ui = {},
  collapsed = [],
  marked = [],
  setup = { kind: 'ready' },
  height = 14,
}: ListOptions) {
  const size = { width: 70, height };
  const state = { ...initialUiState, ...ui };
  const { filter, listed, sorting } = state;
  const arrangement = arrange({ parcels, filter: filter.text, now, zone: berlin, listed, sorting });
  const { rows, stops } = listRows(arrangement, collapsed);
  const selection = effectiveSelection({ arrangement, rows, stops }, state);
  return renderRows(
    <ParcelList
      size={size}
      isFocused
      ui={state}
      arrangement={arrangement}
      list={listWindow(rows, 0, listHeight(size))}
      needs={() => columnNeeds(arrangement.unfiltered, viewing)}
      selection={selection}
      marks={{ ids: new Set(marked), unlisted: 0, isRange: false }}
      viewing={viewing}
      state={{ checking: new Set(['lamp']), polling: waitingPolling }}
      pause={null}
      chosenColumns={null}
      tabs={[]}
      setup={setup}
    />,
    size.width,
  );
}

const notSetUp: BoardSetup = { kind: 'not-set-up', hasKey: false, baseUrl: null, configFile: '' };

describe('the list', () => {
  test('has column names, headings above their parcels, and exactly its size', () => {
    const rows = renderList({ parcels: aBoard(), collapsed: ['attention'], marked: ['book'] });
    expect(rows).toHaveLength(14);
    for (const row of rows) expect(cellWidth(row)).toBe(70);
    expect(rows[0]).toMatch(/^╭ Parcels · by urgency ↓ ─+ 1 marked ─╮$/);
    expect(rows[1]).toMatch(/^│ {4}Parcel +Courier +Status +.*Last │$/);
    expect(rows[2]).toMatch(/^│▌› Needs attention +3 │$/);
    expect(rows[3]).toMatch(/^│ Out for delivery +1 │$/);
    expect(rows[4]).toMatch(/^│ ■▲ Birthday book +DHL .* 38m │$/);
    expect(rows[13]).toMatch(/^╰─+ 13 ─╯$/);
  });

  test('shows the position of the selection and the number of matches', () => {
    const rows = renderList({ parcels: aBoard(), ui: { filter: createEdit('dhl'), selectedId: 'books' } });
    expect(rows[0]).toContain('Parcels · “dhl” · by urgency ↓');
    expect(rows.find((row) => row.includes('▌'))).toContain('Books');
    expect(rows.at(-1)).toContain(' 2 of 2 · 13 in all ');
  });

  test.each([
    ['the list is empty', {}, 'No parcels yet. Three ways to start:'],
    ['the archive is empty', { ui: { listed: 'archive' } }, 'The archive is empty. Press A to go back to the list.'],
    ['nothing matches', { parcels: aBoard(), ui: { filter: createEdit('zebra') } }, 'No parcel matches. Press Esc'],
  ] as const)('shows what to do if %s', (_title, input, text) => {
    const rows = renderList({ parcels: [], ...input });
    expect(rows[1]).toContain(text);
    expect(rows).toHaveLength(14);
  });

  test('shows three ways to begin, with setup first if there is no service', () => {
    const hints = [/Press a and type a number\./, /Paste an email or a table\./, /Press I and enter a file name/];
    expect(renderList({ parcels: [] }).slice(2, 6)).toEqual(
      [...hints, /^│ +│$/].map((hint) => expect.stringMatching(hint)),
    );
    expect(renderList({ parcels: [], setup: notSetUp })[5]).toContain('Press C to set up the service first.');
  });
});

describe('the order menu', () => {
  test('shows the chosen order with its direction, and what comes first', () => {
    const rows = renderRows(
      <OrderMenu sorting={{ order: 'label', isReversed: true }} size={{ width: 50, height: 5 }} />,
      50,
    );
    expect(rows).toEqual([
      '╭ Order ─────────────────────────────────────────╮',
      '│  by expected delivery ↑  soonest first         │',
      '│  by courier ↑            A to Z                │',
      '│▌ by label ↓              Z to A                │',
      '╰─────────────────────────────────────── 8 of 8 ─╯',
    ]);
  });

  test('begins with the order by urgency', () => {
    const rows = renderRows(<OrderMenu sorting={urgentFirst} size={{ width: 50, height: 12 }} />, 50);
    expect(rows[1]).toContain('▌ by urgency ↓');
    expect(rows).toHaveLength(12);
  });
});
