import { dayMs, hourMs, minuteMs } from '../lib/clock.ts';
import type { JourneyPoint, PreRegistration } from './world/parcel-lives.ts';

export interface DemoParcel extends PreRegistration {
  readonly label: string | null;
}

export const demoSeed = 1;

/** A second is six minutes of a journey, so a day takes four minutes. */
export const demoSpeed = 360;

/** Shifted by up to half a day, so that past events happen at plausible hours. */
const after = (subStatus: string, byMs: number): JourneyPoint => ({ subStatus, side: 'after', byMs, mayShift: true });
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
 * At {@link demoSpeed}, the desk lamp is delivered within ten seconds of the start, and the birthday book, which is out
 * for delivery, after 45 to 90 seconds. The numbers were found by trial: if the journeys change, a test names the
 * numbers to replace.
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
