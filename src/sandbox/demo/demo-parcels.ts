import type { Random } from '../../service/clock/clock.ts';
import { type Stage, stageOf } from '../../service/record/status.ts';
import type { WireCheckpoint, WireRecord } from '../../service/record/wire.ts';
import { UnusableOptionError } from '../errors.ts';
import { seededRandom } from '../seeded-random.ts';
import { openAccount, type PreRegistration } from '../world/account.ts';
import type { JourneyPoint } from '../world/starting-point.ts';
import { createZoneOffsets, type ZoneOffsets } from '../zone-offsets.ts';
import { digits, s10Number, upsNumber } from './tracking-numbers.ts';

/** A parcel of the demo: registered from the start, and on the demo's watchlist. */
export interface DemoParcel extends PreRegistration {
  /** What its owner calls it; null for none. */
  readonly label: string | null;
}

/** How fast the demo runs: six minutes of a parcel's life in a second, a day in four minutes. */
export const demoSpeed = 360;

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/** What a candidate's record would say, so many milliseconds after the start of the demo. */
type Preview = (afterMs: number) => WireRecord;

/** One parcel to be found: numbers are tried until one lives the wanted life. */
interface Wanted {
  readonly label: string | null;
  readonly courierCode: string | null;
  readonly number: (random: Random) => string;
  readonly registeredAgoMs: number;
  readonly startAt: JourneyPoint;
  /** Stage at the start. */
  readonly stage: Stage;
  /** Further wishes. */
  readonly suits?: (preview: Preview) => boolean;
}

const after = (subStatus: string, byMs: number): JourneyPoint => ({ subStatus, side: 'after', byMs, mayShift: true });
const exactlyBefore = (subStatus: string, byMs: number): JourneyPoint => ({
  subStatus,
  side: 'before',
  byMs,
  mayShift: false,
});

const checkpointsOf = ({ localLogisticsInfo, lastMileInfo }: WireRecord): readonly WireCheckpoint[] => [
  ...(lastMileInfo?.openApiWayBillInfo.trackingDetails ?? []),
  ...(localLogisticsInfo?.trackingDetails ?? []),
];
const newestIn =
  (script: RegExp) =>
  (preview: Preview): boolean =>
    script.test(checkpointsOf(preview(0))[0]?.address ?? '');

/** Something new within ten seconds of the start, yet not at once. */
const movesSoon = (preview: Preview): boolean =>
  checkpointsOf(preview(2500)).length === checkpointsOf(preview(0)).length &&
  checkpointsOf(preview(9000)).length > checkpointsOf(preview(0)).length;
/** Delivered while people still watch, and not before they have found the parcel. */
const arrivesSoon = (preview: Preview): boolean =>
  preview(0).transitSubStatus === 'WAITING_DELIVERY_01' &&
  preview(45_000).transitStatus !== 'DELIVERED' &&
  preview(90_000).transitStatus === 'DELIVERED';

const wantedParcels: readonly Wanted[] = [
  {
    label: 'Headphones',
    courierCode: 'ups',
    number: upsNumber,
    registeredAgoMs: 6 * dayMs,
    startAt: after('ABNORMAL_02', 30 * hourMs),
    stage: 'attention',
  },
  {
    label: 'Birthday book',
    courierCode: 'dhl-germany',
    number: (random) => `00340434${digits(random, 12)}`,
    registeredAgoMs: 2 * dayMs,
    startAt: exactlyBefore('DELIVERED_01', 4.5 * hourMs),
    stage: 'out-for-delivery',
    suits: arrivesSoon,
  },
  {
    label: null,
    courierCode: 'usps',
    number: (random) => `9400${digits(random, 18)}`,
    registeredAgoMs: 5 * dayMs,
    startAt: after('WAITING_DELIVERY_01', hourMs),
    stage: 'out-for-delivery',
  },
  {
    label: 'Kettle',
    courierCode: 'hermes',
    number: (random) => `H${digits(random, 19)}`,
    registeredAgoMs: 4 * dayMs,
    startAt: after('WAITING_DELIVERY_02', 16 * hourMs),
    stage: 'pickup',
  },
  {
    label: 'Desk lamp',
    courierCode: 'yanwen',
    number: (random) => `UH${digits(random, 9)}YP`,
    registeredAgoMs: 9 * dayMs,
    startAt: exactlyBefore('IN_TRANSIT_06', 10 * minuteMs),
    stage: 'in-transit',
    suits: (preview) => movesSoon(preview) && newestIn(/\p{Script=Han}/u)(preview),
  },
  {
    label: null,
    courierCode: 'korea-post',
    number: (random) => s10Number(random, 'RR', 'KR'),
    registeredAgoMs: 4 * dayMs,
    startAt: after('IN_TRANSIT_04', 2 * hourMs),
    stage: 'in-transit',
    suits: newestIn(/\p{Script=Hangul}/u),
  },
  {
    label: 'Spices',
    courierCode: 'thailand-post',
    number: (random) => s10Number(random, 'EE', 'TH'),
    registeredAgoMs: 3 * dayMs,
    startAt: after('IN_TRANSIT_02', hourMs),
    stage: 'in-transit',
    suits: newestIn(/\p{Script=Thai}/u),
  },
  {
    label: null,
    courierCode: 'aramex',
    number: (random) => digits(random, 11),
    registeredAgoMs: 5 * dayMs,
    startAt: after('IN_TRANSIT_02', hourMs),
    stage: 'in-transit',
    suits: newestIn(/\p{Script=Arabic}/u),
  },
  {
    label: 'Running shoes',
    courierCode: 'royal-mail',
    number: (random) => s10Number(random, 'FQ', 'GB'),
    registeredAgoMs: 6 * hourMs,
    startAt: after('INFO_RECEIVED_01', 4 * hourMs),
    stage: 'announced',
  },
  {
    label: null,
    courierCode: null,
    number: (random) => s10Number(random, 'RB', 'CN'),
    registeredAgoMs: 3 * hourMs,
    startAt: exactlyBefore('INFO_RECEIVED_01', 12 * hourMs),
    stage: 'no-record',
  },
  {
    label: 'Vinyl records',
    courierCode: 'la-poste',
    number: (random) => `6A${digits(random, 11)}`,
    registeredAgoMs: 8 * dayMs,
    startAt: after('DELIVERED_03', 15 * hourMs),
    stage: 'delivered',
  },
  {
    label: 'Rain jacket',
    courierCode: 'dpd',
    number: (random) => `0${digits(random, 13)}`,
    registeredAgoMs: 11 * dayMs,
    startAt: after('ABNORMAL_07', 14 * hourMs),
    stage: 'attention',
  },
  {
    label: 'Camera strap',
    courierCode: 'fedex',
    number: (random) => digits(random, 12),
    registeredAgoMs: 7 * dayMs,
    startAt: after('DELIVERY_FAILED_01', 12 * hourMs),
    stage: 'attention',
  },
];

/** Any start will do: what a candidate does depends on the time passed since then. */
const previewStart = Date.UTC(2026, 0, 15, 12);
const mostTries = 20_000;

function previewOf(seed: number, candidate: PreRegistration, zoneOffsets: ZoneOffsets): Preview | null {
  try {
    const account = openAccount({ seed, speed: demoSpeed, zoneOffsets }, previewStart, [candidate]);
    const [registration] = account.all();
    return registration === undefined ? null : (afterMs) => account.recordAt(registration, previewStart + afterMs);
  } catch (error) {
    // A number whose life never comes to the wanted point is just not the one.
    if (error instanceof UnusableOptionError) return null;
    throw error;
  }
}

function findParcel(seed: number, wanted: Wanted, index: number, zoneOffsets: ZoneOffsets): DemoParcel {
  const { label, courierCode, registeredAgoMs, startAt, stage, suits = () => true } = wanted;
  const random = seededRandom(seed, `demo:${index}`);
  for (let tries = 0; tries < mostTries; tries += 1) {
    const parcel = { trackNo: wanted.number(random), courierCode, label, registeredAgoMs, startAt };
    const preview = previewOf(seed, parcel, zoneOffsets);
    if (preview === null) continue;
    const record = preview(0);
    if (stageOf(record.transitStatus, record.transitSubStatus ?? null) === stage && suits(preview)) return parcel;
  }
  throw new UnusableOptionError(`No demo parcel was found for seed ${seed}. Use another seed.`);
}

/**
 * A mixed set of parcels for the demo, made from the seed alone; give it to the sandbox and put it on the watchlist.
 * At {@link demoSpeed} something visible changes within ten seconds of the start, and a parcel that is out for
 * delivery arrives after 45 to 90 seconds.
 */
export function demoParcels(seed: number): readonly DemoParcel[] {
  const zoneOffsets = createZoneOffsets();
  return wantedParcels.map((wanted, index) => findParcel(seed, wanted, index, zoneOffsets));
}
