import type { EpochMs } from '../../service/clock.ts';
import type { WireRecord } from '../../service/wire.ts';
import { type Courier, couriersByCode } from '../data/couriers.ts';
import { detectCourier } from '../data/detect-courier.ts';
import { UnusableOptionError } from '../errors.ts';
import { recordAt } from './record-at.ts';
import { type Registration, register, registerEarlier, type WorldSettings } from './registration.ts';
import type { JourneyPoint } from './starting-point.ts';

/** A number that somebody asks to register (interface section 2.1). */
export interface RegistrationRequest {
  readonly trackNo: string;
  /** Null lets the service detect the courier. */
  readonly courierCode: string | null;
  readonly orderNo: string | null;
  readonly postalCode: string | null;
  readonly phoneSuffix: string | null;
}

/** A number that is registered from the start. */
export interface PreRegistration {
  readonly trackNo: string;
  /** Null lets the service detect the courier. */
  readonly courierCode: string | null;
  /** How long before the start it was registered, in milliseconds. */
  readonly registeredAgoMs: number;
  /** Where on its journey the parcel is at the start; without it, where the number itself puts it. */
  readonly startAt?: JourneyPoint;
}

/** Why a number was not registered. */
export type RegistrationRefusal =
  | { readonly kind: 'duplicate'; readonly courierCode: string }
  | { readonly kind: 'unsupported-courier' }
  | { readonly kind: 'undetectable' };

/** What became of a number. */
export type RegistrationOutcome =
  | { readonly kind: 'registered'; readonly registration: Registration }
  | RegistrationRefusal;

/** All numbers of one account, without HTTP: a simulation uses it as it is. */
export interface Account {
  readonly size: number;
  /** Registers a number at `now`. */
  register(request: RegistrationRequest, now: EpochMs): RegistrationOutcome;
  /** All registrations of a number, in capitals or not; with a courier code only that courier's. */
  find(trackNo: string, courierCode: string | null): readonly Registration[];
  findByOrderNo(orderNo: string): readonly Registration[];
  /** All registrations, oldest first. */
  all(): readonly Registration[];
  /** What the service answers about a registration at `now`. */
  recordAt(registration: Registration, now: EpochMs): WireRecord;
}

const keyOf = (trackNo: string): string => trackNo.toUpperCase();

function hasNeededExtra(courier: Courier, request: RegistrationRequest): boolean {
  switch (courier.needs) {
    case null:
      return true;
    case 'postal-code':
      return request.postalCode !== null;
    case 'phone-suffix':
      return request.phoneSuffix !== null;
  }
}

function appendTo<Key>(index: Map<Key, Registration[]>, key: Key, registration: Registration): void {
  const entries = index.get(key);
  if (entries === undefined) index.set(key, [registration]);
  else entries.push(registration);
}

/**
 * Opens an account that holds `registered` from `startedAt` on. Throws an {@link UnusableOptionError} for a number that
 * cannot be registered or placed.
 */
export function openAccount(
  settings: WorldSettings,
  startedAt: EpochMs,
  registered: readonly PreRegistration[] = [],
): Account {
  const entries: Registration[] = [];
  const byNumber = new Map<string, Registration[]>();
  const byOrderNo = new Map<string, Registration[]>();

  const find = (trackNo: string, courierCode: string | null): readonly Registration[] => {
    const found = byNumber.get(keyOf(trackNo)) ?? [];
    return courierCode === null ? found : found.filter(({ courier }) => courier.code === courierCode);
  };

  const settleCourier = (trackNo: string, courierCode: string | null): Courier | RegistrationRefusal => {
    const given = courierCode === null ? undefined : couriersByCode.get(courierCode);
    if (courierCode !== null && given === undefined) return { kind: 'unsupported-courier' };
    const [existing] = find(trackNo, courierCode);
    if (existing !== undefined) return { kind: 'duplicate', courierCode: existing.courier.code };
    return given ?? detectCourier(trackNo) ?? { kind: 'undetectable' };
  };

  const keep = (registration: Registration): Registration => {
    entries.push(registration);
    appendTo(byNumber, keyOf(registration.trackNo), registration);
    if (registration.orderNo !== null) appendTo(byOrderNo, registration.orderNo, registration);
    return registration;
  };

  for (const { trackNo, courierCode, registeredAgoMs, startAt } of registered) {
    const courier = settleCourier(trackNo, courierCode);
    if ('kind' in courier) {
      throw new UnusableOptionError(`The parcel ${trackNo} cannot be registered from the start: ${courier.kind}.`);
    }
    const entry = {
      trackNo,
      courier,
      orderNo: null,
      hasNeededExtra: true,
      registeredAt: startedAt - registeredAgoMs,
    };
    const registration = registerEarlier(settings, entry, entries.length, startedAt, startAt ?? null);
    if (registration === null) {
      throw new UnusableOptionError(`The parcel ${trackNo} never comes to the point where it should start.`);
    }
    keep(registration);
  }

  return {
    get size() {
      return entries.length;
    },
    register: (request, now) => {
      const { trackNo, orderNo } = request;
      const courier = settleCourier(trackNo, request.courierCode);
      if ('kind' in courier) return courier;
      const entry = {
        trackNo,
        courier,
        orderNo,
        hasNeededExtra: hasNeededExtra(courier, request),
        registeredAt: now,
      };
      return { kind: 'registered', registration: keep(register(settings, entry, entries.length)) };
    },
    find,
    findByOrderNo: (orderNo) => byOrderNo.get(orderNo) ?? [],
    all: () => entries,
    recordAt: (registration, now) => recordAt(registration, now, settings.zoneOffsets),
  };
}
