import * as v from 'valibot';
import { cleanTextOrNull, keptAddressOrNull } from '../lib/clean-text.ts';
import type { Clock, EpochMs } from '../lib/clock.ts';
import { isJsonObject } from '../lib/json.ts';
import { ignoreStoreError, StoreError } from '../lib/store-errors.ts';
import { isCourierCode } from '../lib/track-number.ts';
import { KeyRefusedError, ServiceError } from '../service/errors.ts';
import type { TrackingService } from '../service/port.ts';
import type { Courier } from '../service/record.ts';
import { createMemoryDocument, type Document } from './document.ts';

export interface CourierList {
  readonly couriers: readonly Courier[];
  readonly fetchedAt: EpochMs;
  /** True when the list is past its week, or was to be refreshed, but the service could not be reached. */
  readonly stale: boolean;
  /** Why the list is not as fresh, or not as safely kept, as it should be; null when all went well. */
  readonly problem: string | null;
  /** What kept it from being fetched, where it was to be; absent when nothing did. */
  readonly failure?: ServiceError;
}

/** The couriers of Get Carriers, kept so that the service is seldom requested. */
export interface CourierDirectory {
  /**
   * Answers the kept list, and requests it of the service when there is none, when it is a week old or when `refresh` is true.
   * A failing service does no harm while there is a list; otherwise rejects with its `ServiceError`.
   */
  list(options?: { readonly refresh?: boolean }): Promise<CourierList>;
}

interface CourierDirectoryOptions {
  /** This machine's cache; left out, the list is kept in memory only. */
  readonly cache?: Document<Kept | null>;
  readonly service: Pick<TrackingService, 'couriers'> | null;
  readonly clock: Clock;
  /** What other hosts have fetched; absent or null: there are none. */
  readonly shared?: Document<Kept | null> | null;
}

/** How long a list is used before it is fetched again, in milliseconds. */
const weekMs = 7 * 24 * 60 * 60_000;

export interface Kept {
  readonly fetchedAt: EpochMs;
  readonly couriers: readonly Courier[];
}

const keptSchema = v.object({
  version: v.literal(1),
  fetchedAt: v.pipe(v.number(), v.finite()),
  couriers: v.pipe(
    v.array(v.unknown()),
    v.transform((rows) => rows.flatMap((row) => keptCourier(row) ?? [])),
  ),
});

/** What the document of a list holds; null for no list. */
export function readKept(value: unknown): Kept | null {
  const result = v.safeParse(keptSchema, value);
  return result.success ? { fetchedAt: result.output.fetchedAt, couriers: result.output.couriers } : null;
}

/** A row of the file, taken as carefully as one of the service; null for a row without a code. */
function keptCourier(row: unknown): Courier | null {
  if (!isJsonObject(row)) return null;
  const { code, nameEN, nameCN, homePage } = row;
  if (typeof code !== 'string' || !isCourierCode(code)) return null;
  return {
    code,
    nameEN: cleanTextOrNull(nameEN),
    nameCN: cleanTextOrNull(nameCN),
    homePage: keptAddressOrNull(homePage),
  };
}

/** Makes a {@link CourierDirectory}. Calls at the same time share one request. */
export function createCourierDirectory(options: CourierDirectoryOptions): CourierDirectory {
  const { cache = createMemoryDocument<Kept | null>(null), service, clock, shared = null } = options;
  let kept: Kept | null = null;
  let fetching: Promise<CourierList> | null = null;

  const load = async (): Promise<Kept | null> => {
    // A cache that cannot be read is as good as none: the service has the list.
    return kept ?? (await cache.read().catch(ignoreStoreError)) ?? null;
  };

  const fetch = async (): Promise<CourierList> => {
    if (service === null) {
      throw new KeyRefusedError({
        what: 'The couriers cannot be listed without an API key.',
        advice: 'Set PARCEL_MONITOR_API_KEY.',
      });
    }
    const fetched: Kept = { fetchedAt: clock.now(), couriers: await service.couriers() };
    kept = fetched;
    const problem = await keep(cache, fetched);
    // A list that the others do not get is good all the same: they fetch it themselves.
    await shared?.update(() => fetched).catch(ignoreStoreError);
    return { ...fetched, stale: false, problem };
  };
  // A list from the future was written while the clock was wrong.
  const isFresh = ({ fetchedAt }: Kept): boolean => {
    const age = clock.now() - fetchedAt;
    return age >= 0 && age < weekMs;
  };
  /** What another host has fetched within the week, which this one then keeps as well; null for nothing. */
  const loadShared = async (): Promise<Kept | null> => {
    const read = (await shared?.read().catch(ignoreStoreError)) ?? null;
    if (read === null || !isFresh(read)) return null;
    await keep(cache, read);
    return read;
  };

  const sharedFetch = (): Promise<CourierList> => {
    fetching ??= fetch().finally(() => {
      fetching = null;
    });
    return fetching;
  };

  return {
    async list({ refresh = false } = {}) {
      const own = await load();
      const known = refresh || (own !== null && isFresh(own)) ? own : ((await loadShared()) ?? own);
      kept = known;
      if (known !== null && !refresh && isFresh(known)) return { ...known, stale: false, problem: null };
      try {
        return await sharedFetch();
      } catch (error) {
        if (known === null || !(error instanceof Error)) throw error;
        const failure = error instanceof ServiceError ? { failure: error } : {};
        return { ...known, stale: true, problem: error.message, ...failure };
      }
    },
  };
}

/** Keeps a list on disk; answers why that failed, since the list itself is good. */
async function keep(document: Document<Kept | null>, fetched: Kept): Promise<string | null> {
  try {
    await document.update(() => fetched);
    return null;
  } catch (error) {
    if (error instanceof StoreError) return error.message;
    throw error;
  }
}
