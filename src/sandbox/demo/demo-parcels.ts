import { dayMs, hourMs, minuteMs } from '../../service/clock/clock.ts';
import type { PreRegistration } from '../world/account.ts';
import type { JourneyPoint } from '../world/starting-point.ts';

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
const exactlyBefore = (subStatus: string, byMs: number): JourneyPoint => ({
  subStatus,
  side: 'before',
  byMs,
  mayShift: false,
});

/**
 * A mixed set of parcels for the demo; give it to the sandbox and put it on the watchlist. At {@link demoSpeed}
 * something visible changes within ten seconds of the start (the desk lamp lands), and a parcel that is out for
 * delivery (the birthday book) arrives after 45 to 90 seconds. The numbers were chosen for that by trying: when the
 * journeys change, the test says which of them lives another life, and any other number of the courier may do.
 */
export const demoParcels: readonly DemoParcel[] = [
  {
    trackNo: '1Z8H72P67332825847',
    label: 'Headphones',
    courierCode: 'ups',
    registeredAgoMs: 6 * dayMs,
    startAt: after('ABNORMAL_02', 30 * hourMs),
  },
  {
    trackNo: '00340434355717797605',
    label: 'Birthday book',
    courierCode: 'dhl-germany',
    registeredAgoMs: 2 * dayMs,
    startAt: exactlyBefore('DELIVERED_01', 4.5 * hourMs),
  },
  {
    trackNo: '9400293185155886623692',
    label: null,
    courierCode: 'usps',
    registeredAgoMs: 5 * dayMs,
    startAt: after('WAITING_DELIVERY_01', hourMs),
  },
  {
    trackNo: 'H6764229089207066800',
    label: 'Kettle',
    courierCode: 'hermes',
    registeredAgoMs: 4 * dayMs,
    startAt: after('WAITING_DELIVERY_02', 16 * hourMs),
  },
  {
    trackNo: 'UH848087293YP',
    label: 'Desk lamp',
    courierCode: 'yanwen',
    registeredAgoMs: 9 * dayMs,
    startAt: exactlyBefore('IN_TRANSIT_06', 10 * minuteMs),
  },
  {
    trackNo: 'RR450656815KR',
    label: null,
    courierCode: 'korea-post',
    registeredAgoMs: 4 * dayMs,
    startAt: after('IN_TRANSIT_04', 2 * hourMs),
  },
  {
    trackNo: 'EE503025963TH',
    label: 'Spices',
    courierCode: 'thailand-post',
    registeredAgoMs: 3 * dayMs,
    startAt: after('IN_TRANSIT_02', hourMs),
  },
  {
    trackNo: '50596807367',
    label: null,
    courierCode: 'aramex',
    registeredAgoMs: 5 * dayMs,
    startAt: after('IN_TRANSIT_02', hourMs),
  },
  {
    trackNo: 'FQ210512954GB',
    label: 'Running shoes',
    courierCode: 'royal-mail',
    registeredAgoMs: 6 * hourMs,
    startAt: after('INFO_RECEIVED_01', 4 * hourMs),
  },
  {
    trackNo: 'RB848719115CN',
    label: null,
    courierCode: null,
    registeredAgoMs: 3 * hourMs,
    startAt: exactlyBefore('INFO_RECEIVED_01', 12 * hourMs),
  },
  {
    trackNo: '6A92510893705',
    label: 'Vinyl records',
    courierCode: 'la-poste',
    registeredAgoMs: 8 * dayMs,
    startAt: after('DELIVERED_03', 15 * hourMs),
  },
  {
    trackNo: '07176373107377',
    label: 'Rain jacket',
    courierCode: 'dpd',
    registeredAgoMs: 11 * dayMs,
    startAt: after('ABNORMAL_07', 14 * hourMs),
  },
  {
    trackNo: '290026427795',
    label: 'Camera strap',
    courierCode: 'fedex',
    registeredAgoMs: 7 * dayMs,
    startAt: after('DELIVERY_FAILED_01', 12 * hourMs),
  },
];
