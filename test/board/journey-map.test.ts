import { describe, expect, it } from 'vitest';
import { countryPlaces, isLand, journeyMap, mapSize } from '../../src/board/journey-map.ts';
import { lineText, lineWidth } from '../../src/lib/cells.ts';
import type { Parcel } from '../../src/parcels/parcel.ts';
import { aCheckpoint, aParcel, aRecord } from './parcels.ts';

const size = { width: 63, height: 12 };
const mapBetween = (shipFrom: string | null, shipTo: string | null, addresses: readonly string[] = []) => {
  const parcel: Parcel = aParcel({ record: aRecord({ shipFrom, shipTo }) });
  return journeyMap(
    parcel,
    addresses.map((address) => aCheckpoint({ address })),
    size,
  );
};
const cellsOf = (
  lines: ReturnType<typeof mapBetween>,
  character: string,
): readonly (readonly [column: number, row: number])[] =>
  lines.flatMap((line, row) =>
    [...lineText(line)].flatMap((text, column) => (text === character ? [[column, row] as const] : [])),
  );

describe("a journey's map", () => {
  it('fills its space with land, and shows both ends of the journey', () => {
    const lines = mapBetween('HK', 'DE', ['Leipzig, DE', '香港']);
    expect(lines).toHaveLength(size.height);
    expect(lines.map(lineWidth)).toEqual(lines.map(() => size.width));
    const dots = cellsOf(lines, '●').toSorted(([left], [right]) => left - right);
    const [[leipzig = 0, northern = 0] = [], [hongKong = 0, southern = 0] = []] = dots;
    expect(hongKong - leipzig).toBeGreaterThan(size.width / 5);
    expect(southern).toBeGreaterThan(northern);
    const land = lines.flatMap((line) => [...lineText(line)]).filter((text) => text > '\u2800' && text <= '\u28ff');
    expect(land.length).toBeGreaterThan(100);
  });

  it('draws the route through the cities of the events', () => {
    const direct = mapBetween('CN', 'DE').map(lineText).join('\n');
    const viaAlaska = mapBetween('CN', 'DE', ['Anchorage', '上海']).map(lineText).join('\n');
    expect(viaAlaska).not.toBe(direct);
  });

  it('is omitted if the countries are the same or unknown, or if there is too little space', () => {
    expect(mapBetween(null, 'DE')).toEqual([]);
    expect(mapBetween('DE', 'DE')).toEqual([]);
    expect(mapBetween('ZZ', 'DE')).toEqual([]);
    expect([mapSize(40, 20), mapSize(90, 7), mapSize(56, 30)]).toEqual([null, null, { width: 52, height: 10 }]);
  });
});

it('the world map has land where most countries are, and water in the oceans', () => {
  const found = [...countryPlaces.values()].filter(isLand);
  expect(found.length / countryPlaces.size).toBeGreaterThan(0.6);
  for (const [latitude, longitude] of [
    [0, -30],
    [-40, -120],
    [30, -160],
    [-30, 80],
  ] as const)
    expect(isLand({ latitude, longitude })).toBe(false);
});
