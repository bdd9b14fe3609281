import type { Random } from '../../lib/clock.ts';
import { type Courier, postsByCountry } from '../couriers.ts';
import { seededRandom } from '../seeded-random.ts';
import type { JourneyEvent } from './journey-event.ts';
import type { Route } from './route.ts';

/** A number of the Universal Postal Union's standard S10, its check digit included. */
export function s10Number(random: Random, prefix: string, country: string): string {
  const serial = Array.from({ length: 8 }, () => Math.floor(random() * 10)).join('');
  const weights = [8, 6, 4, 2, 3, 5, 9, 7];
  const sum = weights.reduce((total, weight, index) => total + weight * Number(serial.charAt(index)), 0);
  const rest = 11 - (sum % 11);
  const check = rest === 10 ? 0 : rest === 11 ? 5 : rest;
  return `${prefix}${serial}${check}${country}`;
}

/** The courier that carries a parcel from the border to the door. */
export interface LastMileLeg {
  readonly courier: Courier;
  /** The number that it gave the parcel. */
  readonly trackNo: string;
  /** Index of the event with which it takes over. */
  readonly from: number;
}

const s10 = /^[A-Z]{2}\d{9}[A-Z]{2}$/;

/**
 * Who takes a parcel over in the country of its destination: the post there, for what other posts and exporters bring.
 * Null for a parcel that stays in its country, that one courier carries all the way, or that never gets so far.
 */
export function planLastMile(
  trackNo: string,
  courier: Courier,
  route: Route,
  events: readonly JourneyEvent[],
): LastMileLeg | null {
  const local = postsByCountry.get(route.to);
  const handsOver = courier.reach === 'export' || courier.reach === 'post';
  if (!handsOver || route.from === route.to || local === undefined) return null;
  const landed = events.findIndex(({ kind }) => kind === 'landed');
  const from = events.findIndex(({ kind }, index) => kind === 'departed' && landed >= 0 && index > landed);
  if (from < 0) return null;
  const number = trackNo.toUpperCase();
  const random = seededRandom(0, `last-mile:${number}`);
  // Posts keep a number of the international standard; everybody else's gets a new one.
  return { courier: local, trackNo: s10.test(number) ? number : s10Number(random, 'LX', route.to), from };
}

/** Whether the first courier reports an event: up to the second one after the hand-over, and of all that is abroad. */
export function isReportedByFirst(leg: LastMileLeg | null, event: JourneyEvent, index: number, to: string): boolean {
  return leg === null || index <= leg.from + 1 || event.place?.country !== to;
}

/** Whether the local courier reports an event: from the hand-over on, while the parcel is in its country. */
export function isReportedByLocal(leg: LastMileLeg, event: JourneyEvent, index: number, to: string): boolean {
  return index >= leg.from && event.place?.country === to;
}
