import { basename, dirname } from 'node:path';
import * as v from 'valibot';
import type { Clock, EpochMs, Random } from '../../service/clock/clock.ts';
import { KeyRefusedError } from '../../service/failures/errors.ts';
import type { TrackingService } from '../../service/port.ts';
import type { Courier } from '../../service/record/record.ts';
import { cleanTextOrNull, keptAddressOrNull } from '../../service/text/clean-text.ts';
import { isJsonObject } from '../../service/text/json.ts';
import { isCourierCode } from '../../service/text/word.ts';
import { StoreError, toStoreError } from '../errors.ts';
import { readJsonCache, writeJsonCache } from '../files/json-cache.ts';
import { removeLeftOvers } from '../files/left-overs.ts';

/** The couriers that the service knows. */
export interface CourierList {
  readonly couriers: readonly Courier[];
  /** When the service gave this list. */
  readonly fetchedAt: EpochMs;
  /** True when the list is past its week, or was to be refreshed, but the service could not be asked. */
  readonly stale: boolean;
  /** Why the list is not as fresh, or not as safely kept, as it should be; null when all went well. */
  readonly problem: string | null;
}

/** The couriers of Get Carriers (interface section 4.4), kept so that the service is seldom asked. */
export interface CourierDirectory {
  /**
   * Answers the kept list, and asks the service when there is none, when it is a week old or when `refresh` is true.
   * A failing service does no harm while there is a list; otherwise rejects with its `ServiceError`.
   */
  list(options?: { readonly refresh?: boolean }): Promise<CourierList>;
}

/** What a courier directory runs on. */
export interface CourierDirectoryOptions {
  /** The cache file, `couriers.json`; null keeps the list in memory only. */
  readonly path: string | null;
  /** Null when there is no key: then only what is kept can be listed. */
  readonly service: TrackingService | null;
  readonly clock: Clock;
  readonly random: Random;
}

/** How long a list is used without asking again, in milliseconds. */
const weekMs = 7 * 24 * 60 * 60_000;

interface Kept {
  readonly fetchedAt: EpochMs;
  readonly couriers: readonly Courier[];
}

const keptSchema: v.GenericSchema<unknown, Kept> = v.object({
  version: v.literal(1),
  fetchedAt: v.pipe(v.number(), v.finite()),
  couriers: v.pipe(
    v.array(v.unknown()),
    v.transform((rows) => rows.flatMap((row) => keptCourier(row) ?? [])),
  ),
});

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
  const { path, service, clock, random } = options;
  let kept: Kept | null = null;
  let fetching: Promise<CourierList> | null = null;

  const load = async (): Promise<Kept | null> => {
    if (kept !== null || path === null) return kept;
    const result = v.safeParse(keptSchema, await readJsonCache(path).catch(noneIfUnreadable));
    return result.success ? result.output : null;
  };

  const fetch = async (): Promise<CourierList> => {
    if (service === null) {
      throw new KeyRefusedError('The couriers cannot be listed without an API key. Set PARCEL_MONITOR_API_KEY.');
    }
    const fetched: Kept = { fetchedAt: clock.now(), couriers: await service.couriers() };
    kept = fetched;
    const problem = path === null ? null : await keep(path, fetched, random);
    return { ...fetched, stale: false, problem };
  };

  const sharedFetch = (): Promise<CourierList> => {
    fetching ??= fetch().finally(() => {
      fetching = null;
    });
    return fetching;
  };

  return {
    async list({ refresh = false } = {}) {
      const known = await load();
      kept ??= known;
      // A list from the future was written while the clock was wrong.
      const age = known === null ? Number.NaN : clock.now() - known.fetchedAt;
      if (known !== null && !refresh && age >= 0 && age < weekMs) {
        return { ...pick(known), stale: false, problem: null };
      }
      try {
        return await sharedFetch();
      } catch (error) {
        if (known === null || !(error instanceof Error)) throw error;
        return { ...pick(known), stale: true, problem: error.message };
      }
    },
  };
}

const pick = ({ fetchedAt, couriers }: Kept): Kept => ({ fetchedAt, couriers });

/** A cache that cannot be read is as good as none: the service has the list. */
function noneIfUnreadable(error: unknown): undefined {
  if (!(error instanceof StoreError)) throw error;
}

/** Keeps a list on disk and tidies its folder up; answers why that failed, since the list itself is good. */
async function keep(path: string, { fetchedAt, couriers }: Kept, random: Random): Promise<string | null> {
  try {
    await writeJsonCache(path, { version: 1, fetchedAt, couriers }, random);
    await tidyUp(path, fetchedAt);
    return null;
  } catch (error) {
    if (error instanceof StoreError) return error.message;
    throw error;
  }
}

async function tidyUp(path: string, now: EpochMs): Promise<void> {
  try {
    await removeLeftOvers(dirname(path), now, (name) => name === basename(path));
  } catch (error) {
    throw toStoreError(error, dirname(path));
  }
}
