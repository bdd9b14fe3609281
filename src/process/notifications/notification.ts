import type { Stage } from '../../service/record/status.ts';
import type { Change } from '../../watchlist/changes/change.ts';
import { stageOfChange } from './notable-changes.ts';

/** What is notified: plain texts, in which what came from outside is still as it came. */
export interface Notification {
  readonly title: string;
  /** At least one. */
  readonly lines: readonly string[];
}

/** More changes than this are counted instead of listed. */
const mostListed = 3;
/** Letters of a name and of what happened; a popup shows no more. */
const longestName = 60;
const longestMessage = 200;

/** Words for so many parcels in a stage, the most urgent first. */
const stageWords: readonly (readonly [stage: Stage, words: (count: number) => string])[] = [
  ['attention', (count) => `${count} ${count === 1 ? 'needs' : 'need'} you`],
  ['pickup', (count) => `${count} to pick up`],
  ['out-for-delivery', (count) => `${count} out for delivery`],
  ['delivered', (count) => `${count} delivered`],
  ['in-transit', (count) => `${count} on the way`],
  ['announced', (count) => `${count} announced`],
  ['no-record', (count) => `${count} without record`],
  ['unknown', (count) => `${count} with an unknown status`],
  ['expired', (count) => `${count} expired`],
];

/**
 * One message for the changes of a round, of which there is at least one: up to three are listed, more are counted, as are
 * those of quiet hours, of which there is one message for the whole night.
 */
export function notificationOf(
  changes: readonly Change[],
  { inQuietHours }: { readonly inQuietHours: boolean },
): Notification {
  const [first] = changes;
  if (changes.length === 1 && first !== undefined && !inQuietHours) {
    return { title: nameOf(first), lines: [cut(first.message, longestMessage)] };
  }
  const count = `${changes.length} ${changes.length === 1 ? 'change' : 'changes'}`;
  const listed = changes.length <= mostListed ? changes.map(listedChange) : [];
  return {
    title: inQuietHours ? `${count} in quiet hours` : count,
    lines: listed.length > 0 ? listed : [digestOf(changes)],
  };
}

/** `2 delivered, 1 needs you`: parcels by where the newest of the changes has brought them. */
function digestOf(changes: readonly Change[]): string {
  const newest = new Map(changes.map((change) => [change.parcelId, stageOfChange(change)]));
  const stages = [...newest.values()];
  return stageWords
    .map(([stage, words]) => {
      const count = stages.filter((one) => one === stage).length;
      return count === 0 ? '' : words(count);
    })
    .filter((words) => words !== '')
    .join(', ');
}

const nameOf = ({ label, trackNo }: Change): string => cut(label ?? trackNo, longestName);
const listedChange = (change: Change): string => `${nameOf(change)}: ${cut(change.message, longestMessage)}`;

/** Cuts between characters, not in the middle of one. */
function cut(text: string, length: number): string {
  const characters = Array.from(text);
  return characters.length <= length ? text : `${characters.slice(0, length - 1).join('')}…`;
}
