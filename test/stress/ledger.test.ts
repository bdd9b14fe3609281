import { describe, expect, it } from 'vitest';
import type { Parcel } from '../../src/parcels/parcel.ts';
import { newParcel } from '../../src/parcels/parcel-factory.ts';
import { Ledger } from './ledger.ts';

const parcel = (trackNo: string, label: string | null = null): Parcel =>
  newParcel({ trackNo, courierCode: null, label, postalCode: null, phoneSuffix: null }, 0, Math.random);

/** A ledger in which A was acknowledged with the label "Lamp", and B was removed. */
function ledgerOfTwo(clock = { now: 0 }): Ledger {
  const ledger = new Ledger(() => clock.now);
  const change = ledger.begin(['A', 'B']);
  change.isThere('A', 'Lamp');
  change.isGone('B');
  change.end();
  return ledger;
}

const kinds = (ledger: Ledger, parcels: readonly Parcel[]): readonly string[] =>
  ledger.compare(ledger.snapshot(), parcels).map(({ kind, trackNo }) => `${trackNo} ${kind}`);

describe('the ledger of acknowledged changes', () => {
  it('accepts a list with all acknowledged changes', () => {
    expect(kinds(ledgerOfTwo(), [parcel('A', 'Lamp')])).toEqual([]);
  });

  it.each([
    ['a missing number', [], ['A lost']],
    ['a duplicate number', [parcel('A', 'Lamp'), parcel('A', 'Lamp')], ['A doubled']],
    ['a removed number that is still there', [parcel('A', 'Lamp'), parcel('B')], ['B came back']],
    ['a wrong label', [parcel('A', 'Lump')], ['A label lost']],
  ])('finds %s', (_name, parcels, found) => expect(kinds(ledgerOfTwo(), parcels)).toEqual(found));

  it('ignores unfinished changes and changes that began after the snapshot', () => {
    const ledger = ledgerOfTwo();
    const before = ledger.snapshot();
    const change = ledger.begin(['A']);
    expect(ledger.compare(before, [])).toEqual([]);
    change.isAsBefore('A');
    change.end();
    expect(ledger.compare(before, [])).toEqual([]);
    expect(kinds(ledger, [])).toEqual(['A lost']);
  });

  it('takes the result of an unacknowledged change from the watchlist, once no write can be pending', () => {
    const clock = { now: 0 };
    const ledger = ledgerOfTwo(clock);
    ledger.begin(['A']).end();
    expect(kinds(ledger, [])).toEqual([]);
    expect(ledger.numbers('unsure')).toEqual(['A']);
    clock.now = 60_000;
    expect(kinds(ledger, [parcel('A')])).toEqual([]);
    expect(kinds(ledger, [])).toEqual(['A lost']);
  });

  it('does not expect a label for a number that was missing', () => {
    const clock = { now: 0 };
    const ledger = ledgerOfTwo(clock);
    ledger.begin(['A']).end();
    clock.now = 60_000;
    expect(kinds(ledger, [])).toEqual([]);
    const restore = ledger.begin(['A']);
    restore.isThere('A');
    restore.end();
    expect(kinds(ledger, [parcel('A', 'Lamp')])).toEqual([]);
  });

  it('expects nothing of a number that two writers changed at the same time', () => {
    const ledger = ledgerOfTwo();
    const [first, second] = [ledger.begin(['A']), ledger.begin(['A'])];
    first.isGone('A');
    second.isThere('A', 'Lamp');
    first.end();
    second.end();
    expect(ledger.numbers('unsure')).toEqual(['A']);
  });
});
