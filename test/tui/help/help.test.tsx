import { describe, expect, test } from 'vitest';
import { cellWidth } from '../../../src/lib/cells.ts';
import { keymap } from '../../../src/tui/app/keymap.ts';
import { helpOverlay, searchHelp } from '../../../src/tui/help/help.ts';
import { Pane } from '../../../src/tui/pane.tsx';
import { createEdit } from '../../../src/tui/text-edit.ts';
import { renderRows } from '../drawn.tsx';

interface HelpOptions {
  readonly query?: string;
  readonly index?: number;
  readonly offset?: number;
  readonly width?: number;
  readonly height?: number;
}

/** Renders the help over the list, the way the board does. */
function helpRows({ query = '', index = -1, offset = 0, width = 80, height = 16 }: HelpOptions): readonly string[] {
  const size = { width, height };
  const listed = searchHelp(keymap, 'list', query).map((item) => ({ ...item, disabledReason: null }));
  const ui = { helpIndex: index, helpQuery: createEdit(query), overlayOffset: offset, helpShowsAll: true };
  const { lines, texts } = helpOverlay(listed, { glyphs: 'symbols' } as never, ui, size);
  return renderRows(<Pane texts={texts} lines={lines} size={size} isFocused />, width);
}

describe('the help', () => {
  test.each([30, 60, 80, 100])(
    'fills its size exactly at a width of %i cells, with its search in the first row',
    (width) => {
      const rows = helpRows({ width });
      expect(rows).toHaveLength(16);
      for (const row of rows) expect(cellWidth(row)).toBe(width);
      expect(rows[0]).toMatch(/^╭ Help ─+╮$/);
      expect(rows[1]).toMatch(/^│ search an action, such/);
      expect(rows.at(-1)).toMatch(/^╰─+ .*1–13 of \d+ ─╯$/);
    },
  );

  test('scrolls below its search, to its last row', () => {
    const [, first] = /of (\d+)/.exec(helpRows({}).at(-1) ?? '') ?? [];
    const total = Number(first);
    const rows = helpRows({ offset: 10_000 });
    expect(rows[1]).toMatch(/^│ search /);
    expect(rows.at(-1)).toContain(` ${total - 12}–${total} of ${total} `);
    const complete = helpRows({ height: total + 3 });
    expect(complete.at(-1)).toMatch(/^╰─+ Tab: only the keys here ─╯$/);
    expect(complete.join('\n')).not.toContain('…');
  });

  test('marks the selected key among those that a search found', () => {
    const rows = helpRows({ query: 'label', index: 1 });
    expect(rows[1]).toMatch(/^│ search label/);
    const marked = rows.flatMap((row, at) => (row.includes('▌') ? [at] : []));
    expect(marked[0]).toBeGreaterThan(2);
    expect(rows[marked[0] ?? 0]).toMatch(/^│▌ \S/);
    expect(helpRows({ query: 'zebra' })[2]).toContain('Nothing found. Try fewer letters.');
  });
});
