import type { Line, Segment } from '../lib/paint.ts';
import type { Parcel } from '../parcels/parcel.ts';
import { shownStage } from '../parcels/parcel-state.ts';
import { stageTable } from '../parcels/stages.ts';
import type { Checkpoint } from '../service/record.ts';
import { journeyProgress, journeySymbol } from './symbols.ts';

/** Latitude and longitude in degrees. */
interface Place {
  readonly latitude: number;
  readonly longitude: number;
}

const landGrid = { columns: 180, rows: 68, degrees: 2, west: -170, north: 78 } as const;

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
  const toDot = ({ latitude, longitude }: Place): Dot => ({
    x: Math.min(dots.x - 1, Math.floor((((longitude - landGrid.west + 360) % 360) / 360) * dots.x)),
    y: Math.min(dots.y - 1, Math.max(0, Math.floor(((landGrid.north - latitude) / latitudeRange) * dots.y))),
  });
  const passedDots = [from, ...findCities(checkpoints)].map(toDot);
  const [start, end] = [toDot(from), toDot(to)];
  const newest = passedDots.length > 1 ? passedDots.at(-1) : interpolate(start, end, journeyProgress(parcel) ?? 0);
  const current = newest ?? start;
  const route = new Set(
    [...passedDots, current].flatMap((dot, at, all) => dotsBetween(all[at - 1] ?? dot, dot)).map(dotKey),
  );
  const stage = shownStage(parcel);
  const { tone } = stageTable[stage];
  const symbols = new Map<string, Segment>([
    [cellKey(end), { text: '○' }],
    [cellKey(start), { text: '●', tone }],
    [cellKey(current), { text: journeySymbol(parcel, stage), tone, bold: true }],
  ]);
  return Array.from(
    { length: size.height },
    (_, row): Line =>
      Array.from({ length: size.width }, (_, column): Segment => {
        const symbol = symbols.get(`${column} ${row}`);
        if (symbol !== undefined) return symbol;
        const cell = cellDots(column, row);
        const routeDots = cell.filter(({ dot }) => route.has(dotKey(dot)));
        const litDots = routeDots.length > 0 ? routeDots : cell.filter(({ dot }) => isLand(toPlace(dot, dots)));
        const code = litDots.reduce((sum, { bit }) => sum + bit, 0);
        const look = routeDots.length > 0 ? { tone } : { dim: true };
        return code === 0 ? { text: ' ' } : { text: String.fromCodePoint(0x2800 + code), ...look };
      }),
  );
}

const latitudeRange = landGrid.rows * landGrid.degrees;

function toPlace({ x, y }: Dot, dots: Dot): Place {
  const longitude = landGrid.west + ((x + 0.5) / dots.x) * 360;
  return { latitude: landGrid.north - ((y + 0.5) / dots.y) * latitudeRange, longitude };
}

const cellDots = (column: number, row: number) =>
  bits.flatMap((pair, y) => pair.map((bit, x) => ({ bit, dot: { x: column * 2 + x, y: row * 4 + y } })));

const dotKey = ({ x, y }: Dot): string => `${x} ${y}`;

const cellKey = ({ x, y }: Dot): string => `${x >> 1} ${y >> 2}`;

/** Returns the known cities that the events mention, oldest first, without consecutive duplicates. */
function findCities(checkpoints: readonly Checkpoint[]): readonly Place[] {
  const places = checkpoints.toReversed().flatMap(({ address }) => {
    const city = [...cityPlaces].find(([name]) => address?.toLowerCase().includes(name.toLowerCase()));
    return city === undefined ? [] : [city[1]];
  });
  return places.filter((place, at) => place !== places[at - 1]);
}

const interpolate = (start: Dot, end: Dot, part: number): Dot => ({
  x: Math.round(start.x + (end.x - start.x) * part),
  y: Math.round(start.y + (end.y - start.y) * part),
});

function dotsBetween(start: Dot, end: Dot): readonly Dot[] {
  const steps = Math.max(1, Math.abs(end.x - start.x), Math.abs(end.y - start.y));
  return Array.from({ length: steps + 1 }, (_, step) => interpolate(start, end, step / steps));
}

/**
 * Land from Natural Earth (1:110 million, public domain; `land-110m.json` of the npm package world-atlas). A bit is set
 * if the centre of its {@link landGrid} cell is on land. Rows run from north to south, most significant bit first.
 */
const landBits =
  'AAAAYAT4f///8AAEAAAAAADAAAAAAAAAAABxX4AP//4AAAAABgAP/4ADsAAAAAAB0Rb2AH//wAAAAAGAB///2AAAAAAwABP4Z/gB' +
  '//QAAAYACDv+AAAgBv/QH8CAMbROH+AA///8Af/iQAAAAAAAQA4AAAAAAPB8AP///wACgAQAAAAAAAADwAAAAABcD+B/w//gwoAA' +
  'AAAAAAAAAZH/////8AaA8AAAB8/////////////gP7////wDwAcAAAD8///////////l4ADwD///wDyAAAAAD8f/////////BEAA' +
  'AgA///8B/AAAADBY/////////8AeAAEAAP///z/wAAAHBB/////////4AcAAAAAP///z/4AAANn///////////gQAAAAAH/////4' +
  'AAABv//////////+gAAAAAAC////6MAAAA///////////+gAAAAAAB////+CAAAA///////////8gAAAAAAB////7AAAAA/v8vn/' +
  '/////4AAAAAAAB////wAAAAP4z4Hn//////xgAAAAAAB////gAAAAHhN7/z//////BAAAAAAAB///+AAAAAPgFv/z/////CBAAAA' +
  'AAAA///+AAAAADDoH/z/////zGAAAAAAAAf//+AAAAAD/ARf//////ieAAAAAAAAP//4AAAAAH/gAf//////gwAAAAAAAAH//wAA' +
  'AAAP/97///////wAAAAAAAAAB/gIAAAAAP////v/////wAAAAAAAAAC/AIAAAAA////fz/////gAAAAAAAAABfAAAAAAA////P6D' +
  '////gAAAAAAAAAAPAYAAAAB////v/g///+QAAAAAAAAAAPDCAAAAD////3/A/5/gAAAAAAAAAAAHmAQAAAB////z/Afg/QAAAAAA' +
  'AAAAAB+AAAAAB////z8APA/gQAAAAAAAAAAAHgAAAAD////7wAOAPgQAAAAAAAAAAABgAAAAB////9AAOAPwQAAAAAAAAAAAAh4A' +
  'AAB////+YAGAJgEAAAAAAAAAAAAV/gAAA/////wAFAJAAAAAAAAAAAAAAD/wAAAf////wABAAAEAAAAAAAAAAAAD/+AAAND///gA' +
  'AAWDAAAAAAAAAAAAAD//AAAAA///AAAAKHAAAAAAAAAAAAAH//AAAAA//+AAAAMPQAAAAAAAAAAAAH//wAAAB//8AAAAGPAwAAAA' +
  'AAAAAAAH//+AAAA//4AAAADOxXAAAAAAAAAAAP///gAAAf/4AAAABAIDwAAAAAAAAAAH///wAAAf/4AAAAA4AD4QAAAAAAAAAD//' +
  '/gAAAf/4AAAAABEBoEAAAAAAAAAD///AAAAP/4AAAAAAAAAAAAAAAAAAAB///AAAAf/4QAAAAAA4gAAAAAAAAAAB///AAAAf/4QA' +
  'AAAAH4wAgAAAAAAAAAf/+AAAAf/xwAAAAAP8wAAAAAAAAAAAP/+AAAAf/hwAAAAAP/wAAAAAAAAAAAP/+AAAAP/hgAAAAB//8BAA' +
  'AAAAAAAAP/4AAAAP/hgAAAAD//8AAAAAAAAAAAP/gAAAAP/BAAAAAD//+AAAAAAAAAAAP/gAAAAH+AAAAAAD///AAAAAAAAAAAf/' +
  'AAAAAH+AAAAAAD///AAAAAAAAAAAf/AAAAAD8AAAAAAB///AAAAAAAAAAAf+AAAAAD4AAAAAAB4P+AAAAAAAAAAAfwAAAAAAAAAA' +
  'AAABAD8AEAAAAAAAAA/4AAAAAAAAAAAAAAAB8ACAAAAAAAAA/AAAAAAAAAAAAAAAAAAADAAAAAAAAA9AAAAAAAAAAAAAAAAAYAGA' +
  'AAAAAAAAeAAAAAAAAAAAAAAAAAIAMAAAAAAAAA8AAAAAAAAAAAAAAAAAAAYAAAAAAAAA8AAAAAAAAAAAAAAAAAAAAAAAAAAAAB4A' +
  'AAAAAAAAABAAAAAAAAAAAAAAAAABwAAAAAAAAAAAAAAAAAAAAAAAAAAAAA4AAAAAAAAAAAAAAAAAAAAAAAAAAAAAYAAAAAAAAAAA' +
  'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA';

const land = Buffer.from(landBits, 'base64');

export function isLand({ latitude, longitude }: Place): boolean {
  const { columns, degrees, north, rows, west } = landGrid;
  const column = Math.floor(((longitude - west + 360) % 360) / degrees);
  const row = Math.floor((north - latitude) / degrees);
  if (row < 0 || row >= rows || column >= columns) return false;
  const bit = row * columns + column;
  return (((land[bit >> 3] ?? 0) >> (7 - (bit & 7))) & 1) === 1;
}

const parsePlaces = (text: string): ReadonlyMap<string, Place> =>
  new Map(
    text.split('; ').map((entry) => {
      const [, name = '', latitude, longitude] = /^(.+) (-?\d+) (-?\d+)$/.exec(entry) ?? [];
      return [name, { latitude: Number(latitude), longitude: Number(longitude) }];
    }),
  );

/** Rough centre of population by ISO 3166 code. */
export const countryPlaces = parsePlaces(
  'AD 42 2; AE 24 54; AF 34 66; AG 17 -62; AL 41 20; AM 40 45; AO -12 18; AR -34 -64; AT 47 14; AU -26 134; ' +
    'AW 13 -70; AZ 40 48; BA 44 18; BB 13 -59; BD 24 90; BE 51 5; BF 12 -2; BG 43 25; BH 26 51; BI -3 30; ' +
    'BJ 9 2; BM 32 -65; BN 4 115; BO -17 -65; BR -12 -52; BS 24 -76; BT 27 90; BW -22 24; BY 53 28; BZ 17 -89; ' +
    'CA 56 -100; CD -3 23; CF 7 21; CG -1 15; CH 47 8; CI 7 -6; CL -33 -71; CM 6 12; CN 33 110; CO 4 -73; ' +
    'CR 10 -84; CU 22 -79; CV 16 -24; CW 12 -69; CY 35 33; CZ 50 15; DE 51 10; DJ 12 43; DK 56 10; DM 15 -61; ' +
    'DO 19 -70; DZ 32 3; EC -1 -78; EE 59 26; EG 27 30; ER 15 39; ES 40 -4; ET 9 40; FI 63 26; FJ -18 178; ' +
    'FO 62 -7; FR 47 2; GA -1 12; GB 53 -2; GD 12 -62; GE 42 44; GF 4 -53; GG 49 -3; GH 8 -1; GI 36 -5; ' +
    'GL 66 -45; GM 13 -15; GN 10 -11; GP 16 -62; GQ 2 10; GR 39 22; GT 15 -90; GU 13 145; GW 12 -15; GY 5 -59; ' +
    'HK 22 114; HN 15 -86; HR 45 16; HT 19 -72; HU 47 19; ID -4 113; IE 53 -8; IL 31 35; IM 54 -5; IN 22 79; ' +
    'IQ 33 44; IR 32 54; IS 65 -18; IT 43 12; JE 49 -2; JM 18 -77; JO 31 36; JP 36 138; KE 0 38; KG 41 75; ' +
    'KH 13 105; KM -12 44; KN 17 -63; KP 40 127; KR 36 128; KW 29 48; KY 19 -81; KZ 48 67; LA 18 104; ' +
    'LB 34 36; LC 14 -61; LI 47 10; LK 7 81; LR 6 -9; LS -30 28; LT 55 24; LU 50 6; LV 57 25; LY 27 17; ' +
    'MA 32 -6; MC 44 7; MD 47 28; ME 43 19; MG -19 47; MK 42 22; ML 17 -4; MM 21 96; MN 47 104; MO 22 114; ' +
    'MQ 15 -61; MR 20 -10; MT 36 14; MU -20 58; MV 3 73; MW -13 34; MX 23 -102; MY 4 109; MZ -18 35; ' +
    'NA -22 17; NC -21 165; NE 17 8; NG 9 8; NI 13 -85; NL 52 5; NO 61 9; NP 28 84; NZ -41 174; OM 21 56; ' +
    'PA 9 -80; PE -10 -75; PF -18 -149; PG -6 144; PH 12 122; PK 30 70; PL 52 19; PR 18 -66; PS 32 35; ' +
    'PT 40 -8; PY -23 -58; QA 25 51; RE -21 56; RO 46 25; RS 44 21; RU 56 45; RW -2 30; SA 24 45; SC -5 55; ' +
    'SD 15 30; SE 60 15; SG 1 104; SI 46 15; SK 49 20; SL 8 -12; SM 44 12; SN 14 -14; SO 5 46; SR 4 -56; ' +
    'SS 7 30; ST 0 7; SV 14 -89; SY 35 38; SZ -27 31; TD 15 19; TG 8 1; TH 15 101; TJ 39 71; TL -9 126; ' +
    'TM 39 59; TN 34 9; TR 39 35; TT 10 -61; TW 24 121; TZ -6 35; UA 49 32; UG 1 32; US 39 -98; UY -33 -56; ' +
    'UZ 41 64; VA 42 12; VC 13 -61; VE 7 -66; VN 16 107; VU -16 167; WS -14 -172; XK 43 21; YE 16 48; ' +
    'YT -13 45; ZA -29 25; ZM -14 28; ZW -19 30',
);

/** Courier hubs and large cities, spelled as in courier events. */
const cityPlaces = parsePlaces(
  'Leipzig 51 12; Köln 51 7; Cologne 51 7; Frankfurt 50 9; Hamburg 54 10; Berlin 53 13; München 48 12; ' +
    'Munich 48 12; Stuttgart 49 9; Paris 49 2; Lyon 46 5; London 52 0; Liverpool 53 -3; Manchester 53 -2; ' +
    'Glasgow 56 -4; Dublin 53 -6; Liège 51 6; Brussels 51 4; Amsterdam 52 5; Rotterdam 52 4; Madrid 40 -4; ' +
    'Barcelona 41 2; Lisboa 39 -9; Milano 45 9; Roma 42 12; Wien 48 16; Vienna 48 16; Zürich 47 9; ' +
    'Praha 50 14; Warszawa 52 21; Budapest 48 19; Stockholm 59 18; Oslo 60 11; København 56 13; ' +
    'Helsinki 60 25; Москва 56 38; Moscow 56 38; Istanbul 41 29; Athens 38 24; Πάτρα 38 22; Dubai 25 55; ' +
    'الشارقة 25 55; دبي 25 55; Lagos 6 3; Cairo 30 31; Nairobi -1 37; Johannesburg -26 28; Delhi 29 77; ' +
    'Mumbai 19 73; Bangkok 14 101; ภูเก็ต 8 98; Singapore 1 104; Jakarta -6 107; Manila 15 121; 香港 22 114; ' +
    '荃灣 22 114; 九龍 22 114; 深圳 23 114; Shenzhen 23 114; 广州 23 113; Guangzhou 23 113; 上海 31 121; ' +
    'Shanghai 31 121; 北京 40 116; Beijing 40 116; 義烏 29 120; 义乌 29 120; 臺北 25 122; 인천 37 127; 서울 38 127; ' +
    'Incheon 37 127; Seoul 38 127; 東京 36 140; Tokyo 36 140; 大阪 35 136; Sydney -34 151; Melbourne -38 145; ' +
    'Auckland -37 175; Anchorage 61 -150; Vancouver 49 -123; Toronto 44 -79; Ottawa 45 -76; Montréal 46 -74; ' +
    'Memphis 35 -90; Louisville 38 -86; Cincinnati 39 -85; Chicago 42 -88; Miami 26 -80; Los Angeles 34 -118; ' +
    'New York 41 -74; Jersey City 41 -74; Mexico 19 -99; Bogotá 5 -74; São Paulo -24 -47; ' +
    'Buenos Aires -35 -58; Santiago -33 -71',
);
