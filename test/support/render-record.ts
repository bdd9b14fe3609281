import { readFileSync } from 'node:fs';
import { listColumns } from '../../src/board/list/list-columns.ts';
import { columnNeeds, listRow } from '../../src/board/list/list-row.ts';
import { nextStep } from '../../src/board/next-step.ts';
import { showJson } from '../../src/board/parcel-json.ts';
import type { TimeMode } from '../../src/board/time.ts';
import { timelineLines } from '../../src/board/timeline.ts';
import { timelineHead, titleLines } from '../../src/board/timeline-head.ts';
import { lineText } from '../../src/lib/cells.ts';
import { Zone } from '../../src/lib/date-time.ts';
import { type JsonObject, type JsonValue, parseJson } from '../../src/lib/json.ts';
import type { Line } from '../../src/lib/paint.ts';
import { mergeRecord } from '../../src/parcels/merge-record.ts';
import type { Parcel, ParcelHistory } from '../../src/parcels/parcel.ts';
import { decodeRecord } from '../../src/service/decode-record.ts';
import { assumedServiceClock } from '../../src/service/service-clock.ts';
import { historyFormat } from '../../src/store/file/formats.ts';
import { parcelOf } from '../parcels/parcels.ts';

/** Saturday, 13:42 in Berlin: the time at which the fixtures' records are rendered. */
export const renderedAt = Date.parse('2026-11-21T12:42:00Z');
const berlin = new Zone('Europe/Berlin');

/** A payload of `test/fixtures`, without the file extension. */
export const fixture = (name: string): JsonValue =>
  parseJson(readFileSync(new URL(`../fixtures/${name}.json`, import.meta.url), 'utf8'));

/** A record as users and scripts see it. */
export interface RenderedRecord {
  readonly parcel: Parcel;
  readonly history: ParcelHistory;
  /** Its row in a wide list. */
  readonly row: string;
  /** The phrases above the timeline. */
  readonly head: readonly string[];
  readonly timeline: readonly string[];
  readonly json: ReturnType<typeof showJson>;
}

const textOf = (line: Line): string => lineText(line).trimEnd();

/** When, where and how a record is viewed. */
interface RenderOptions {
  readonly now?: number;
  readonly zone?: Zone;
  readonly mode?: TimeMode;
}

/** Renders a record, given as the service sends it, for a parcel without earlier data. */
export function renderRecord(
  received: JsonValue,
  known: Partial<Parcel> = {},
  { now = renderedAt, zone = berlin, mode = 'event' }: RenderOptions = {},
): RenderedRecord {
  const record = decodeRecord(received, now);
  if (record === null) throw new Error('This is not a record.');
  const before = parcelOf(record.trackNo, { registration: 'registered', ...known });
  const { parcel, history } = mergeRecord(before, historyFormat.empty, record, now);
  const view = { now, zone };
  const columns = listColumns(200, columnNeeds([parcel], view));
  const width = 100;
  const timeline = timelineLines({
    ...view,
    checkpoints: history.checkpoints,
    mode,
    viewerZone: zone,
    width,
    step: nextStep(parcel, view),
    lastMile: parcel.record?.lastMile,
  });
  return {
    parcel,
    history,
    row: textOf(listRow(parcel, { ...view, columns, checking: false })),
    head: [...titleLines(parcel, width), ...timelineHead({ ...view, mode, parcel, width, checking: false })].flatMap(
      (line) => textOf(line).split(/ {2,}/),
    ),
    timeline: timeline.map(textOf),
    json: showJson(parcel, history, { serviceClock: assumedServiceClock, now, isPaused: false }),
  };
}

/** Returns a record with one event, with defaults for all fields that a test does not set. */
export const serviceRecord = (fields: JsonObject, event: JsonObject = {}): JsonObject => ({
  trackNo: 'LX123456789CN',
  trackingStatus: '001',
  transitStatus: 'IN_TRANSIT',
  transitSubStatus: 'IN_TRANSIT_01',
  nextUpdateTime: '2026-11-21 21:20:00',
  localLogisticsInfo: {
    courierCode: 'yanwen',
    courierNameEN: 'Yanwen',
    trackingDetails: [
      {
        address: 'Leipzig, DE',
        eventTime: '2026-11-20 21:14:00',
        eventTimeZeroUTC: '2026-11-20T20:14:00Z',
        timezone: '+01:00',
        eventDetail: 'Arrived at hub',
        transitSubStatus: 'IN_TRANSIT_02',
        ...event,
      },
    ],
  },
  ...fields,
});
