import { describe, expect, it } from 'vitest';
import { createDigest, digestHtml, digestPlain } from '../../src/board/digest.ts';
import { aCheckpoint, ago, aParcel, aRecord, berlin, day, hour, now } from './parcels.ts';

const viewing = { now, zone: berlin };
const expectedOn = (date: string) => aRecord({ expectedDelivery: { kind: 'day', date } });
const parcels = [
  aParcel({
    id: 'customs',
    label: 'Headphones',
    record: aRecord({ transitStatus: 'ABNORMAL', transitSubStatus: 'ABNORMAL_02' }),
  }),
  aParcel({ id: 'today', label: 'Book', record: expectedOn('2026-11-21') }),
  aParcel({ id: 'late', label: 'Mug', record: expectedOn('2026-11-19') }),
  aParcel({ id: 'friday', label: 'Vase', record: expectedOn('2026-11-27') }),
  aParcel({ id: 'tuesday', label: 'Lamp', record: expectedOn('2026-11-24') }),
  aParcel({ id: 'far', label: 'Desk', record: expectedOn('2026-12-24') }),
  ...[2 * hour, 3 * day].map((before, index) =>
    aParcel({
      id: `came-${index}`,
      label: `Came ${index}`,
      record: aRecord({ transitStatus: 'DELIVERED', transitSubStatus: 'DELIVERED_01' }),
      lastEvent: aCheckpoint({ at: ago(before), local: null, offset: null, subStatus: 'DELIVERED_01' }),
    }),
  ),
];

describe('the digest', () => {
  const digest = createDigest(parcels, now - day, viewing);

  it('lists each parcel once, in the most important section', () => {
    const titles = digest.sections.map(({ items, title }) => [title, ...items.map((item) => item.title)]);
    expect(titles).toEqual([
      ['Needs you', 'Headphones'],
      ['Arrives today', 'Book'],
      ['Late', 'Mug'],
      ['Arrives soon', 'Lamp', 'Vase'],
      ['Arrived since Fri 20 Nov, 13:42', 'Came 0'],
    ]);
    expect(digest.totals[0]).toBe('2 arrived, 0 in the week before.');
  });

  it('contains the next step and the expected day', () => {
    const text = digestPlain(digest, '->');
    expect(text).toContain('    -> send the invoice\n');
    expect(text).toContain('expected Tue 24 Nov');
    expect(text).toContain('was expected Thu 19 Nov');
  });

  it("shows each parcel's timeline on the HTML page, escaped", () => {
    const events = [aCheckpoint({ detail: 'Held <b onload="x">&', address: "L'Aquila" })];
    const page = digestHtml(digest, { ...viewing, eventsOf: () => events });
    expect(page).toContain('Held &lt;b onload=&quot;x&quot;&gt;&amp;, L&#39;Aquila');
    expect(page).not.toContain('<b ');
    expect(page).toContain('Fri 20 Nov 21:14 +01:00');
  });
});
