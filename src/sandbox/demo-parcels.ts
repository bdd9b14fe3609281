import { dayMs, hourMs, minuteMs } from '../lib/clock.ts';
import type { JourneyPoint, PreRegistration } from './world/parcel-lives.ts';

/** A parcel of the demo: registered from the start, and on the demo's watchlist. */
export interface DemoParcel extends PreRegistration {
  /** What its owner calls it; null for none. */
  readonly label: string | null;
}

/** The seed of the demo's world, in which the parcels below live the lives that they are here for. */
export const demoSeed = 1;

/** How fast the demo runs: six minutes of a parcel's life in a second, a day in four minutes. */
export const demoSpeed = 360;

/** So long behind an event, give or take what puts past events into their hours of the day. */
const after = (subStatus: string, byMs: number): JourneyPoint => ({ subStatus, side: 'after', byMs, mayShift: true });
/** Exactly so long before an event. */
const before = (subStatus: string, byMs: number): JourneyPoint => ({
  subStatus,
  side: 'before',
  byMs,
  mayShift: false,
});

const parcel = (
  trackNo: string,
  label: string | null,
  courierCode: string | null,
  registeredAgoMs: number,
  startAt: JourneyPoint,
): DemoParcel => ({ trackNo, label, courierCode, registeredAgoMs, startAt });

/**
 * A mixed set of parcels for the demo; give it to the sandbox and put it on the watchlist. At {@link demoSpeed}
 * something visible changes within ten seconds of the start (the desk lamp lands), and a parcel that is out for
 * delivery (the birthday book) arrives after 45 to 90 seconds. The numbers were chosen for that by trying: when the
 * journeys change, the test says which of them lives another life, and any other number of the courier may do.
 */
export const demoParcels: readonly DemoParcel[] = [
  parcel('1Z8H72P67332825847', 'Headphones', 'ups', 6 * dayMs, after('ABNORMAL_02', 30 * hourMs)),
  parcel('00340434355717797605', 'Birthday book', 'dhl-germany', 2 * dayMs, before('DELIVERED_01', 4.5 * hourMs)),
  parcel('9400293185155886623692', null, 'usps', 5 * dayMs, after('WAITING_DELIVERY_01', hourMs)),
  parcel('H6764229089207066800', 'Kettle', 'hermes', 4 * dayMs, after('WAITING_DELIVERY_02', 16 * hourMs)),
  parcel('UH848087293YP', 'Desk lamp', 'yanwen', 9 * dayMs, before('IN_TRANSIT_06', 10 * minuteMs)),
  parcel('RR450656815KR', null, 'korea-post', 4 * dayMs, after('IN_TRANSIT_04', 2 * hourMs)),
  parcel('EE503025963TH', 'Spices', 'thailand-post', 3 * dayMs, after('IN_TRANSIT_02', hourMs)),
  parcel('50596807367', null, 'aramex', 5 * dayMs, after('IN_TRANSIT_02', hourMs)),
  parcel('FQ210512954GB', 'Running shoes', 'royal-mail', 6 * hourMs, after('INFO_RECEIVED_01', 4 * hourMs)),
  parcel('RB848719115CN', null, null, 3 * hourMs, before('INFO_RECEIVED_01', 12 * hourMs)),
  parcel('6A92510893705', 'Vinyl records', 'la-poste', 8 * dayMs, after('DELIVERED_03', 15 * hourMs)),
  parcel('07176373107377', 'Rain jacket', 'dpd', 11 * dayMs, after('ABNORMAL_07', 14 * hourMs)),
  parcel('290026427795', 'Camera strap', 'fedex', 7 * dayMs, after('DELIVERY_FAILED_01', 12 * hourMs)),
];
