import type { EpochMs } from '../../lib/clock.ts';
import type { MerchantFields } from '../../service/port.ts';
import type { Courier } from '../couriers.ts';
import {
  type LookupPlan,
  type LookupRules,
  planAnew,
  planFrom,
  planLookups,
  planUnderWay,
  planWithRules,
} from './lookups.ts';
import { instantOf, type ParcelLife, type WorldSettings } from './parcel-lives.ts';

/** Some couriers show nothing without this information. */
export interface ExtraInformation {
  readonly postalCode: string | null;
  readonly phoneSuffix: string | null;
}

interface NewRegistration {
  readonly trackNo: string;
  readonly courier: Courier;
  readonly merchant: MerchantFields;
  readonly extra: ExtraInformation;
  /** When the information that the courier needs was added, or null. Earlier lookups show nothing. */
  readonly extraKnownSince: EpochMs | null;
  readonly registeredAt: EpochMs;
}

/** Immutable: a change creates a new object with the same id. */
export interface Registration extends NewRegistration, ParcelLife {
  readonly id: string;
  /** From 0. */
  readonly sequence: number;
  readonly lookups: LookupPlan;
  /** Time of the last requested lookup. */
  readonly refreshedAt: EpochMs | null;
}

const serviceEpoch = Date.UTC(2020, 0, 1);
const serviceOffsetMs = 8 * 3_600_000;

/** Ids grow with time and are too large for a double, as in the public service. */
function createId(registeredAt: EpochMs, sequence: number): string {
  const sinceEpoch = Math.max(0, Math.floor(registeredAt + serviceOffsetMs - serviceEpoch));
  return String((BigInt(sinceEpoch) << 22n) | BigInt(sequence % 2 ** 22));
}

const planned = ({ seed, speed, lookupRulesOf }: WorldSettings, trackNo: string, at: EpochMs): LookupPlan =>
  planLookups(seed, trackNo, at, speed, lookupRulesOf?.(trackNo));

export function register(
  settings: WorldSettings,
  entry: NewRegistration,
  sequence: number,
  life: ParcelLife,
): Registration {
  return {
    ...entry,
    ...life,
    id: createId(entry.registeredAt, sequence),
    sequence,
    lookups: planned(settings, entry.trackNo, entry.registeredAt),
    refreshedAt: null,
  };
}

/** For a number that was registered and looked up before `startedAt`. */
export function registerEarlier(
  settings: WorldSettings,
  entry: NewRegistration,
  sequence: number,
  life: ParcelLife,
  startedAt: EpochMs,
): Registration {
  const fresh = register(settings, entry, sequence, life);
  if (!fresh.lookups.rules.isLookedUp) return fresh;
  const underWay = planUnderWay(fresh.lookups, startedAt);
  // The end of a finished parcel was found by the lookup after its last event, not by one today.
  const endedAt = Math.ceil(instantOf(life.timeline, life.journey.endsAt) / 1000) * 1000;
  const firstAt = endedAt < underWay.firstAt ? Math.max(fresh.lookups.firstAt, endedAt) : underWay.firstAt;
  return { ...fresh, lookups: planFrom(underWay, firstAt) };
}

export function lookedUpAt(registration: Registration, at: EpochMs): Registration {
  return { ...registration, lookups: planAnew(registration.lookups, at), refreshedAt: at };
}

/** Returns the same object if nothing changes. */
export function withLookupRules(registration: Registration, rules: LookupRules, at: EpochMs): Registration {
  const { rules: before } = registration.lookups;
  if (JSON.stringify(rules) === JSON.stringify(before)) return registration;
  return { ...registration, lookups: planWithRules(registration.lookups, rules, at) };
}

/** For the new courier it is a new parcel, but the entry in the account stays the same. */
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
