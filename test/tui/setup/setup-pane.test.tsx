import { expect, test } from 'vitest';
import type { PaneSize } from '../../../src/tui/layout.ts';
import { innerSize } from '../../../src/tui/pane/frame.ts';
import { Pane } from '../../../src/tui/pane/pane.tsx';
import { setupOverlay } from '../../../src/tui/setup/setup.ts';
import { openedSetup } from '../../../src/tui/setup/state.ts';
import type { SetupState } from '../../../src/tui/ui-state.ts';
import { berlin, now } from '../../board/parcels.ts';
import { nothingSet } from '../../support/fake-setup-effects.ts';
import { drawn } from '../drawn.tsx';

/** The rows of the conversation as the board shows it. */
function rowsOf(more: Partial<SetupState>, size: PaneSize, complaint: string | null = null): readonly string[] {
  const setup: SetupState = { ...openedSetup('service'), busy: null, now: nothingSet, ...more };
  const message = complaint === null ? null : ({ tone: 'attention', text: complaint } as const);
  const source = { now, zone: berlin, state: { parcels: [] }, ui: { message } };
  const { lines, texts } = setupOverlay(setup, source, innerSize(size));
  return drawn(<Pane texts={texts} lines={lines} size={size} isFocused />);
}

test('the conversation shows its position and marks the selected choice', () => {
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

test('in a pane with few rows, the selected choice is visible, after a validation error', () => {
  const size = { width: 60, height: 8 };
  const rows = rowsOf({ index: 2 }, size);
  expect(rows).toHaveLength(8);
  expect(rows.join('\n')).toContain('▌');
  expect(rows.at(-1)).toMatch(/\d+–\d+ of \d+/);
  const wrong = rowsOf({ index: 0, offset: 0 }, size, 'That is not an address.');
  expect(wrong.join('\n')).toContain('! That is not an address.');
});
