import { expect, test } from 'vitest';
import { innerSize, type PaneSize } from '../../../src/tui/layout.ts';
import { Pane } from '../../../src/tui/pane.tsx';
import { setupOverlay } from '../../../src/tui/setup/setup.ts';
import { createSetupState } from '../../../src/tui/setup/state.ts';
import type { SetupState } from '../../../src/tui/ui-state.ts';
import { berlin, now } from '../../board/parcels.ts';
import { emptySetup } from '../../support/fake-setup-effects.ts';
import { renderRows } from '../drawn.tsx';

/** Renders the setup the way the board does. */
function rowsOf(more: Partial<SetupState>, size: PaneSize, error: string | null = null): readonly string[] {
  const setup: SetupState = { ...createSetupState('service'), busy: null, active: emptySetup, ...more };
  const message = error === null ? null : ({ tone: 'attention', text: error } as const);
  const source = { now, zone: berlin, state: { parcels: [] }, ui: { message } };
  const { lines, texts } = setupOverlay(setup, source, innerSize(size));
  return renderRows(<Pane texts={texts} lines={lines} size={size} isFocused />);
}

test('the setup shows the current step and marks the selected choice', () => {
  expect(rowsOf({}, { width: 76, height: 20 }).slice(0, 11)).toEqual([
    '╭ Setup · 1 of 7 · Service ────────────────────────────────────────────────╮',
    '│ ● Service  ○ Key  ○ Check  ○ Save  ○ Zone  ○ Notify  ○ Numbers           │',
    '│                                                                          │',
    '│ Which service tracks your parcels?                                       │',
    '│ Seven short questions, then the board. Tab skips one, Esc goes back.     │',
    '│                                                                          │',
    '│▌ Track123, the public service                                            │',
    '│▌ https://www.track123.com                                                │',
    '│                                                                          │',
    '│  Another address                                                         │',
    '│  Your own server, or a sandbox.                                          │',
  ]);
});

test('a pane with few rows keeps the selected choice visible, and shows a validation error', () => {
  const size = { width: 60, height: 8 };
  const rows = rowsOf({ index: 2 }, size);
  expect(rows).toHaveLength(8);
  expect(rows.join('\n')).toContain('▌');
  expect(rows.at(-1)).toMatch(/\d+–\d+ of \d+/);
  const withError = rowsOf({ index: 0, offset: 0 }, size, 'That is not an address.');
  expect(withError.join('\n')).toContain('! That is not an address.');
});
