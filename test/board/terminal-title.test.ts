import { describe, expect, it } from 'vitest';
import { stageCounts } from '../../src/board/header-parts.ts';
import { terminalTitle } from '../../src/notify/terminal-title.ts';
import type { Parcel } from '../../src/parcels/parcel.ts';
import { aBoard, ago, aParcel, berlin, day, inStatus, now } from './parcels.ts';

const titleOf = (parcels: readonly Parcel[], glyphs: 'symbols' | 'ascii' = 'symbols'): string =>
  terminalTitle(stageCounts({ parcels, now, zone: berlin }), glyphs);
const unread = { since: ago(day), lastRead: null };

describe('the title of the terminal', () => {
  it('counts what needs the user, what comes today, what is to be picked up and what is new', () => {
    const parcels = [...aBoard(), aParcel({ id: 'p9', unread })];
    expect(titleOf(parcels)).toBe('! 3 ▲ 1 ◆ 1 · 1 new · parcel-monitor');
    expect(titleOf(parcels, 'ascii')).toBe('! 3 ^ 1 # 1 - 1 new - parcel-monitor');
  });

  it('counts what was cancelled, returned or lost only until it was seen', () => {
    const cancelled = inStatus('a', 'ABNORMAL', 'ABNORMAL_04', day);
    expect(titleOf([{ ...cancelled, unread }])).toBe('! 1 · 1 new · parcel-monitor');
    expect(titleOf([cancelled])).toBe('parcel-monitor');
  });

  it('leaves out what there is none of, and what is archived', () => {
    expect(titleOf([])).toBe('parcel-monitor');
    expect(titleOf([aParcel({ unread, archivedAt: ago(day) }), aParcel({ id: 'p2' })])).toBe('parcel-monitor');
    expect(titleOf([aParcel({ unread })])).toBe('1 new · parcel-monitor');
  });

  it('contains no text from outside', () => {
    const text = '\u001b]0;mine\u0007';
    expect(titleOf([aParcel({ label: text, trackNo: text, courierCode: text })])).toBe('parcel-monitor');
  });
});
