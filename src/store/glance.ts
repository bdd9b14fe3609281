import { StoreError, systemCode, toStoreError } from '../lib/store-errors.ts';
import { courierCodeOrNull, wordOrNull } from '../lib/track-number.ts';
import type { Snoozable } from '../parcels/parcel-stage.ts';
import type { Checkpoint } from '../service/record.ts';
import { unfinishedPath } from './file/atomic-write.ts';
import { readWholeFile } from './file/open-file.ts';
import { readUsageDays, type Usage, usageTotals } from './usage.ts';

type PeekedEvent = Pick<Checkpoint, 'at' | 'local' | 'offset' | 'subStatus'>;

export interface PeekedParcel extends Snoozable {
  readonly isRejected: boolean;
  readonly transitStatus: string | null;
  readonly transitSubStatus: string | null;
  readonly lastEvent: PeekedEvent | null;
  readonly arrival: PeekedEvent | null;
  /** Time of the service's last successful answer, ISO 8601 UTC; null if there was none. */
  readonly checkedAt: string | null;
  /** The next poll in milliseconds since 1970, or null. */
  readonly nextPollAt: number | null;
}

/**
 * Reads `watchlist.json` for a line in a status bar: takes no lock, repairs nothing, and treats a field of another
 * shape as missing. No file counts as an empty list. Rejects with a `StoreError`.
 */
export async function peekAtParcels(path: string): Promise<readonly PeekedParcel[]> {
  return (await entriesOf(path, 'latin1')).map(peekAtParcel);
}

/** The fields that name a parcel in the file, unchecked. */
interface PeekedName {
  readonly id: string | null;
  readonly trackNo: string;
  readonly courierCode: string | null;
  readonly label: string | null;
  readonly tags: readonly string[];
  readonly merchant: { readonly country?: string };
  readonly record: {
    readonly courierNameEN: string | null;
    readonly courierNameCN: string | null;
    readonly shipTo: string | null;
    readonly shipFrom: string | null;
    readonly lastMile: { readonly courierCode: string | null; readonly courierName: string | null };
  };
}

/** Reads the names of parcels from `watchlist.json`, like {@link peekAtParcels}. */
export async function peekAtNames(path: string): Promise<readonly PeekedName[]> {
  return (await entriesOf(path)).flatMap((entry) => {
    const trackNo = wordOrNull(text(entry, 'trackNo'));
    if (trackNo === null) return [];
    const tags = field(entry, 'tags');
    const record = field(entry, 'record');
    const lastMile = field(record, 'lastMile');
    const country = text(field(entry, 'merchant'), 'country');
    return [
      {
        id: text(entry, 'id'),
        trackNo,
        courierCode: courierCodeOrNull(text(entry, 'courierCode')),
        label: text(entry, 'label'),
        tags: Array.isArray(tags) ? tags.filter((tag) => typeof tag === 'string') : [],
        merchant: country === null ? {} : { country },
        record: {
          courierNameEN: text(record, 'courierNameEN'),
          courierNameCN: text(record, 'courierNameCN'),
          shipTo: text(record, 'shipTo'),
          shipFrom: text(record, 'shipFrom'),
          lastMile: { courierCode: text(lastMile, 'courierCode'), courierName: text(lastMile, 'courierName') },
        },
      },
    ];
  });
}

async function entriesOf(path: string, encoding?: FileEncoding): Promise<readonly unknown[]> {
  const document = await readWatchlist(path, encoding);
  if (document === undefined) return [];
  const entries = field(document, 'parcels');
  if (Array.isArray(entries)) return entries;
  throw new StoreError(
    'damaged',
    {
      what: `${path} is damaged.`,
      advice: 'Run "parcel-monitor list", which moves it aside and shows what to do.',
    },
    path,
  );
}

/** Reads today's requests (UTC) by all processes from `meter.json`; zero if it cannot be read. */
export async function peekAtUsage(path: string, now: number): Promise<Usage> {
  return usageTotals(readUsageDays(await readTolerantly(path)), now).today;
}

/** Reads from `polling.json` whether the user has paused polling; false if it cannot be read. */
export async function peekAtPause(path: string): Promise<boolean> {
  return field(await readTolerantly(path), 'paused') === true;
}

const readTolerantly = async (path: string): Promise<unknown> => await readJson(path).catch(() => undefined);

/** Reads the complete text, even during a write in place. */
async function readWatchlist(path: string, encoding?: FileEncoding): Promise<unknown> {
  const document = await readJson(path, encoding);
  return document === null ? ((await readJson(unfinishedPath(path), encoding)) ?? null) : document;
}

/** Latin-1 is five times as fast to decode, and enough for ASCII letters. */
type FileEncoding = 'utf8' | 'latin1';

const byteOrderMark: Readonly<Record<FileEncoding, RegExp>> = { utf8: /^\uFEFF/, latin1: /^\u00EF\u00BB\u00BF/ };

async function readJson(path: string, encoding: FileEncoding = 'utf8'): Promise<unknown> {
  try {
    return JSON.parse((await readWholeFile(path)).toString(encoding).replace(byteOrderMark[encoding], ''));
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined;
    if (error instanceof SyntaxError) return null;
    throw toStoreError(error, path);
  }
}

export function peekAtParcel(parcel: unknown): PeekedParcel {
  const record = field(parcel, 'record');
  return {
    isRejected: field(parcel, 'registration') === 'rejected',
    archivedAt: text(parcel, 'archivedAt'),
    checkpointCount: number(parcel, 'checkpointCount') ?? 0,
    snoozed: snooze(field(parcel, 'snoozed')),
    unread: field(parcel, 'unread') ?? undefined,
    transitStatus: text(record, 'transitStatus'),
    transitSubStatus: text(record, 'transitSubStatus'),
    lastEvent: event(parcel, 'lastEvent'),
    arrival: event(record, 'arrival'),
    checkedAt: instant(parcel, 'checkedAt') === null ? null : text(parcel, 'checkedAt'),
    nextPollAt: instant(parcel, 'nextPollAt'),
  };
}

function event(value: unknown, name: string): PeekedEvent | null {
  const found = field(value, name);
  if (typeof found !== 'object' || found === null) return null;
  const [at, local, offset, subStatus] = ['at', 'local', 'offset', 'subStatus'].map((part) => text(found, part));
  return { at: at ?? null, local: local ?? null, offset: offset ?? null, subStatus: subStatus ?? null };
}

function snooze(value: unknown): PeekedParcel['snoozed'] {
  const events = number(value, 'events');
  return events === null ? undefined : { events, until: text(value, 'until') };
}

function number(value: unknown, name: string): number | null {
  const found = field(value, name);
  return typeof found === 'number' ? found : null;
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
