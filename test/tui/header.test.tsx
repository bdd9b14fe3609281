import { describe, expect, test } from 'vitest';
import { problemLines } from '../../src/board/header-problem.ts';
import { stageCounts } from '../../src/board/status/status-now.ts';
import { cellWidth } from '../../src/lib/cells.ts';
import { Header, type HeaderProps } from '../../src/tui/header.tsx';
import { aBoard, berlin, now, waitingPolling } from '../board/parcels.ts';
import { drawn } from './drawn.tsx';

/** The header above some parcels in a window of this many cells. */
function shown(width: number, more: Partial<HeaderProps> = {}): readonly string[] {
  const counted = stageCounts({ parcels: aBoard(), now, zone: berlin });
  const props = { counted, polling: waitingPolling, now, zone: berlin, width, badge: null, banner: [], ...more };
  return drawn(<Header {...props} />, width);
}

describe('the header', () => {
  test('is one row: name and counts on the left, polling at the right edge', () => {
    const [row = '', ...more] = shown(240);
    expect(more).toEqual([]);
    expect(row).toMatch(/^ parcel-monitor {3}! \d+ needs? attention {3}▲ 1 out for delivery {3}/);
    expect(row).toMatch(/\S {2,}updated \S.* · next check \d\d:\d\d/);
    expect(cellWidth(row)).toBe(239);
  });

  test('has a problem below it, after its symbol and cut at the right edge', () => {
    const message = 'The service cannot be reached: 请检查网络. Check the network, then press r to try again.';
    const problem = { kind: 'unreachable', message, code: 'ENOTFOUND', traceId: null } as const;
    const [, ...below] = shown(40, { banner: problemLines(problem, 40, 3) });
    expect(below.length).toBeGreaterThan(1);
    expect(below[0]).toMatch(/^ ! The service cannot be reached/);
    for (const row of below.slice(1)) expect(row).toMatch(/^ {3}\S/);
    expect(below.join(' ').replaceAll(/ +/g, ' ')).toContain(message);
    const cut = shown(24, { banner: [[{ text: message }], [{ text: 'Now.' }]] });
    expect(cut.slice(1)).toEqual([' ! The service cannot b…', '   Now.']);
  });

  test('shows what to choose if only found numbers are shown', () => {
    expect(shown(60, { isChoosing: true })).toEqual([' parcel-monitor  choose the numbers to add']);
  });
});
