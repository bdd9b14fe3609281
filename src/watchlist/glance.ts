import { readFile } from 'node:fs/promises';
import { StoreDamagedError, systemCode, toStoreError } from './errors.ts';
import { readUsageDays, type Usage, usageTotals } from './usage.ts';

/** What a glance tells of a parcel. */
export interface GlancedParcel {
  readonly isRejected: boolean;
  readonly isArchived: boolean;
  readonly transitStatus: string | null;
  readonly transitSubStatus: string | null;
  /** When the service last gave a good answer, in milliseconds; null for never. */
  readonly checkedAt: number | null;
  /** When it is asked about next, in milliseconds; null when it is not. */
  readonly nextPollAt: number | null;
}

/**
 * Looks at `watchlist.json` for a line in a status bar: waits for no lock, mends nothing, and takes a field of another
 * shape for a missing one. No file counts as an empty list. Rejects with a `StoreError`.
 */
export async function glanceAtParcels(path: string): Promise<readonly GlancedParcel[]> {
  const document = await readJson(path);
  if (document === undefined) return [];
  const parcels = field(document, 'parcels');
  if (!Array.isArray(parcels)) {
    throw new StoreDamagedError(
      `${path} is damaged. Run "parcel-monitor list", which puts it aside and says what can be done.`,
      path,
    );
  }
  return parcels.map(glance);
}

/** Looks at `meter.json`: what was asked today (UTC), by all processes. Nothing when it cannot be read. */
export async function glanceAtUsage(path: string, now: number): Promise<Usage> {
  try {
    return usageTotals(readUsageDays(await readJson(path)), now).today;
  } catch {
    // A count is worth no failure of a status bar.
    return usageTotals({}, now).today;
  }
}

/** Looks at `polling.json`: whether the user wants nothing to be asked by itself. Not so when it cannot be read. */
export async function glanceAtPause(path: string): Promise<boolean> {
  try {
    return field(await readJson(path), 'paused') === true;
  } catch {
    // As above.
    return false;
  }
}

async function readJson(path: string): Promise<unknown> {
  try {
    return JSON.parse((await readFile(path, 'utf8')).replace(/^\uFEFF/, ''));
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined;
    if (error instanceof SyntaxError) return null;
    throw toStoreError(error, path);
  }
}

function glance(parcel: unknown): GlancedParcel {
  const record = field(parcel, 'record');
  return {
    isRejected: field(parcel, 'registration') === 'rejected',
    isArchived: text(parcel, 'archivedAt') !== null,
    transitStatus: text(record, 'transitStatus'),
    transitSubStatus: text(record, 'transitSubStatus'),
    checkedAt: instant(parcel, 'checkedAt'),
    nextPollAt: instant(parcel, 'nextPollAt'),
  };
}

function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}

function text(value: unknown, name: string): string | null {
  const found = field(value, name);
  return typeof found === 'string' ? found : null;
}

function instant(value: unknown, name: string): number | null {
  const at = Date.parse(text(value, name) ?? '');
  return Number.isNaN(at) ? null : at;
}
