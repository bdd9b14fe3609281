import { describe, expect, it } from 'vitest';
import { stageCounts } from '../../src/board/status/status-now.ts';
import { terminalTitle } from '../../src/notify/channels.ts';
import type { Parcel } from '../../src/parcels/parcel.ts';
import { aBoard, ago, aParcel, berlin, day, inStatus, now } from './parcels.ts';

const titleOf = (parcels: readonly Parcel[], glyphs: 'symbols' | 'ascii' = 'symbols'): string =>
  terminalTitle(stageCounts({ parcels, now, zone: berlin }), glyphs);
const unread = { since: ago(day), lastRead: null };

describe("the terminal's title", () => {
  it('counts parcels that need attention, arrive today, are ready for pick-up or are new', () => {
    const parcels = [...aBoard(), aParcel({ id: 'p9', unread })];
    expect(titleOf(parcels)).toBe('! 3 ▲ 1 ◆ 1 · 1 new · parcel-monitor');
    expect(titleOf(parcels, 'ascii')).toBe('! 3 ^ 1 # 1 - 1 new - parcel-monitor');
  });

  it('counts cancelled, returned or lost parcels until they are seen', () => {
    const cancelled = inStatus('a', 'ABNORMAL', 'ABNORMAL_04', day);
    expect(titleOf([{ ...cancelled, unread }])).toBe('! 1 · 1 new · parcel-monitor');
    expect(titleOf([cancelled])).toBe('parcel-monitor');
  });

  it('omits zeros and archived parcels', () => {
    expect(titleOf([])).toBe('parcel-monitor');
    expect(titleOf([aParcel({ unread, archivedAt: ago(day) }), aParcel({ id: 'p2' })])).toBe('parcel-monitor');
    expect(titleOf([aParcel({ unread })])).toBe('1 new · parcel-monitor');
  });

  it('contains no external text', () => {
    const text = '\u001b]0;mine\u0007';
    expect(titleOf([aParcel({ label: text, trackNo: text, courierCode: text })])).toBe('parcel-monitor');
  });
});
