import { describe, expect, it } from 'vitest';
import type { ParcelHistory } from '../../src/parcels/parcel.ts';
import { RecentHistories } from '../../src/polling/watchlist-log.ts';

const history: ParcelHistory = { version: 1, checkpoints: [], received: null };
const checkedAt = '2026-11-21T12:00:00.000Z';
const at = Date.parse(checkedAt);

describe('histories that were merged a moment ago', () => {
  it('are there while their parcel was checked at that time', () => {
    const recent = new RecentHistories();
    recent.keep('h1', history, at);
    expect(recent.of('h1', { checkedAt })).toBe(history);
    expect(recent.of('h1', { checkedAt: '2026-11-21T12:00:00Z' })).toBe(history);
  });

  it('are not when another process has checked it since, or nobody has', () => {
    const recent = new RecentHistories();
    recent.keep('h1', history, at);
    expect(recent.of('h1', { checkedAt: '2026-11-21T12:10:00.000Z' })).toBeNull();
    expect(recent.of('h1', { checkedAt: null })).toBeNull();
    expect(recent.of('h2', { checkedAt })).toBeNull();
  });

  it('are bounded: the oldest is forgotten', () => {
    const recent = new RecentHistories();
    for (let n = 0; n <= 128; n += 1) recent.keep(`h${n}`, history, at);
    expect(recent.of('h0', { checkedAt })).toBeNull();
    expect(recent.of('h1', { checkedAt })).toBe(history);
    expect(recent.of('h128', { checkedAt })).toBe(history);
  });
});
