import { describe, expect, test } from 'vitest';
import { listRows } from '../../../src/board/list/list-rows.ts';
import { cellWidth } from '../../../src/lib/cells.ts';
import { innerSize, visibleText } from '../../../src/tui/layout.ts';
import { selectedText, Timeline, type TimelineProps } from '../../../src/tui/timeline/timeline.tsx';
import { arrange } from '../../board/list/arranged.ts';
import { aBoard, aCheckpoint, ago, aParcel, berlin, hour, now } from '../../board/parcels.ts';
import { renderRows } from '../drawn.tsx';

const lamp = aParcel({ id: 'lamp', label: 'Desk lamp 📦 深圳', checkpointCount: 30 });
const checkpoints = Array.from({ length: 30 }, (_, at) =>
  aCheckpoint({ at: ago(at * hour), detail: at === 0 ? '深圳市 '.repeat(30) : `Scanned for the ${at}th time` }),
);

interface TimelineOptions extends Partial<TimelineProps> {
  readonly offset?: number;
}

/** Renders the timeline the way the board does, scrolled this far. */
function timelineRows({ offset = 0, ...props }: TimelineOptions = {}): readonly string[] {
  const { heading = null, selected = lamp, size = { width: 60, height: 12 } } = props;
  const { height, width } = innerSize(size);
  const view = {
    now,
    zone: berlin,
    usual: new Map<string, number>(),
    forecast: () => null,
    pause: null,
    phraseBook: null,
    shownProblem: null,
    openedUnread: null,
  };
  const loaded = { history: { version: 1, checkpoints, received: null } as const, problem: null, version: '' };
  const textView = {
    ...view,
    timeMode: 'event',
    showsFacts: false,
    showsMap: false,
    size: { width, height },
    checking: new Set<string>(),
  } as const;
  const rows = {
    selected,
    heading,
    timeline: visibleText(selectedText({ heading, selected }, loaded, textView), offset, height),
    ui: { timeMode: 'event', isInEnglish: false },
    zone: berlin,
    size,
    isFocused: true,
    ...props,
  } as const;
  return renderRows(<Timeline {...rows} />, size.width);
}

describe('the timeline', () => {
  test.each([20, 36, 60, 100])(
    'fills its size exactly at a width of %i cells, with both borders on each row',
    (width) => {
      const rows = timelineRows({ size: { width, height: 12 } });
      expect(rows).toHaveLength(12);
      for (const row of rows) expect(cellWidth(row)).toBe(width);
      for (const row of rows.slice(1, -1)) expect(row).toMatch(/^│ .* │$/u);
    },
  );

  test('is titled with its parcel, and shows its visible rows and the key for facts', () => {
    const rows = timelineRows();
    expect(rows[0]).toMatch(/^╭ Desk lamp 📦 深圳 ─+ LX123456789CN · Yanwen ─╮$/u);
    expect(rows.at(-1)).toMatch(/^╰─+ 1–10 of \d+ · times: local to event · i facts ─╯$/);
    expect(timelineRows({ size: { width: 36, height: 12 } }).at(-1)).toMatch(/^╰─+ 1–10 of \d+ ─╯$/);
    const scrolled = timelineRows({ offset: 12 });
    expect(scrolled.at(-1)).toMatch(/ 13–22 of \d+ ·.* ─╯$/);
    expect(scrolled.join('\n')).toMatch(/Scanned for the \d+th time/);
    expect(timelineRows({ size: { width: 100, height: 400 } }).at(-1)).toMatch(/ 30 events ·.* ─╯$/);
    expect(timelineRows({ size: { width: 100, height: 400 } }).join('\n')).not.toContain('…');
  });

  test('shows what to do if no parcel is selected', () => {
    const rows = timelineRows({ selected: null });
    expect(rows[0]).toMatch(/^╭ Timeline ─/);
    expect(rows[1]).toContain('Select a parcel to see its timeline.');
  });

  test('describes a group while its heading is selected', () => {
    const { rows: listed } = listRows(arrange({ parcels: aBoard(), filter: '', now, zone: berlin }), []);
    const heading = listed.find((row) => row.kind === 'heading') ?? null;
    const rows = timelineRows({ selected: null, heading });
    expect(rows[0]).toMatch(/^╭ Needs attention ─+╮$/);
    expect(rows[1]).toMatch(/^│ 3 parcels +│$/);
    expect(rows.join('\n')).toContain('Enter collapses the group');
  });
});
