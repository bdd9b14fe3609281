import { renderToString } from 'ink';
import { render } from 'ink-testing-library';
import { describe, expect, test } from 'vitest';
import { cellWidth, lineText } from '../../src/lib/cells.ts';
import type { PollingState } from '../../src/polling/state.ts';
import { assumedServiceClock } from '../../src/service/service-clock.ts';
import { detailsLines } from '../../src/tui/app/overlay.ts';
import { InputBar } from '../../src/tui/app/screen.tsx';
import type { Board } from '../../src/tui/board.ts';
import { CourierPicker } from '../../src/tui/menus.tsx';
import { LookContext, Pane, Table } from '../../src/tui/pane.tsx';
import { createEdit } from '../../src/tui/text-edit.ts';
import { berlin, now, waitingPolling } from '../board/parcels.ts';
import { someCouriers } from './board-harness.ts';
import { renderRows } from './drawn.tsx';

describe('a framed pane', () => {
  test('shows its title and status, and fills its size exactly', () => {
    const size = { width: 40, height: 5 };
    const lines = [[{ text: 'one' }], [{ text: '深圳的包裹'.repeat(9) }]];
    const texts = { title: 'Parcels', titleRight: 'times: UTC', status: '2' };
    const frame = renderRows(<Pane texts={texts} size={size} isFocused lines={lines} />);
    expect(frame).toHaveLength(5);
    for (const line of frame) expect(cellWidth(line)).toBe(40);
    expect(frame[0]).toBe('╭ Parcels ──────────────── times: UTC ─╮');
    expect(frame[4]).toContain(' 2 ─╯');
  });

  test('drops edge labels that do not fit', () => {
    const texts = { title: 'A very long title of a parcel', titleRight: 'times: local to event' };
    const size = { width: 20, height: 3 };
    const frame = renderRows(<Pane texts={texts} size={size} isFocused={false} lines={[]} />);
    for (const line of frame) expect(cellWidth(line)).toBe(20);
    expect(frame[0]).toMatch(/^╭ A very long ti/);
  });
});

describe('a table', () => {
  const rows = [
    [[{ text: 'Service' }], [{ text: 'https://api.example/gateway' }]],
    [[{ text: 'Service clock', bold: true }], [{ text: 'UTC+08:00' }]],
  ];

  test('has only rows, with columns as wide as their content', () => {
    expect(renderRows(<Table rows={[[[{ text: '燕文 ' }], [{ text: 'Yanwen' }]], ...rows]} />)).toEqual([
      '燕文 Yanwen',
      'Servicehttps://api.example/gateway',
      'Service clockUTC+08:00',
    ]);
  });

  test('updates when its rows change', () => {
    const { lastFrame, rerender, unmount } = render(<Table rows={rows} />);
    rerender(<Table rows={rows.toReversed()} />);
    expect(lastFrame()).toMatch(/^[^\n]*Service clock/);
    unmount();
  });
});

describe('the courier picker', () => {
  const ready = { status: 'ready', problem: null } as const;
  const size = { width: 50, height: 8 };
  const props = { query: { text: '', cursor: 0 }, index: 1, size };

  test('lists codes with both names and marks the selected one', () => {
    expect(renderRows(<CourierPicker couriers={ready} matches={someCouriers} {...props} />)).toEqual([
      '╭ Courier ───────────────────────────────────────╮',
      '│ search code or name                            │',
      '│  ups              UPS · 联合包裹               │',
      '│▌ yanwen           Yanwen · 燕文物流            │',
      '│  dhl              DHL Express                  │',
      '│                                                │',
      '│                                                │',
      '╰─────────────────────────────────────── 2 of 3 ─╯',
    ]);
  });

  test('keeps the selected courier visible, in rows no wider than the pane', () => {
    const manyCouriers = Array.from({ length: 40 }, (_, n) => ({
      code: `courier-with-a-long-code-${n}`,
      nameEN: `The ${n}th of manyCouriers couriers with a long name`,
      nameCN: '联合包裹',
      homePage: null,
    }));
    const frame = renderRows(<CourierPicker couriers={ready} matches={manyCouriers} {...props} index={30} />);
    expect(frame).toHaveLength(8);
    for (const line of frame) expect(cellWidth(line)).toBe(50);
    expect(frame.find((line) => line.includes('▌'))).toContain('courier-with-a-long-code-30  The 30th of many…│');
  });

  test('shows why there are no couriers', () => {
    const failed = { status: 'failed', problem: 'The service cannot be reached.' } as const;
    const frame = renderRows(<CourierPicker couriers={failed} matches={[]} {...props} />);
    expect(frame.slice(1, 4)).toEqual([
      '│ search code or name                            │',
      '│ The service cannot be reached.                 │',
      '│ Type a code and press Enter to use it anyway.  │',
    ]);
    expect(frame.at(-1)).not.toContain('of');
  });
});

test('the input line shows the placeholder, and the end of text that is too long', () => {
  const rowWith = (text: string): string => {
    const bar = { name: 'add', edit: { text, cursor: text.length }, placeholder: 'number', isFocused: true };
    return renderRows(<InputBar {...bar} width={24} />)[0] ?? '';
  };
  expect(rowWith('')).toBe(' add ▸ number');
  const shown = rowWith('1Z999AA10123456784 @yanwen');
  expect(shown).toContain('@yanwen');
  expect(cellWidth(shown)).toBeLessThanOrEqual(24);
});

test('a prompt that a single key answers is bold', () => {
  const bar = { name: 'delete', edit: null, placeholder: 'Lamp? y/n', isFocused: false };
  const written = renderToString(
    <LookContext value={{ colour: true, glyphs: 'symbols', hyperlinks: false }}>
      <InputBar {...bar} width={60} />
    </LookContext>,
  );
  expect(written.replace('\u001b[31m', '').replace('\u001b[39m', '').trimEnd()).toBe(
    '\u001b[1m delete ▸ Lamp? y/n\u001b[22m',
  );
});

test("a line that is too long for its pane is truncated with our own ellipsis, never with Ink's", () => {
  const rows = renderToString(
    <LookContext value={{ colour: false, glyphs: 'ascii', hyperlinks: false }}>
      <Pane
        texts={{ title: 'News' }}
        size={{ width: 12, height: 3 }}
        isFocused
        lines={[[{ text: 'Delivered · Berlin' }]]}
      />
      <InputBar
        {...{ name: 'tag', edit: null, placeholder: 'Headphones, Desk lamp and 4 more? y/n', isFocused: false }}
        width={24}
      />
      <InputBar name="add" edit={createEdit('1Z999AA10123456784 @yanwen')} placeholder="" isFocused width={24} />
    </LookContext>,
  );
  expect(rows).toContain('|Delivered>|');
  expect(rows).toMatch(/add > [^\n]*>\d+ @yanwen/);
  expect(rows).toMatch(/tag > \S[^\n]*>/);
  expect(rows).not.toMatch(/[^\p{ASCII}]/u);
});

describe('details', () => {
  const board = (fields: Partial<PollingState> = {}, setup: Board['setup'] = { kind: 'ready' }) => ({
    clockSkew: () => null,
    facts: [{ name: 'Service', value: 'https://api.example/gateway' }],
    now,
    setup,
    zone: berlin,
    state: {
      notices: ['View settings could not be saved.'],
      polling: { ...waitingPolling, ...fields },
      serviceClock: assumedServiceClock,
    } as unknown as Board['state'],
  });
  const textOf = (...input: Parameters<typeof detailsLines>): readonly string[] =>
    detailsLines(...input).map((line) => lineText(line).trimEnd());

  test('start with a verdict in local time, followed by a column of facts', () => {
    const rows = textOf(board(), 80);
    expect(rows[0]).toBe(' ✓ Everything works. Last response 13:40. Next check 14:20.');
    expect(rows).toContainEqual(expect.stringMatching(/^ Service {2,}https:\/\/api\.example\/gateway$/));
    expect(rows).toContainEqual(expect.stringMatching(/^ Notice {2,}View settings could not be saved\.$/));
  });

  test.each([
    [{ paused: true }, '! Automatic checks are paused. Press P to resume. Last response 13:40.'],
    [
      { problem: { kind: 'network', message: 'The service cannot be reached.', code: 'E1', traceId: null } },
      '! The service cannot be reached. (E1) Last response 13:40. Next check 14:20.',
    ],
    [
      { problem: { kind: 'network', message: 'Nothing listens there (E1).', code: 'E1', traceId: null } },
      '! Nothing listens there (E1). Last response 13:40. Next check 14:20.',
    ],
  ] as const)('show the problem: %j', (fields, text) => {
    expect(textOf(board(fields as Partial<PollingState>), 100)[0]).toBe(` ${text}`);
  });

  test('have names above their values in a narrow pane, and the same frame at every size', () => {
    expect(textOf(board(), 30).slice(4, 7)).toEqual([' Service', '   https://api.example/gatew', '   ay']);
    for (const size of [
      { width: 80, height: 20 },
      { width: 40, height: 6 },
    ]) {
      const lines = detailsLines(board(), size.width - 2);
      const rows = renderRows(<Pane texts={{ title: 'Details' }} lines={lines} size={size} isFocused />);
      expect(rows[0]).toMatch(/^╭ Details ─+╮$/);
      for (const row of rows) expect(cellWidth(row)).toBe(size.width);
    }
  });
});
