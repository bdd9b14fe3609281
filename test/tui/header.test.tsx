import { describe, expect, test } from 'vitest';
import { problemLines } from '../../src/board/header-problem.ts';
import { stageCounts } from '../../src/board/status/status-now.ts';
import { cellWidth } from '../../src/lib/cells.ts';
import { Header, type HeaderProps } from '../../src/tui/header.tsx';
import { aBoard, berlin, now, waitingPolling } from '../board/parcels.ts';
import { renderRows } from './drawn.tsx';

/** Renders the header for some parcels in a window of this width, in cells. */
function headerRows(width: number, more: Partial<HeaderProps> = {}): readonly string[] {
  const counted = stageCounts({ parcels: aBoard(), now, zone: berlin });
  const props = { counted, polling: waitingPolling, now, zone: berlin, width, badge: null, banner: [], ...more };
  return renderRows(<Header {...props} />, width);
}

describe('the header', () => {
  test('is one row: name and counts on the left, polling at the right edge', () => {
    const [row = '', ...more] = headerRows(240);
    expect(more).toEqual([]);
    expect(row).toMatch(/^ parcel-monitor {3}! \d+ needs? attention {3}▲ 1 out for delivery {3}/);
    expect(row).toMatch(/\S {2,}updated \S.* · next check \d\d:\d\d/);
    expect(cellWidth(row)).toBe(239);
  });

  test('shows a problem below, after a symbol and truncated at the right edge', () => {
    const message = 'The service cannot be reached: 请检查网络. Check the network, then press r to try again.';
    const problem = { kind: 'unreachable', message, code: 'ENOTFOUND', traceId: null } as const;
    const [, ...below] = headerRows(40, { banner: problemLines(problem, 40, 3) });
    expect(below.length).toBeGreaterThan(1);
    expect(below[0]).toMatch(/^ ! The service cannot be reached/);
    for (const row of below.slice(1)) expect(row).toMatch(/^ {3}\S/);
    expect(below.join(' ').replaceAll(/ +/g, ' ')).toContain(message);
    const truncated = headerRows(24, { banner: [[{ text: message }], [{ text: 'Now.' }]] });
    expect(truncated.slice(1)).toEqual([' ! The service cannot b…', '   Now.']);
  });

  test('says what to choose if only found numbers are shown', () => {
    expect(headerRows(60, { isChoosing: true })).toEqual([' parcel-monitor  choose the numbers to add']);
  });
});
