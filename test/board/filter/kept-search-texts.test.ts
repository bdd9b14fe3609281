import { describe, expect, it } from 'vitest';
import { createFilter } from '../../../src/board/filter/create-filter.ts';
import { KeptSearchTexts } from '../../../src/board/filter/kept-search-texts.ts';
import { aBoard, aParcel, berlin, day, now } from '../parcels.ts';

const parcels = aBoard();
const words = [
  'headphones',
  'yanwen',
  'days',
  'waits',
  'since',
  'delivered',
  'yesterday',
  '!leipzig',
  '"pick-up point"',
];

describe('kept texts of parcels', () => {
  it('find what texts of now find, on every day', () => {
    const kept = new KeptSearchTexts({ now, zone: berlin });
    for (const later of [0, day, 3 * day, 8 * day]) {
      const viewing = { now: now + later, zone: berlin };
      kept.show(parcels, viewing);
      for (const word of words) {
        const found = parcels.filter(createFilter(word, viewing, kept.of));
        expect(found, `${word} after ${later}`).toEqual(parcels.filter(createFilter(word, viewing)));
      }
    }
  });

  it('stay for parcels that stay, and are missing for all where nothing was looked for', () => {
    const viewing = { now, zone: berlin };
    const kept = new KeptSearchTexts(viewing);
    kept.show(parcels, viewing);
    kept.show(parcels.slice(1), viewing);
    expect(kept.missing).toBe(parcels.length - 1);
    const texts = parcels.slice(1).map(kept.of);
    kept.show([...parcels.slice(1), aParcel({ id: 'new' })], viewing);
    expect(kept.missing).toBe(1);
    expect(parcels.slice(1).map(kept.of)).toEqual(texts);
  });

  it('are those of the parcel as it is now', () => {
    const viewing = { now, zone: berlin };
    const kept = new KeptSearchTexts(viewing);
    const passes = createFilter('scarf', viewing, kept.of);
    const parcel = aParcel({ id: 'gift', label: 'Hat' });
    expect(passes(parcel)).toBe(false);
    expect(passes({ ...parcel, label: 'Scarf' })).toBe(true);
  });
});
