import type { EpochMs } from '../../lib/clock.ts';
import { formatOffset, parseDay, parseWallTime } from '../../lib/date-time.ts';
import type { Zone } from '../../lib/zone.ts';
import type { Checkpoint } from '../../service/record.ts';
import { instantOf } from '../status/stage.ts';
import { dateText, timeText } from './zone-time.ts';

/** The clock of a timeline: the local clock of each event, the viewer's clock, or UTC. */
export const timeModes = ['event', 'local', 'utc'] as const;
export type TimeMode = (typeof timeModes)[number];

export interface CheckpointTime {
  /** `YYYY-MM-DD` on the chosen clock. Null if unknown. */
  readonly date: string | null;
  /** `HH:mm` on the chosen clock. Null if unknown. */
  readonly clock: string | null;
  /** `+01:00`, `UTC`, `~` if the zone is unknown, or `±` if it is contradictory. Empty if there is no time. */
  readonly zoneMark: string;
  /** Explains a mark. Null if the time is certain. */
  readonly remark: string | null;
  /** The time if it is certain, or null. */
  readonly sureAt: EpochMs | null;
}

/**
 * Returns the time of a checkpoint on the clock that `mode` selects. If the zone is unknown, returns the local time with a
 * mark in every mode. If local time and UTC contradict each other, UTC wins in the modes `local` and `utc`.
 */
export function checkpointTime(checkpoint: Checkpoint, mode: TimeMode, viewerZone: Zone): CheckpointTime {
  const time = uncertainTime(checkpoint, mode, viewerZone);
  return checkpoint.future === true ? { ...time, remark: '(in the future, ignored)', sureAt: null } : time;
}

function uncertainTime(checkpoint: Checkpoint, mode: TimeMode, viewerZone: Zone): CheckpointTime {
  const at = instantOf(checkpoint.at);
  if (at === null) return zonelessTime(checkpoint);
  const shown = shownTime(checkpoint, at, mode, viewerZone);
  return checkpoint.certain
    ? { ...shown, remark: null, sureAt: at }
    : { ...shown, zoneMark: '±', remark: '(zone uncertain)', sureAt: null };
}

/** `times: local to event`, `times: Europe/Berlin`, `times: UTC`. */
export function timeModeTitle(mode: TimeMode, viewerZone: Zone): string {
  switch (mode) {
    case 'event':
      return 'times: local to event';
    case 'local':
      return viewerZone.name === 'UTC' ? 'times: yours, UTC' : `times: ${viewerZone.name}`;
    case 'utc':
      return 'times: UTC';
  }
}

type ShownTime = Pick<CheckpointTime, 'clock' | 'date' | 'zoneMark'>;

function shownTime(checkpoint: Checkpoint, at: EpochMs, mode: TimeMode, viewerZone: Zone): ShownTime {
  if (mode === 'local') {
    const offset = viewerZone.offsetAt(at);
    return { ...wallParts(at + offset), zoneMark: formatOffset(Math.trunc(offset / 60_000)) };
  }
  const wall = mode === 'event' ? parseWallTime(checkpoint.local) : null;
  // In the mode `event`, a checkpoint without a local time is shown in UTC.
  return wall === null
    ? { ...wallParts(at), zoneMark: 'UTC' }
    : { ...wallParts(wall), zoneMark: checkpoint.offset ?? '±' };
}

function zonelessTime({ local }: Checkpoint): CheckpointTime {
  const wall = parseWallTime(local);
  const base = { zoneMark: '~', sureAt: null };
  if (wall !== null) return { ...base, ...wallParts(wall), remark: '(zone unknown)' };
  if (local === null) return { ...base, zoneMark: '', date: null, clock: null, remark: '(time unknown)' };
  const day = parseDay(local);
  const date = day === null ? null : dateText(day);
  const remark =
    local.length === 'YYYY-MM-DD'.length && date !== null ? '(time unknown)' : `(time as received: ${local})`;
  return { ...base, date, clock: null, remark };
}

const wallParts = (wall: EpochMs) => ({ date: dateText(wall), clock: timeText(wall) });
