import type { EpochMs } from '../../lib/clock.ts';
import type { MerchantFields } from '../../service/record.ts';
import type { Courier } from '../couriers.ts';
import {
  type LookupPlan,
  type PlanKeeping,
  planAnew,
  planFrom,
  planKept,
  planLookups,
  planUnderWay,
} from './lookups.ts';
import { instantOf, type ParcelLife, type WorldSettings } from './parcel-lives.ts';

/** Extra information without which some couriers show nothing; null where it is not given. */
export interface ExtraInformation {
  readonly postalCode: string | null;
  readonly phoneSuffix: string | null;
}

/** A number to be registered, with its courier settled. */
interface NewRegistration {
  readonly trackNo: string;
  readonly courier: Courier;
  readonly merchant: MerchantFields;
  readonly extra: ExtraInformation;
  /**
   * Since when the account holds the extra information that the courier needs, if it needs any; null while it does
   * not. Lookups before see nothing.
   */
  readonly extraKnownSince: EpochMs | null;
  readonly registeredAt: EpochMs;
}

/** A registered number: everything its record follows from, at any time. Changes make a new one under the same id. */
export interface Registration extends NewRegistration, ParcelLife {
  readonly id: string;
  /** Its place among the account's registrations, from 0. */
  readonly sequence: number;
  readonly lookups: LookupPlan;
  /** When it was last looked up because of a request; null for never. */
  readonly refreshedAt: EpochMs | null;
}

const serviceEpoch = Date.UTC(2020, 0, 1);
const serviceOffsetMs = 8 * 3_600_000;

/** Ids grow with time and are too long for a double, as the public service's are. */
function idOf(registeredAt: EpochMs, sequence: number): string {
  const sinceEpoch = Math.max(0, Math.floor(registeredAt + serviceOffsetMs - serviceEpoch));
  return String((BigInt(sinceEpoch) << 22n) | BigInt(sequence % 2 ** 22));
}

const planned = ({ seed, speed, keepingOf }: WorldSettings, trackNo: string, at: EpochMs): LookupPlan =>
  planLookups(seed, trackNo, at, speed, keepingOf?.(trackNo));

/** The registration of a number whose parcel lives `life`. */
export function register(
  settings: WorldSettings,
  entry: NewRegistration,
  sequence: number,
  life: ParcelLife,
): Registration {
  return {
    ...entry,
    ...life,
    id: idOf(entry.registeredAt, sequence),
    sequence,
    lookups: planned(settings, entry.trackNo, entry.registeredAt),
    refreshedAt: null,
  };
}

/** The registration of a number that had been registered, and looked up, before the world started at `startedAt`. */
export function registerEarlier(
  settings: WorldSettings,
  entry: NewRegistration,
  sequence: number,
  life: ParcelLife,
  startedAt: EpochMs,
): Registration {
  const fresh = register(settings, entry, sequence, life);
  if (!fresh.lookups.keeping.isLookedUp) return fresh;
  const underWay = planUnderWay(fresh.lookups, startedAt);
  // A parcel that had ended before the start was found ended at the lookup after its end, not at one of today.
  const endedAt = Math.ceil(instantOf(life.timeline, life.journey.endsAt) / 1000) * 1000;
  const firstAt = endedAt < underWay.firstAt ? Math.max(fresh.lookups.firstAt, endedAt) : underWay.firstAt;
  return { ...fresh, lookups: planFrom(underWay, firstAt) };
}

/** The registration after a lookup that was requested at `at`. */
export function lookedUpAt(registration: Registration, at: EpochMs): Registration {
  return { ...registration, lookups: planAnew(registration.lookups, at), refreshedAt: at };
}

/** The registration when its plan is kept otherwise from `at` on; the same object when it is not. */
export function keptOtherwise(registration: Registration, keeping: PlanKeeping, at: EpochMs): Registration {
  const { keeping: before } = registration.lookups;
  if (JSON.stringify(keeping) === JSON.stringify(before)) return registration;
  return { ...registration, lookups: planKept(registration.lookups, keeping, at) };
}

/** The registration moved to another courier at `at`: as new to that courier, but the same to the account. */
export function movedTo(
  settings: WorldSettings,
  registration: Registration,
  courier: Courier,
  life: ParcelLife,
  extraKnownSince: EpochMs | null,
  at: EpochMs,
): Registration {
  return {
    ...registration,
    ...life,
    courier,
    extraKnownSince,
    lookups: planned(settings, registration.trackNo, at),
    refreshedAt: null,
  };
}
