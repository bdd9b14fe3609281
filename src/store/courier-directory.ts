import * as v from 'valibot';
import { cleanTextOrNull, savedAddressOrNull } from '../lib/clean-text.ts';
import type { Clock, EpochMs } from '../lib/clock.ts';
import { isJsonObject } from '../lib/json.ts';
import { ignoreStoreError, StoreError } from '../lib/store-errors.ts';
import { isCourierCode } from '../lib/track-number.ts';
import { type Courier, KeyRefusedError, ServiceError, type TrackingService } from '../service/port.ts';
import { createMemoryDocument, type Document } from './store.ts';

export interface CourierList {
  readonly couriers: readonly Courier[];
  readonly fetchedAt: EpochMs;
  /** True if the list should have been refreshed but could not be. */
  readonly stale: boolean;
  /** Why the list is stale or could not be saved. Null if there was no problem. */
  readonly problem: string | null;
  /** Why the list could not be fetched. Absent if it was fetched, or if no fetch was due. */
  readonly failure?: ServiceError;
}

interface CourierDirectoryOptions {
  /** This machine's cache. If absent, the list is only cached in memory. */
  readonly cache?: Document<SavedCouriers | null>;
  readonly service: Pick<TrackingService, 'couriers'> | null;
  readonly clock: Clock;
  /** The list that hosts share, if any. */
  readonly shared?: Document<SavedCouriers | null> | null;
}

/** How long a list is valid. */
const weekMs = 7 * 24 * 60 * 60_000;

export interface SavedCouriers {
  readonly fetchedAt: EpochMs;
  readonly couriers: readonly Courier[];
}

const savedSchema = v.object({
  version: v.literal(1),
  fetchedAt: v.pipe(v.number(), v.finite()),
  couriers: v.pipe(
    v.array(v.unknown()),
    v.transform((rows) => rows.flatMap((row) => savedCourier(row) ?? [])),
  ),
});

/** Parses a saved list. Returns null if it is not valid. */
export function readSavedCouriers(value: unknown): SavedCouriers | null {
  const result = v.safeParse(savedSchema, value);
  return result.success ? { fetchedAt: result.output.fetchedAt, couriers: result.output.couriers } : null;
}

/** Returns null for a row without a valid code. */
function savedCourier(row: unknown): Courier | null {
  if (!isJsonObject(row)) return null;
  const { code, nameEN, nameCN, homePage } = row;
  if (typeof code !== 'string' || !isCourierCode(code)) return null;
  return {
    code,
    nameEN: cleanTextOrNull(nameEN),
    nameCN: cleanTextOrNull(nameCN),
    homePage: savedAddressOrNull(homePage),
  };
}

/** The couriers from Get Carriers, cached to save requests. */
export type CourierDirectory = ReturnType<typeof createCourierDirectory>;

/** Concurrent calls share one request. */
export function createCourierDirectory(options: CourierDirectoryOptions) {
  const { cache = createMemoryDocument<SavedCouriers | null>(null), service, clock, shared = null } = options;
  let loaded: SavedCouriers | null = null;
  let fetching: Promise<CourierList> | null = null;

  const load = async (): Promise<SavedCouriers | null> => {
    // An unreadable cache can be ignored, because the list can be fetched again.
    return loaded ?? (await cache.read().catch(ignoreStoreError)) ?? null;
  };

  const fetch = async (): Promise<CourierList> => {
    if (service === null) {
      throw new KeyRefusedError({
        what: 'Couriers cannot be listed without an API key.',
        advice: 'Set PARCEL_MONITOR_API_KEY.',
      });
    }
    const fetched: SavedCouriers = { fetchedAt: clock.now(), couriers: await service.couriers() };
    const before = await load();
    // An empty response never replaces known data.
    if (fetched.couriers.length === 0 && before !== null && before.couriers.length > 0)
      return { ...before, stale: true, problem: 'The service listed no couriers, so the saved list is used.' };
    loaded = fetched;
    const problem = await save(cache, fetched);
    // If the list cannot be shared, other hosts fetch it themselves.
    await shared?.update(() => fetched).catch(ignoreStoreError);
    return { ...fetched, stale: false, problem };
  };
  // A list from the future was saved while the clock was wrong.
  const isFresh = ({ fetchedAt }: SavedCouriers): boolean => {
    const age = clock.now() - fetchedAt;
    return age >= 0 && age < weekMs;
  };
  /** Returns the list that another host fetched within the last week, or null. Also caches it here. */
  const loadShared = async (): Promise<SavedCouriers | null> => {
    const sharedList = (await shared?.read().catch(ignoreStoreError)) ?? null;
    if (sharedList === null || !isFresh(sharedList)) return null;
    await save(cache, sharedList);
    return sharedList;
  };

  const fetchOnce = (): Promise<CourierList> => {
    fetching ??= fetch().finally(() => {
      fetching = null;
    });
    return fetching;
  };

  return {
    /**
     * Returns the cached list. Fetches a new one if there isn't one, if it is a week old, or with `refresh`. Rejects with a
     * `ServiceError` only if this fails and there is no cached list.
     */
    async list({ refresh = false }: { readonly refresh?: boolean } = {}): Promise<CourierList> {
      const cached = await load();
      const current = refresh || (cached !== null && isFresh(cached)) ? cached : ((await loadShared()) ?? cached);
      loaded = current;
      if (current !== null && !refresh && isFresh(current)) return { ...current, stale: false, problem: null };
      try {
        return await fetchOnce();
      } catch (error) {
        if (current === null || !(error instanceof Error)) throw error;
        const failure = error instanceof ServiceError ? { failure: error } : {};
        return { ...current, stale: true, problem: error.message, ...failure };
      }
    },
  };
}

/** Saves a list. Returns the error instead of throwing it, because the list can be used anyway. */
async function save(document: Document<SavedCouriers | null>, fetched: SavedCouriers): Promise<string | null> {
  try {
    await document.update(() => fetched);
    return null;
  } catch (error) {
    if (error instanceof StoreError) return error.message;
    throw error;
  }
}
