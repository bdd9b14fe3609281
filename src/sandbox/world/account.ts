import type { EpochMs } from '../../lib/clock.ts';
import { missingNeed } from '../../service/couriers.ts';
import { refreshIntervalMs } from '../../service/port.ts';
import type { MerchantFields } from '../../service/record.ts';
import type { WireInstantRecord, WireRecord } from '../../service/wire.ts';
import { type Courier, couriersByCode, detectCourier } from '../couriers.ts';
import { unusableOption } from '../errors.ts';
import type { Language } from '../wording.ts';
import { punctual } from './lookups.ts';
import { createParcelLives, type PreRegistration, type WorldSettings } from './parcel-lives.ts';
import { instantRecordAt, recordAt, viewAt } from './record-at.ts';
import {
  type ExtraInformation,
  keptOtherwise,
  lookedUpAt,
  movedTo,
  type Registration,
  register,
  registerEarlier,
} from './registration.ts';

/** Called after every change with the registration before and after it, null for none. */
type RegistryListener = (previous: Registration | null, current: Registration | null) => void;

/** All registrations of an account, found without looking at the others. */
interface Registry {
  readonly size: number;
  /** How many were ever added. */
  readonly added: number;
  /** Adds a registration, or puts it in the place of the one with its id. */
  put(registration: Registration): void;
  remove(registration: Registration): void;
  get(id: string): Registration | undefined;
  /** All registrations of a number, in capitals or not; with a courier code only that courier's. */
  find(trackNo: string, courierCode: string | null): readonly Registration[];
  findByOrderNo(orderNo: string): readonly Registration[];
  /** All registrations, oldest first. */
  all(): readonly Registration[];
  /** Has `listener` called after every change. */
  listen(listener: RegistryListener): void;
}

/** Registrations by a text under which they are looked for, and there by id. */
type Index = Map<string, Map<string, Registration>>;

function addTo(index: Index, key: string, registration: Registration): void {
  const known = index.get(key) ?? new Map<string, Registration>();
  index.set(key, known.set(registration.id, registration));
}

function removeFrom(index: Index, key: string, id: string): void {
  const known = index.get(key);
  known?.delete(id);
  if (known?.size === 0) index.delete(key);
}

const numberOf = (trackNo: string): string => trackNo.toUpperCase();

/** A registry that holds nothing yet. */
export function createRegistry(): Registry {
  // A map keeps the order of addition, also when an entry is replaced.
  const entries = new Map<string, Registration>();
  const byNumber: Index = new Map();
  const byOrderNo: Index = new Map();
  const listeners: RegistryListener[] = [];
  /** Made when somebody lists the account, good until it changes. */
  let listing: readonly Registration[] | null = null;
  let added = 0;

  const take = (key: string, index: Index): readonly Registration[] => [...(index.get(key)?.values() ?? [])];
  const forget = ({ id, trackNo, merchant }: Registration): void => {
    removeFrom(byNumber, numberOf(trackNo), id);
    if (merchant.orderNo !== undefined) removeFrom(byOrderNo, merchant.orderNo, id);
  };
  const notify = (previous: Registration | null, current: Registration | null): void => {
    listing = null;
    for (const listener of listeners) listener(previous, current);
  };

  return {
    get size() {
      return entries.size;
    },
    get added() {
      return added;
    },
    put: (registration) => {
      const { id, trackNo, merchant } = registration;
      const previous = entries.get(id) ?? null;
      if (previous === null) added += 1;
      else forget(previous);
      entries.set(id, registration);
      addTo(byNumber, numberOf(trackNo), registration);
      if (merchant.orderNo !== undefined) addTo(byOrderNo, merchant.orderNo, registration);
      notify(previous, registration);
    },
    remove: (registration) => {
      if (!entries.delete(registration.id)) return;
      forget(registration);
      notify(registration, null);
    },
    get: (id) => entries.get(id),
    find: (trackNo, courierCode) => {
      const found = take(numberOf(trackNo), byNumber);
      return courierCode === null ? found : found.filter(({ courier }) => courier.code === courierCode);
    },
    findByOrderNo: (orderNo) => take(orderNo, byOrderNo),
    all: () => {
      listing ??= [...entries.values()];
      return listing;
    },
    listen: (listener) => {
      listeners.push(listener);
    },
  };
}

/** A number that is to be looked up or registered. */
interface NumberRequest {
  readonly trackNo: string;
  /** Null lets the service detect the courier. */
  readonly courierCode: string | null;
  readonly extra: ExtraInformation;
}

export interface RegistrationRequest extends NumberRequest {
  readonly merchant: MerchantFields;
}

/** Why a number was not registered, or not moved to another courier. */
export type RegistrationRefusal =
  | { readonly kind: 'duplicate'; readonly courierCode: string }
  | { readonly kind: 'unsupported-courier' }
  | { readonly kind: 'undetectable' };

/** What an edit changes; a null leaves what is there, an empty text takes a merchant's field away. */
interface RegistrationEdit {
  readonly merchant: MerchantFields;
  readonly extra: ExtraInformation;
}

/** What came of a request to look a number up. */
interface RefreshOutcome {
  /** False when the number had been refreshed too short a time ago. */
  readonly success: boolean;
  /** When the number was last looked up because of a refresh. */
  readonly refreshedAt: EpochMs;
}

/** All numbers of one account, without HTTP: a simulation uses it as it is. */
export interface Account extends Registry {
  settleCourier(trackNo: string, courierCode: string | null): Courier | RegistrationRefusal;
  /** Registers a number at `now`. */
  register(request: RegistrationRequest, now: EpochMs): Registration | RegistrationRefusal;
  /** Extra information that comes later helps from the next lookup on. */
  edit(registration: Registration, edit: RegistrationEdit, now: EpochMs): Registration;
  /** Moves a number to another courier, who looks it up again. */
  changeCourier(registration: Registration, courierCode: string, now: EpochMs): Registration | RegistrationRefusal;
  /** Looks a number up at once, if that was not done within the last six hours of the world. */
  refresh(registration: Registration, now: EpochMs): RefreshOutcome;
  /** Keeps all plans as the world's settings say from `now` on. To be called when they say something else. */
  keepPlans(now: EpochMs): void;
  /** What the service answers about a registration at `now`. */
  recordAt(registration: Registration, now: EpochMs): WireRecord;
  /**
   * What a courier knows at `now` about a number, registered or not; the account does not change. A refusal for a
   * courier code that is not known.
   */
  lookUp(request: NumberRequest, language: Language | null, now: EpochMs): WireInstantRecord | RegistrationRefusal;
}

/** Whether something is a refusal rather than what was wanted. */
export function isRefusal(value: object): value is RegistrationRefusal {
  return 'kind' in value;
}

const hasNeededExtra = (courier: Courier, extra: ExtraInformation): boolean =>
  missingNeed(courier.code, extra) === null;

/** The fields with the changes made; what is changed to an empty text is gone. */
function edited(fields: MerchantFields, changes: MerchantFields): MerchantFields {
  return Object.fromEntries(Object.entries({ ...fields, ...changes }).filter(([, text]) => text !== ''));
}

/**
 * Opens an account that holds `registered` from `startedAt` on. Throws a `SandboxStartError` for a number that
 * cannot be registered or placed.
 */
export function openAccount(
  settings: WorldSettings,
  startedAt: EpochMs,
  registered: readonly PreRegistration[] = [],
): Account {
  const { couriers = couriersByCode, speed } = settings;
  const registry = createRegistry();
  const lives = createParcelLives(settings);

  const settleCourier = (trackNo: string, courierCode: string | null): Courier | RegistrationRefusal => {
    const given = courierCode === null ? undefined : couriers.get(courierCode);
    if (courierCode !== null && given === undefined) return { kind: 'unsupported-courier' };
    const [existing] = registry.find(trackNo, courierCode);
    if (existing !== undefined) return { kind: 'duplicate', courierCode: existing.courier.code };
    return given ?? detectCourier(trackNo) ?? { kind: 'undetectable' };
  };

  for (const earlier of registered) {
    const { trackNo } = earlier;
    const courier = settleCourier(trackNo, earlier.courierCode);
    if (isRefusal(courier)) {
      throw unusableOption(`The parcel ${trackNo} cannot be registered from the start: ${courier.kind}.`);
    }
    const life = lives.beginEarlier(earlier, courier, startedAt);
    if (life === null) {
      throw unusableOption(`The parcel ${trackNo} never comes to the point where it should start.`);
    }
    const extra = { postalCode: null, phoneSuffix: null };
    const registeredAt = startedAt - earlier.registeredAgoMs;
    const entry = { trackNo, courier, merchant: {}, extra, extraKnownSince: registeredAt, registeredAt };
    registry.put(registerEarlier(settings, entry, registry.added, life, startedAt));
  }

  const calls: Omit<Account, keyof Registry> = {
    settleCourier,

    register: (request, now) => {
      const { trackNo, merchant, extra } = request;
      const courier = settleCourier(trackNo, request.courierCode);
      if (isRefusal(courier)) return courier;
      const extraKnownSince = hasNeededExtra(courier, extra) ? now : null;
      const entry = { trackNo, courier, merchant, extra, extraKnownSince, registeredAt: now };
      const registration = register(settings, entry, registry.added, lives.of(trackNo, courier, now));
      registry.put(registration);
      return registration;
    },

    edit: (registration, edit, now) => {
      const { courier, merchant, extraKnownSince } = registration;
      const extra = {
        postalCode: edit.extra.postalCode ?? registration.extra.postalCode,
        phoneSuffix: edit.extra.phoneSuffix ?? registration.extra.phoneSuffix,
      };
      const changed = {
        ...registration,
        merchant: edited(merchant, edit.merchant),
        extra,
        extraKnownSince: extraKnownSince ?? (hasNeededExtra(courier, extra) ? now : null),
      };
      registry.put(changed);
      return changed;
    },

    changeCourier: (registration, courierCode, now) => {
      const { trackNo, extra } = registration;
      const courier = settleCourier(trackNo, courierCode);
      if (isRefusal(courier)) return courier;
      const extraKnownSince = hasNeededExtra(courier, extra) ? now : null;
      const moved = movedTo(settings, registration, courier, lives.of(trackNo, courier, now), extraKnownSince, now);
      registry.put(moved);
      return moved;
    },

    refresh: (registration, now) => {
      const { refreshedAt } = registration;
      if (refreshedAt !== null && now < refreshedAt + refreshIntervalMs / speed) return { success: false, refreshedAt };
      registry.put(lookedUpAt(registration, now));
      return { success: true, refreshedAt: now };
    },

    keepPlans: (now) => {
      for (const registration of registry.all()) {
        if (viewAt(registration, now)?.isFinal === true) continue;
        const kept = keptOtherwise(registration, settings.keepingOf?.(registration.trackNo) ?? punctual, now);
        if (kept !== registration) registry.put(kept);
      }
    },

    recordAt,

    lookUp: (request, language, now) => {
      const { trackNo, courierCode } = request;
      const [existing] = registry.find(trackNo, courierCode);
      const courier = existing?.courier ?? (courierCode === null ? detectCourier(trackNo) : couriers.get(courierCode));
      if (courier === undefined) return { kind: 'unsupported-courier' };
      // Nobody recognises the number: there is no courier to query.
      if (courier === null) return { trackNo, trackingStatus: '002', transitStatus: 'NO_RECORD' };
      const parcel = { trackNo, courier, ...lives.of(trackNo, courier, now) };
      const isKnown = existing !== undefined && existing.extraKnownSince !== null;
      return instantRecordAt(parcel, now, isKnown || hasNeededExtra(courier, request.extra), language);
    },
  };
  return Object.assign(registry, calls);
}
