import type { Line, Segment } from '../lib/paint.ts';
import type { Parcel } from '../parcels/parcel.ts';
import { shownStage } from '../parcels/parcel-stage.ts';
import { stageTable } from '../parcels/stages.ts';
import type { Checkpoint } from '../service/record.ts';
import { journeySymbol, station } from './journey.ts';
import { cityPlaces, countryPlaces, isLand, landGrid, type Place } from './world.ts';

interface MapSize {
  readonly width: number;
  readonly height: number;
}

/** Columns per row that preserve the aspect ratio of the map. A cell has two by four dots. */
const columnsPerRow = (2 * landGrid.columns) / landGrid.rows;
const minRows = 8;

/** Returns the largest map that fits, or null if there is not enough room. */
export function mapSize(width: number, height: number): MapSize | null {
  const rows = Math.min(height, Math.floor(width / columnsPerRow));
  return rows < minRows ? null : { width: Math.floor(rows * columnsPerRow), height: rows };
}

interface Dot {
  readonly x: number;
  readonly y: number;
}

/** The bit of a dot in a braille cell, by row and column. */
const bits = [
  [0x01, 0x08],
  [0x02, 0x10],
  [0x04, 0x20],
  [0x40, 0x80],
] as const;

/** Draws the parcel's route on a world map. Empty unless both countries are known and differ. */
export function journeyMap(parcel: Parcel, checkpoints: readonly Checkpoint[], size: MapSize): readonly Line[] {
  const from = countryPlaces.get(parcel.record?.shipFrom ?? '');
  const to = countryPlaces.get(parcel.record?.shipTo ?? '');
  if (from === undefined || to === undefined || from === to) return [];
  const dots = { x: size.width * 2, y: size.height * 4 };
  const dotOf = ({ latitude, longitude }: Place): Dot => ({
    x: Math.min(dots.x - 1, Math.floor((((longitude - landGrid.west + 360) % 360) / 360) * dots.x)),
    y: Math.min(dots.y - 1, Math.max(0, Math.floor(((landGrid.north - latitude) / rangeOfLatitudes) * dots.y))),
  });
  const passed = [from, ...citiesOf(checkpoints)].map(dotOf);
  const [start, end] = [dotOf(from), dotOf(to)];
  const newest = passed.length > 1 ? passed.at(-1) : between(start, end, station(parcel) ?? 0);
  const here = newest ?? start;
  const route = new Set([...passed, here].flatMap((dot, at, all) => dotsBetween(all[at - 1] ?? dot, dot)).map(keyOf));
  const stage = shownStage(parcel);
  const { tone } = stageTable[stage];
  const symbols = new Map<string, Segment>([
    [cellKey(end), { text: '○' }],
    [cellKey(start), { text: '●', tone }],
    [cellKey(here), { text: journeySymbol(parcel, stage), tone, bold: true }],
  ]);
  return Array.from(
    { length: size.height },
    (_, row): Line =>
      Array.from({ length: size.width }, (_, column): Segment => {
        const symbol = symbols.get(`${column} ${row}`);
        if (symbol !== undefined) return symbol;
        const cell = cellDots(column, row);
        const onRoute = cell.filter(({ dot }) => route.has(keyOf(dot)));
        const shown = onRoute.length > 0 ? onRoute : cell.filter(({ dot }) => isLand(placeOf(dot, dots)));
        const code = shown.reduce((sum, { bit }) => sum + bit, 0);
        const look = onRoute.length > 0 ? { tone } : { dim: true };
        return code === 0 ? { text: ' ' } : { text: String.fromCodePoint(0x2800 + code), ...look };
      }),
  );
}

const rangeOfLatitudes = landGrid.rows * landGrid.degrees;

function placeOf({ x, y }: Dot, dots: Dot): Place {
  const longitude = landGrid.west + ((x + 0.5) / dots.x) * 360;
  return { latitude: landGrid.north - ((y + 0.5) / dots.y) * rangeOfLatitudes, longitude };
}

const cellDots = (column: number, row: number) =>
  bits.flatMap((pair, y) => pair.map((bit, x) => ({ bit, dot: { x: column * 2 + x, y: row * 4 + y } })));

const keyOf = ({ x, y }: Dot): string => `${x} ${y}`;

const cellKey = ({ x, y }: Dot): string => `${x >> 1} ${y >> 2}`;

/** Returns the cities in the events that we know, oldest first, without consecutive duplicates. */
function citiesOf(checkpoints: readonly Checkpoint[]): readonly Place[] {
  const places = checkpoints.toReversed().flatMap(({ address }) => {
    const found = [...cityPlaces].find(([name]) => address?.toLowerCase().includes(name.toLowerCase()));
    return found === undefined ? [] : [found[1]];
  });
  return places.filter((place, at) => place !== places[at - 1]);
}

const between = (start: Dot, end: Dot, part: number): Dot => ({
  x: Math.round(start.x + (end.x - start.x) * part),
  y: Math.round(start.y + (end.y - start.y) * part),
});

function dotsBetween(start: Dot, end: Dot): readonly Dot[] {
  const steps = Math.max(1, Math.abs(end.x - start.x), Math.abs(end.y - start.y));
  return Array.from({ length: steps + 1 }, (_, step) => between(start, end, step / steps));
}
