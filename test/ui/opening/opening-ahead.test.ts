import { describe, expect, test } from 'vitest';
import { type DigestedList, digestedList } from '../../../src/board/digest/digested-list.ts';
import { makeDigest } from '../../../src/board/digest/make-digest.ts';
import { stageCounts } from '../../../src/board/header/header-counts.ts';
import { inGlyphs } from '../../../src/board/text/stand-in.ts';
import type { BoardServices } from '../../../src/ui/board.ts';
import { openedState } from '../../../src/ui/opening/opened-board.ts';
import { prepareOpening } from '../../../src/ui/opening/opening.ts';
import { openAhead } from '../../../src/ui/opening/opening-ahead.ts';
import type { Parcel } from '../../../src/watchlist/model/parcel.ts';
import { firstView, type KeptView } from '../../../src/watchlist/state/view-memory.ts';
import { aBoard, ago, aParcel, aRecord, berlin, day, hour, inStatus, minute, now } from '../../board/parcels.ts';
import { createFakeMonitor } from '../../support/fake-monitor.ts';
import { idleServices } from './idle-services.ts';

const statuses = [
  ['IN_TRANSIT', 'IN_TRANSIT_02'],
  ['WAITING_DELIVERY', 'WAITING_DELIVERY_01'],
  ['WAITING_DELIVERY', 'WAITING_DELIVERY_02'],
  ['DELIVERED', 'DELIVERED_01'],
  ['ABNORMAL', 'ABNORMAL_02'],
  ['INFO_RECEIVED', null],
] as const;

/** Of all stages, some unread, and enough that were delivered to know what is usual. */
const many: readonly Parcel[] = Array.from({ length: 700 }, (_, index) => {
  const [status, subStatus] = statuses[index % statuses.length] ?? statuses[0];
  const parcel = inStatus(`parcel-${index}`, status, subStatus, (index % 300) * hour);
  return {
    ...parcel,
    label: index % 4 === 0 ? null : `Order ${index}`,
    record: aRecord({ ...parcel.record, longestStillDays: index % 3 }),
    ...(index % 9 === 0 ? { unread: { since: ago(minute), lastRead: null } } : {}),
    ...(index % 31 === 0 ? { archivedAt: ago(day) } : {}),
  };
});

function servicesOf(parcels: readonly Parcel[], view: Partial<KeptView>, look: Partial<BoardServices>): BoardServices {
  const history = {
    version: 1 as const,
    received: null,
    checkpoints: parcels.flatMap(({ lastEvent }) => lastEvent ?? []),
  };
  const histories = Object.fromEntries(
    parcels.map(({ id }) => [id, { ...history, checkpoints: history.checkpoints.slice(0, 30) }]),
  );
  return idleServices({ monitor: createFakeMonitor(parcels, histories), view: { ...firstView, ...view }, ...look });
}

const digestOf = (parcels: readonly Parcel[]) =>
  makeDigest({
    parcels,
    places: parcels.map((_, index) => index),
    now: now - 20 * hour,
    zone: berlin,
    checks: { register: [], query: [], plausibleFrom: 0 },
    pause: async () => undefined,
  });
/** A digest of a long list takes longer than to draw from it. */
const digests = new WeakMap<readonly Parcel[], ReturnType<typeof digestOf>>();

/** What is drawn of a list of which only the digest of some hours ago is known, and what is drawn of the list itself. */
async function bothOf(
  parcels: readonly Parcel[],
  size: readonly [number, number],
  view: Partial<KeptView> = {},
  look: Partial<BoardServices> = {},
  isReadLater = false,
) {
  const services = servicesOf(parcels, view, look);
  const made = digests.get(parcels) ?? digestOf(parcels);
  digests.set(parcels, made);
  const digest = digestedList(await made, now, berlin, (place) => parcels[place] ?? null);
  if (digest === null) throw new Error('The digest says nothing.');
  const [columns, rows] = size;
  const found = new Set<string>();
  const shown: DigestedList = isReadLater
    ? {
        ...digest,
        whole: (outline) => (found.has(outline.id) ? digest.whole(outline) : null),
        read: async (outlines) => {
          expect(outlines.length).toBeLessThanOrEqual(2 * rows);
          for (const { id } of outlines) found.add(id);
        },
      }
    : digest;
  const { notices, polling } = services.monitor.getState();
  const { monitor } = servicesOf([], {}, {});
  const unread = { ...monitor, history: services.monitor.history };
  const opened = await openAhead(
    { ...services, monitor: unread, digest: shown, now, notices, polling },
    { columns, rows },
  );
  const opening = await prepareOpening(services);
  const whole = opening?.rows({ columns, rows }) ?? null;
  return { ahead: opened?.rows ?? null, whole: whole?.map((row) => inGlyphs(row, services.glyphs)) ?? null };
}

const views: Readonly<Record<string, Partial<KeptView>>> = {
  'as it opens at first': {},
  'with a parcel far down selected': { selectedId: 'parcel-402' },
  'with one selected that is gone': { selectedId: 'gone' },
  'with one selected in a collapsed group': { selectedId: 'parcel-303' },
  'with all groups open': { collapsed: [], selectedId: 'parcel-303' },
  'with most groups collapsed': { collapsed: ['attention', 'out-for-delivery', 'in-transit', 'delivered'] },
  'with the list alone': { zoomedPane: 'list' },
  'with the timeline alone': { zoomedPane: 'timeline', timeMode: 'utc' },
};

test('what the first frame has counted is not counted again behind it', async () => {
  const opening = await prepareOpening(servicesOf(many, {}, {}));
  expect(opening?.rows({ columns: 120, rows: 40 })?.[0]).toContain('need you');
  const input = { parcels: opening?.list.state.parcels ?? [], now, zone: berlin };
  const counts = opening?.kept.counts.count(input);
  expect(counts).toEqual(stageCounts({ ...input, parcels: many }));
  expect(opening?.kept.counts.count({ ...input, parcels: many })).toBe(counts);
});

describe('a list that was looked at while it was read', () => {
  const everything = { ...firstView, collapsed: [] };
  /** How it opens where a parcel was selected in a row of the window. */
  const openedAt = async (parcels: readonly Parcel[], selectedId: string, rowsAbove: number) => {
    const services = servicesOf(parcels, everything, {});
    const ui = { ...openedState(services), selectedId, selectedIndex: 400 };
    const opening = await prepareOpening({ ...services, seenAhead: { ui, rowsAbove } });
    if (opening === null) throw new Error('There is no frame.');
    const { list } = opening;
    return {
      selectedId: list.selection.parcelId,
      above: list.selection.row - list.offset,
      index: list.selection.index,
    };
  };

  test('opens with the same parcel in the same row, wherever that stands now', async () => {
    for (const parcels of [many, many.slice(100), many.toReversed()]) {
      expect(await openedAt(parcels, 'parcel-402', 7)).toMatchObject({ selectedId: 'parcel-402', above: 7 });
    }
  });

  test('opens with the row that took its place where the parcel is gone', async () => {
    const { index, selectedId } = await openedAt(
      many.filter(({ id }) => id !== 'parcel-402'),
      'parcel-402',
      7,
    );
    expect(selectedId).not.toBeNull();
    expect(index).toBe(400);
  });
});

describe('openAhead', () => {
  test.each(Object.entries(views))('draws of a digest what is drawn of the whole list, %s', async (_, view) => {
    for (const size of [
      [40, 12],
      [80, 24],
      [160, 50],
    ] as const) {
      const { ahead, whole } = await bothOf(many, size, view);
      expect(whole).not.toBeNull();
      expect({ size, rows: ahead }).toEqual({ size, rows: whole });
    }
  });

  test('says that the list is being read where that takes long, and draws the rows in sight', async () => {
    for (const view of Object.values(views)) {
      for (const size of [
        [40, 12],
        [120, 40],
      ] as const) {
        const { ahead, whole } = await bothOf(many, size, view, {}, true);
        expect(ahead?.[0]).toContain('READING');
        expect(ahead?.slice(1)).toEqual(whole?.slice(1));
      }
    }
  });

  test('draws it in every look', async () => {
    const parcels = [...aBoard(), ...many];
    for (const look of [{ colour: false }, { glyphs: 'ascii' as const }, { hyperlinks: true }]) {
      const { ahead, whole } = await bothOf(parcels, [120, 40], {}, look);
      expect(ahead).toEqual(whole);
    }
  });

  test.each<[string, Partial<KeptView>]>([
    ['a filter', { filter: 'dhl' }],
    ['the archive', { listed: 'archive' }],
    ['another order', { order: 'label' }],
    ['the order reversed', { order: 'urgency', isReversed: true }],
  ])('leaves %s to the whole list', async (_, view) => {
    expect((await bothOf(many, [120, 40], view)).ahead).toBeNull();
  });

  test('leaves a parcel to the whole list whose events are kept under another name', async () => {
    const [, first, ...rest] = many;
    if (first === undefined) throw new Error('There is none.');
    const moved = aParcel({ ...first, historyId: 'another' });
    expect((await bothOf([moved, ...rest], [120, 40], { selectedId: first.id })).ahead).toBeNull();
  });

  test('draws nothing in a window that is too small', async () => {
    expect((await bothOf(many, [20, 5])).ahead).toBeNull();
  });
});
