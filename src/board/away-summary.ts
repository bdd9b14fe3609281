import { cellWidth } from '../lib/cells.ts';
import { minuteMs } from '../lib/clock.ts';
import type { Change } from '../parcels/change.ts';
import { firstResultMs } from '../parcels/note-changes.ts';
import { type ShownState, stageCounts } from '../parcels/stages.ts';
import { spanText } from './time.ts';

/** A stage, or "moved" after an event that did not change the stage. */
type LastState = ShownState | 'moved';

/** For example `2 delivered`. */
type AwayCounts = ReturnType<typeof stageCounts>;

/**
 * Counts each parcel once, by its stage after the last of these changes. Leaves out the user's own changes, first
 * results of added numbers, and removed parcels.
 * @param changes oldest first
 */
export function awayCounts(changes: readonly Change[]): AwayCounts {
  const addedAt = new Map<string, number>();
  const byParcel = new Map<string, LastState>();
  for (const change of changes) {
    const { parcelId } = change;
    if (change.change === 'added') addedAt.set(parcelId, Date.parse(change.noticedAt));
    if (change.change === 'removed') byParcel.delete(parcelId);
    const state = stateAfter(change, addedAt.get(parcelId), byParcel.get(parcelId));
    if (state !== null) byParcel.set(parcelId, state);
  }
  const states = [...byParcel.values()];
  const stages = states.filter((state) => state !== 'moved');
  const moved = states.length - stages.length;
  return [...stageCounts(stages), ...(moved === 0 ? [] : [{ count: moved, words: `${moved} moved` }])];
}

/**
 * Returns the stage after a change, "moved" if an event did not change the stage, or null if the change is not news.
 */
function stateAfter(change: Change, addedAt: number | undefined, previous: LastState | undefined): LastState | null {
  const isFresh = addedAt !== undefined && Date.parse(change.noticedAt) - addedAt <= firstResultMs;
  switch (change.change) {
    case 'rejected':
      return isFresh ? null : 'rejected';
    case 'event':
      return previous ?? 'moved';
    case 'status': {
      const stage = change.to?.stage ?? 'unknown';
      const isFirst = (change.from?.status ?? null) === null;
      if (isFirst && (isFresh || stage === 'no-record')) return null;
      return stage;
    }
    default:
      return null;
  }
}

/**
 * Returns what happened while the user was away, shortened to fit `room` cells, or null if nothing happened.
 * @param awayMs in milliseconds; left out if less than a minute
 */
export function awayText(counts: AwayCounts, awayMs: number, room: number): string | null {
  const total = sum(counts);
  if (total === 0) return null;
  const away = awayMs >= minuteMs ? spanText(awayMs) : '';
  const full = `While you were away${away === '' ? '' : ` (${away})`}: `;
  const short = `Away${away === '' ? '' : ` ${away}`}: `;
  const phrases = counts.map(({ words }) => words);
  const shortened = phrases
    .slice(1)
    .map((_, index) => phrases.length - 1 - index)
    .map((count) => [...phrases.slice(0, count), `${sum(counts.slice(count))} more`].join(', '));
  const allPhrases = phrases.join(', ');
  const candidates = [
    `${full}${allPhrases}.`,
    `${short}${allPhrases}.`,
    ...shortened.map((words) => `${short}${words}.`),
  ];
  return candidates.find((words) => cellWidth(words) <= room) ?? `${total} changed.`;
}

const sum = (counts: AwayCounts): number => counts.reduce((total, { count }) => total + count, 0);
