import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { listColumns } from '../../../src/board/list/list-columns.ts';
import { columnNeeds, listRow } from '../../../src/board/list/list-row.ts';
import { groupHeading, listRows } from '../../../src/board/list/list-rows.ts';
import { nextBoardChange, nextRowChange, nextTourEnd } from '../../../src/board/time/next-change.ts';
import { timelineLines } from '../../../src/board/timeline.ts';
import { timelineHead } from '../../../src/board/timeline-head.ts';
import { lineText } from '../../../src/lib/cells.ts';
import { Zone } from '../../../src/lib/zone.ts';
import { forAllIn } from '../../support/for-all.ts';
import { rounds } from '../../support/rounds.ts';
import { arrange } from '../list/arranged.ts';
import {
  aBoard,
  aCheckpoint,
  ago,
  aParcel,
  aRecord,
  berlin,
  day,
  hour,
  minute,
  now,
  waitingPolling as polling,
} from '../parcels.ts';
import { headerText } from '../texts.ts';

const parcels = [
  ...aBoard(),
  aParcel({
    id: 'window',
    record: aRecord({
      expectedDelivery: { kind: 'window', from: ago(-5 * hour), to: ago(-9.4 * hour), offset: '+05:45' },
    }),
  }),
  aParcel({ id: 'day', record: aRecord({ expectedDelivery: { kind: 'day', date: '2026-11-24' } }) }),
  aParcel({
    id: 'tour',
    record: aRecord({ transitStatus: 'WAITING_DELIVERY', transitSubStatus: 'WAITING_DELIVERY_01' }),
    lastEvent: aCheckpoint({ at: ago(20 * minute), offset: '-03:30', subStatus: 'WAITING_DELIVERY_01' }),
  }),
  aParcel({
    id: 'reminded',
    record: aRecord({
      transitStatus: 'WAITING_DELIVERY',
      transitSubStatus: 'WAITING_DELIVERY_02',
      arrival: aCheckpoint({ at: ago(50.3 * hour), subStatus: 'WAITING_DELIVERY_02' }),
    }),
    lastEvent: aCheckpoint({ at: ago(hour), subStatus: 'WAITING_DELIVERY_02' }),
  }),
];
const opened = parcels[0] ?? null;

/** Everything on the screen at an instant. */
function screen(at: number, zone: Zone): string {
  const common = { now: at, zone, width: 160 } as const;
  const arrangement = arrange({ parcels, filter: '', now: at, zone: zone });
  const columns = listColumns(common.width, columnNeeds(arrangement.order, common));
  const list = listRows(arrangement).rows.map((row) =>
    row.kind === 'heading'
      ? groupHeading({ ...row, width: common.width })
      : listRow(row.parcel, { ...common, columns, checking: false, selected: false }),
  );
  const head = opened === null ? [] : timelineHead({ ...common, parcel: opened, checking: false });
  const timeline = timelineLines({ ...common, checkpoints: [aCheckpoint()], mode: 'local', viewerZone: zone });
  const header = headerText({ ...common, parcels, polling, badge: null });
  return [header, ...[...list, ...head, ...timeline].map(lineText)].join('\n');
}

const none = { rows: null, counted: null, opened: null, polling: { lastResponseAt: null, nextPollAt: null } };

describe('nextBoardChange', () => {
  it('is not too late: until then the screen does not change', () =>
    forAllIn(
      rounds(100),
      fc.oneof(fc.integer({ min: 0, max: 2 * hour }), fc.integer({ min: 0, max: 60 * day })),
      fc.double({ min: 0, max: 1, noNaN: true }),
      fc.constantFrom(berlin, new Zone('America/St_Johns'), new Zone('Asia/Kathmandu')),
      (later, part, zone) => {
        const at = now + later;
        const rows = nextRowChange(parcels, at);
        const counted = nextTourEnd(parcels, at);
        const next = nextBoardChange({ rows, counted, opened, polling, now: at, zone });
        expect(next).toBeGreaterThan(at);
        expect(screen(at + Math.floor((next - 1 - at) * part), zone)).toBe(screen(at, zone));
      },
    ));

  it('is not too late for the header', () => {
    const counted = parcels.filter(({ id }) => id === 'tour');
    const at = Date.parse('2026-11-22T02:00:00Z');
    const next = nextBoardChange({ ...none, counted: nextTourEnd(counted, at), now: at, zone: berlin });
    expect(next).toBe(Date.parse('2026-11-22T03:30:00Z'));
  });
});
