import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '../../src/lib/clock.ts';
import { parseJson } from '../../src/lib/json.ts';
import { mergeRecord } from '../../src/parcels/merge-record.ts';
import type { Parcel, ParcelHistory } from '../../src/parcels/parcel.ts';
import { decodeRecord } from '../../src/service/decode-record.ts';
import { createFileStore } from '../../src/store/file/file-store.ts';
import { historyFormat } from '../../src/store/file/formats.ts';
import { aBoard, aCheckpoint, ago, aParcel, day, hour, minute, now } from '../board/parcels.ts';
import { parcelOf } from '../parcels/parcels.ts';

/** The user's watchlist when the board opens. */
export type WatchlistKind = 'empty' | 'due' | 'mixed';

const fixtures = new URL('../fixtures/', import.meta.url);
const inOneDay = new Date(now + day).toISOString();

/** Turns each record in the fixtures into a parcel whose label says what is unusual about it. */
function oddParcels(): readonly { readonly parcel: Parcel; readonly history: ParcelHistory }[] {
  const names = readdirSync(fixtures).filter((name) => /^record-.*\.json$/.test(name));
  return names.sort().flatMap((name, index) => {
    const record = decodeRecord(parseJson(readFileSync(new URL(name, fixtures), 'utf8')), now);
    if (record === null) return [];
    const label = name.slice('record-'.length, -'.json'.length).replaceAll('-', ' ');
    const known = { id: `odd-${index}`, label, registration: 'registered' as const };
    // Several fixtures may use the same number.
    const before = parcelOf(`RB${100_000_000 + index}CN`, {
      ...known,
      addedAt: ago(5 * day),
      registeredAt: ago(5 * day),
    });
    const { history, parcel } = mergeRecord(before, historyFormat.empty, record, now);
    return [{ history, parcel: { ...parcel, checkedAt: ago(2 * minute), nextPollAt: inOneDay } }];
  });
}

const details = [
  ['Held by customs, documents asked for', 'Leipzig, DE'],
  ['航班已起飞，离开中国，前往目的地国家', '深圳, CN'],
  ['พัสดุถึงศูนย์คัดแยก', 'กรุงเทพ, TH'],
  [
    'Released after inspection of all the documents that the sender had handed in with the parcel at the counter',
    'Liège, BE',
  ],
  ['هدية 🎁 تم الاستلام', 'دبي, AE'],
] as const;

/** A long history in many scripts. */
const longHistory: ParcelHistory = {
  ...historyFormat.empty,
  checkpoints: Array.from({ length: 60 }, (_, index) => {
    const at = now - 2 * day - index * 7 * hour;
    const [detail, address] = details[index % details.length] ?? details[0];
    const local = new Date(at + 8 * hour).toISOString().slice(0, 19).replace('T', ' ');
    return aCheckpoint({
      at: new Date(at).toISOString(),
      local,
      offset: '+08:00',
      address,
      detail,
      certain: index % 4 !== 0,
    });
  }),
};

/** Writes a watchlist with its histories and change log, and the couriers, to a user's folders. */
export async function seed(
  folders: { readonly data: string; readonly cache: string },
  watchlist: WatchlistKind,
): Promise<void> {
  const clock: Clock = {
    now: () => now,
    setTimer: (ms, callback) => clearTimeout.bind(null, setTimeout(callback, ms)),
  };
  mkdirSync(folders.cache, { recursive: true });
  const couriers = Array.from({ length: 40 }, (_, index) => ({
    code: `post-${index}`,
    nameEN: `Post of Country ${index}`,
  }));
  const known = [
    { code: 'ups', nameEN: 'UPS', nameCN: 'UPS', homePage: 'https://www.ups.com' },
    { code: 'dhl', nameEN: 'DHL', nameCN: '敦豪', homePage: 'https://www.dhl.com' },
    { code: 'china-post', nameEN: 'China Post', nameCN: '中国邮政', homePage: 'https://www.ems.com.cn' },
    { code: 'thailand-post', nameEN: 'Thailand Post', nameCN: '泰国邮政' },
    ...couriers,
  ];
  writeFileSync(join(folders.cache, 'couriers.json'), JSON.stringify({ version: 1, fetchedAt: now, couriers: known }));
  if (watchlist === 'empty') return;
  const odd = oddParcels();
  const board = aBoard().map((parcel) => ({ ...parcel, tags: parcel.id === 'lamp' ? ['gift', 'fragile'] : [] }));
  const isDue = ({ nextPollAt, registration }: Parcel): boolean =>
    registration === 'pending' || (nextPollAt !== null && Date.parse(nextPollAt) <= now);
  const parcels =
    watchlist === 'due' ? board : [...board.filter((parcel) => !isDue(parcel)), ...odd.map(({ parcel }) => parcel)];
  const archived = aParcel({
    id: 'archived',
    trackNo: 'RB0CN',
    label: 'Old chair',
    archivedAt: ago(day),
    nextPollAt: null,
  });
  let at = now - 12 * hour;
  const store = createFileStore({ directory: folders.data, clock: { ...clock, now: () => at }, random: () => 0.5 });
  const write = async (written: readonly Parcel[]): Promise<void> => {
    const known = await store.read();
    await store.write(
      written.map((parcel) => ({ id: parcel.id, parcel })),
      known,
      at,
    );
  };
  // Twelve hours ago, some of them had no events yet. The difference is the news.
  await write([...parcels.map((parcel, index) => (index % 3 === 0 ? beforeLastEvent(parcel) : parcel)), archived]);
  at = now;
  await write(parcels);
  for (const { id, lastEvent } of board) {
    if (lastEvent === null) continue;
    const checkpoints = [lastEvent, aCheckpoint({ at: ago(4 * day), detail: 'Handed over', address: null })];
    await store.updateHistory(id, () => ({ ...historyFormat.empty, checkpoints }));
  }
  for (const { history, parcel } of odd) await store.updateHistory(parcel.id, () => history);
  await store.updateHistory('headphones', () => longHistory);
}

/** A parcel as it was before its last event. */
const beforeLastEvent = (parcel: Parcel): Parcel => ({
  ...parcel,
  lastEvent: null,
  checkpointCount: 0,
  record: parcel.record === null ? null : { ...parcel.record, transitStatus: 'INFO_RECEIVED', transitSubStatus: null },
});
