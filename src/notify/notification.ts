import type { Change } from '../parcels/change.ts';
import { firstResultMs } from '../parcels/note-changes.ts';
import type { Parcel } from '../parcels/parcel.ts';
import { stageCounts } from '../parcels/stages.ts';
import type { Stage } from '../service/status.ts';

/** The stage that a change brought its parcel to; null for a change that brings none. */
function stageOfChange({ change, to }: Pick<Change, 'change' | 'to'>): Stage | null {
  if (change === 'rejected') return 'attention';
  return change === 'status' ? (to?.stage ?? null) : null;
}

/**
 * Those of the changes that are notified: a new status in one of the stages, or a rejection where "attention" is one. What
 * the user did is none, nor the first result of a parcel that was added just now, nor what concerns one that is gone.
 */
export function notableChanges(
  changes: readonly Change[],
  stages: ReadonlySet<Stage>,
  parcels: readonly Parcel[],
): readonly Change[] {
  const candidates = changes.filter((change) => {
    const stage = stageOfChange(change);
    return stage !== null && stages.has(stage);
  });
  if (candidates.length === 0) return [];
  const byId = new Map(parcels.map((parcel) => [parcel.id, parcel]));
  return candidates.filter((change) => {
    const parcel = byId.get(change.parcelId);
    return parcel !== undefined && parcel.archivedAt === null && !isFirstResult(change, parcel);
  });
}

function isFirstResult({ from, noticedAt }: Change, { addedAt }: Parcel): boolean {
  return (from?.status ?? null) === null && Date.parse(noticedAt) - Date.parse(addedAt) <= firstResultMs;
}

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

/** `1 needs attention, 2 delivered`: parcels by where the newest of the changes has brought them. */
function digestOf(changes: readonly Change[]): string {
  const newest = new Map(changes.map((change) => [change.parcelId, stageOfChange(change)]));
  const stages = [...newest.values()].filter((stage) => stage !== null);
  return stageCounts(stages)
    .map(({ words }) => words)
    .join(', ');
}

const nameOf = ({ label, trackNo }: Change): string => cut(label ?? trackNo, longestName);
const listedChange = (change: Change): string => `${nameOf(change)}: ${cut(change.message, longestMessage)}`;

/** Cuts between characters, not in the middle of one. */
function cut(text: string, length: number): string {
  const characters = Array.from(text);
  return characters.length <= length ? text : `${characters.slice(0, length - 1).join('')}…`;
}

export const channelNames = ['bell', 'terminal', 'desktop', 'command'] as const;

export type ChannelName = (typeof channelNames)[number];

export interface Channel {
  readonly name: ChannelName;
  /** The program or the sequence with which it is done; empty for none. */
  readonly means: string;
  /** Why nothing can be sent on it here, and what to do, as a sentence; null when it can. */
  readonly unusable: string | null;
  /**
   * Sends the one message of a round, or each of its changes where that is what the channel takes. Resolves with how it
   * failed, as a sentence with what to do; null when it did not. Never rejects.
   */
  send(notification: Notification, changes: readonly Change[]): Promise<string | null>;
}

export function unusableChannel(name: ChannelName, unusable: string): Channel {
  return { name, means: '', unusable, send: async () => unusable };
}

export interface NotificationSwitch {
  /** Whether nothing is sent because the user said so. */
  isSilent(): boolean;
  /** Calls the listener when that has changed, here or on another board; answers how to stop. */
  subscribe(listener: () => void): () => void;
  /** Silences or un-silences, over restarts. Rejects with a `StoreError`. */
  setSilent(isSilent: boolean): Promise<void>;
}
