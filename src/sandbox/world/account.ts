import type { EpochMs } from '../../lib/clock.ts';
import { missingNeed } from '../../service/couriers.ts';
import { type MerchantFields, refreshIntervalMs } from '../../service/port.ts';
import type { WireInstantRecord } from '../../service/wire.ts';
import { type Courier, couriersByCode, detectCourier } from '../couriers.ts';
import { unusableOption } from '../faults/fault-rule.ts';
import type { Language } from '../wording.ts';
import { withoutLag } from './lookups.ts';
import { instantRecordAt, recordAt, viewAt } from './record-at.ts';
import {
  createParcelLives,
  type ExtraInformation,
  type PreRegistration,
  type Registration,
  register,
  registerEarlier,
  type WorldSettings,
  withCourier,
  withLookupRules,
  withRefreshAt,
} from './registration.ts';

/** Called with the registration before and after a change. Null means that it was added or removed. */
type RegistryListener = (previous: Registration | null, current: Registration | null) => void;

const normaliseNumber = (trackNo: string): string => trackNo.toUpperCase();

function createRegistry() {
  // A map keeps its insertion order even if an entry is replaced.
  const entries = new Map<string, Registration>();
  /** By number, then by id. */
  const byNumber = new Map<string, Map<string, Registration>>();
  const listeners: RegistryListener[] = [];
  let added = 0;

  const forget = ({ id, trackNo }: Registration): void => {
    const registrations = byNumber.get(normaliseNumber(trackNo));
    registrations?.delete(id);
    if (registrations?.size === 0) byNumber.delete(normaliseNumber(trackNo));
  };
  const notify = (previous: Registration | null, current: Registration | null): void => {
    for (const listener of listeners) listener(previous, current);
  };

  return {
    get size() {
      return entries.size;
    },
    /** Total number of registrations, including deleted ones. */
    get added() {
      return added;
    },
    put: (registration: Registration): void => {
      const { id, trackNo } = registration;
      const previous = entries.get(id) ?? null;
      if (previous === null) added += 1;
      else forget(previous);
      entries.set(id, registration);
      const registrations = byNumber.get(normaliseNumber(trackNo)) ?? new Map<string, Registration>();
      byNumber.set(normaliseNumber(trackNo), registrations.set(id, registration));
      notify(previous, registration);
    },
    remove: (registration: Registration): void => {
      if (!entries.delete(registration.id)) return;
      forget(registration);
      notify(registration, null);
    },
    get: (id: string): Registration | undefined => entries.get(id),
    find: (trackNo: string, courierCode: string | null): readonly Registration[] => {
      const found = [...(byNumber.get(normaliseNumber(trackNo))?.values() ?? [])];
      return courierCode === null ? found : found.filter(({ courier }) => courier.code === courierCode);
    },
    /** Oldest first. */
    all: (): readonly Registration[] => [...entries.values()],
    listen: (listener: RegistryListener): void => {
      listeners.push(listener);
    },
  };
}

interface NumberRequest {
  readonly trackNo: string;
  /** If it is null, the service detects the courier. */
  readonly courierCode: string | null;
  readonly extra: ExtraInformation;
}

export interface RegistrationRequest extends NumberRequest {
  readonly merchant: MerchantFields;
}

export type RegistrationRefusal =
  | { readonly kind: 'duplicate'; readonly courierCode: string }
  | { readonly kind: 'unsupported-courier' }
  | { readonly kind: 'undetectable' };

/** Null leaves a value unchanged. An empty string removes a merchant field. */
type RegistrationEdit = Pick<RegistrationRequest, 'merchant' | 'extra'>;

interface RefreshOutcome {
  readonly success: boolean;
  /** When the number was last refreshed, by this call or an earlier one. */
  readonly refreshedAt: EpochMs;
}

/** One account's numbers, without the HTTP layer. */
export type Account = ReturnType<typeof openAccount>;

export function isRefusal(value: object): value is RegistrationRefusal {
  return 'kind' in value;
}

const hasNeededExtra = (courier: Courier, extra: ExtraInformation): boolean =>
  missingNeed(courier.code, extra) === null;

function mergeFields(fields: MerchantFields, changes: MerchantFields): MerchantFields {
  return Object.fromEntries(Object.entries({ ...fields, ...changes }).filter(([, text]) => text !== ''));
}

/** Throws a `SandboxStartError` if a number cannot be registered, or never reaches its starting point. */
export function openAccount(settings: WorldSettings, startedAt: EpochMs, registered: readonly PreRegistration[] = []) {
  const { couriers = couriersByCode, speed } = settings;
  const registry = createRegistry();
  const lives = createParcelLives(settings);

  const resolveCourier = (trackNo: string, courierCode: string | null): Courier | RegistrationRefusal => {
    const requested = courierCode === null ? undefined : couriers.get(courierCode);
    if (courierCode !== null && requested === undefined) return { kind: 'unsupported-courier' };
    const [existing] = registry.find(trackNo, courierCode);
    if (existing !== undefined) return { kind: 'duplicate', courierCode: existing.courier.code };
    return requested ?? detectCourier(trackNo) ?? { kind: 'undetectable' };
  };

  for (const earlier of registered) {
    const { trackNo } = earlier;
    const courier = resolveCourier(trackNo, earlier.courierCode);
    if (isRefusal(courier)) {
      throw unusableOption(`Parcel ${trackNo} cannot be registered at the start: ${courier.kind}.`);
    }
    const life = lives.beginEarlier(earlier, courier, startedAt);
    if (life === null) {
      throw unusableOption(`Parcel ${trackNo} never reaches its configured starting point.`);
    }
    const extra = { postalCode: null, phoneSuffix: null };
    const registeredAt = startedAt - earlier.registeredAgoMs;
    const entry = { trackNo, courier, merchant: {}, extra, extraKnownSince: registeredAt, registeredAt };
    registry.put(registerEarlier(settings, entry, registry.added, life, startedAt));
  }

  return Object.assign(registry, {
    resolveCourier,

    register: (request: RegistrationRequest, now: EpochMs): Registration | RegistrationRefusal => {
      const { trackNo, merchant, extra } = request;
      const courier = resolveCourier(trackNo, request.courierCode);
      if (isRefusal(courier)) return courier;
      const extraKnownSince = hasNeededExtra(courier, extra) ? now : null;
      const entry = { trackNo, courier, merchant, extra, extraKnownSince, registeredAt: now };
      const registration = register(settings, entry, registry.added, lives.getOrBegin(trackNo, courier, now));
      registry.put(registration);
      return registration;
    },

    /** Extra information that was missing takes effect at the next lookup. */
    edit: (registration: Registration, edit: RegistrationEdit, now: EpochMs): Registration => {
      const { courier, merchant, extraKnownSince } = registration;
      const extra = {
        postalCode: edit.extra.postalCode ?? registration.extra.postalCode,
        phoneSuffix: edit.extra.phoneSuffix ?? registration.extra.phoneSuffix,
      };
      const changed = {
        ...registration,
        merchant: mergeFields(merchant, edit.merchant),
        extra,
        extraKnownSince: extraKnownSince ?? (hasNeededExtra(courier, extra) ? now : null),
      };
      registry.put(changed);
      return changed;
    },

    changeCourier: (
      registration: Registration,
      courierCode: string,
      now: EpochMs,
    ): Registration | RegistrationRefusal => {
      const { trackNo, extra } = registration;
      const courier = resolveCourier(trackNo, courierCode);
      if (isRefusal(courier)) return courier;
      const extraKnownSince = hasNeededExtra(courier, extra) ? now : null;
      const updated = withCourier(
        settings,
        registration,
        courier,
        lives.getOrBegin(trackNo, courier, now),
        extraKnownSince,
        now,
      );
      registry.put(updated);
      return updated;
    },

    /** Fails within six hours of the last refresh. The six hours are divided by the speed. */
    refresh: (registration: Registration, now: EpochMs): RefreshOutcome => {
      const { refreshedAt } = registration;
      if (refreshedAt !== null && now < refreshedAt + refreshIntervalMs / speed) return { success: false, refreshedAt };
      registry.put(withRefreshAt(registration, now));
      return { success: true, refreshedAt: now };
    },

    /** Call this after the lookup rules change. */
    applyLookupRules: (now: EpochMs): void => {
      for (const registration of registry.all()) {
        if (viewAt(registration, now)?.isFinal === true) continue;
        const replanned = withLookupRules(
          registration,
          settings.lookupRulesFor?.(registration.trackNo) ?? withoutLag,
          now,
        );
        if (replanned !== registration) registry.put(replanned);
      }
    },

    recordAt,

    /** Looks up a number, registered or not, without changing the account. */
    lookUp: (
      request: NumberRequest,
      language: Language | null,
      now: EpochMs,
    ): WireInstantRecord | RegistrationRefusal => {
      const { trackNo, courierCode } = request;
      const [existing] = registry.find(trackNo, courierCode);
      const courier = existing?.courier ?? (courierCode === null ? detectCourier(trackNo) : couriers.get(courierCode));
      if (courier === undefined) return { kind: 'unsupported-courier' };
      // Without a courier, there is no record to look up.
      if (courier === null) return { trackNo, trackingStatus: '002', transitStatus: 'NO_RECORD' };
      const parcel = { trackNo, courier, ...lives.getOrBegin(trackNo, courier, now) };
      const isKnown = existing !== undefined && existing.extraKnownSince !== null;
      return instantRecordAt(parcel, now, isKnown || hasNeededExtra(courier, request.extra), language);
    },
  });
}
