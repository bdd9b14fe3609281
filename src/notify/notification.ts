import type { EpochMs } from '../lib/clock.ts';
import type { Change } from '../parcels/change.ts';
import { firstResultMs } from '../parcels/note-changes.ts';
import type { Parcel } from '../parcels/parcel.ts';
import { isSnoozed } from '../parcels/parcel-stage.ts';
import { stageCounts } from '../parcels/stages.ts';
import type { Stage } from '../service/status.ts';

/** Returns the stage that a change leads to, or null. */
function stageOfChange({ change, to }: Pick<Change, 'change' | 'to'>): Stage | null {
  if (change === 'rejected') return 'attention';
  return change === 'status' ? (to?.stage ?? null) : null;
}

/**
 * Selects the changes that cause a notification: a new status in one of the stages or of a parcel with one of the tags,
 * or a rejection if "attention" is one. Leaves out the user's own changes, first results of added numbers, and removed,
 * archived and snoozed parcels.
 * @param viewWantsNotice returns what a view decides about a parcel, before stages and tags, or null
 */
export function notableChanges(
  changes: readonly Change[],
  stages: ReadonlySet<Stage>,
  parcels: readonly Parcel[],
  {
    now,
    tags = [],
    viewWantsNotice = null,
  }: {
    readonly now: EpochMs;
    readonly tags?: readonly string[];
    readonly viewWantsNotice?: ((parcel: Parcel) => boolean | null) | null;
  },
): readonly Change[] {
  const candidates = changes.filter((change) => {
    const stage = stageOfChange(change);
    return stage !== null && (stages.has(stage) || tags.length > 0 || viewWantsNotice !== null);
  });
  if (candidates.length === 0) return [];
  const byId = new Map(parcels.map((parcel) => [parcel.id, parcel]));
  return candidates.filter((change) => {
    const parcel = byId.get(change.parcelId);
    if (parcel === undefined || parcel.archivedAt !== null || isSnoozed(parcel, now)) return false;
    if (isFirstResult(change, parcel)) return false;
    const stage = stageOfChange(change);
    const isWantedByView = viewWantsNotice?.(parcel) ?? null;
    if (isWantedByView !== null) return isWantedByView;
    return (stage !== null && stages.has(stage)) || parcel.tags.some((tag) => tags.includes(tag));
  });
}

function isFirstResult({ from, noticedAt }: Change, { addedAt }: Parcel): boolean {
  return (from?.status ?? null) === null && Date.parse(noticedAt) - Date.parse(addedAt) <= firstResultMs;
}

export interface Notification {
  readonly title: string;
  /** At least one line. */
  readonly lines: readonly string[];
}

/** Formats a change with the user's template. */
export type Wording = (change: Change) => string;

/** Further changes are counted instead of listed. */
const maxListed = 3;
/** Maximum characters of a name and of a message, limited by popups. */
const maxNameLength = 60;
const maxMessageLength = 200;

/**
 * Returns one message for the changes of a round (at least one): up to three are listed, the rest is counted. Changes
 * of quiet hours are counted in one message.
 */
export function notificationOf(
  changes: readonly Change[],
  { inQuietHours, wording = null }: { readonly inQuietHours: boolean; readonly wording?: Wording | null },
): Notification {
  const worded = (change: Change): string => cut(wording?.(change) ?? change.message, maxMessageLength);
  const [first] = changes;
  if (changes.length === 1 && first !== undefined && !inQuietHours) {
    return { title: nameOf(first), lines: [worded(first)] };
  }
  const count = `${changes.length} ${changes.length === 1 ? 'change' : 'changes'}`;
  const listed =
    changes.length <= maxListed
      ? changes.map((change) => (wording === null ? listedChange(change) : worded(change)))
      : [];
  return {
    title: inQuietHours ? `${count} in quiet hours` : count,
    lines: listed.length > 0 ? listed : [digestOf(changes)],
  };
}

/** Counts parcels by the stage after their newest change: `1 needs attention, 2 delivered`. */
function digestOf(changes: readonly Change[]): string {
  const newest = new Map(changes.map((change) => [change.parcelId, stageOfChange(change)]));
  const stages = [...newest.values()].filter((stage) => stage !== null);
  return stageCounts(stages)
    .map(({ words }) => words)
    .join(', ');
}

const nameOf = ({ label, trackNo }: Change): string => cut(label ?? trackNo, maxNameLength);
const listedChange = (change: Change): string => `${nameOf(change)}: ${cut(change.message, maxMessageLength)}`;

/** Shortens a text without splitting a character. */
function cut(text: string, length: number): string {
  const characters = Array.from(text);
  return characters.length <= length ? text : `${characters.slice(0, length - 1).join('')}…`;
}

export const localChannelNames = ['bell', 'terminal', 'desktop', 'command'] as const;
export const webChannelNames = ['slack', 'discord', 'telegram', 'ntfy', 'pushover', 'gotify', 'webhook'] as const;
export const channelNames = [...localChannelNames, ...webChannelNames] as const;

export type WebChannelName = (typeof webChannelNames)[number];

export type ChannelName = (typeof channelNames)[number];

export interface Channel {
  readonly name: ChannelName;
  /** Program or escape sequence, or empty. */
  readonly means: string;
  /** Why the channel cannot be used and what to do, or null. */
  readonly unusable: string | null;
  /** Resolves with what is wrong with its settings, or null. Sends nothing. Absent if there is nothing to check. */
  readonly check?: () => Promise<string | null>;
  /**
   * Sends the message of a round, or each of its changes, depending on the channel. Resolves with a sentence about
   * the failure, or null. Never rejects.
   */
  send(notification: Notification, changes: readonly Change[]): Promise<string | null>;
}

export function unusableChannel(name: ChannelName, unusable: string): Channel {
  return { name, means: '', unusable, send: async () => unusable };
}

export interface NotificationSwitch {
  /** Whether the user has muted notifications. */
  isSilent(): boolean;
  /** Calls the listener when that changes, on this board or another one. Returns a function to stop. */
  subscribe(listener: () => void): () => void;
  /** Mutes or unmutes permanently. Rejects with a `StoreError`. */
  setSilent(isSilent: boolean): Promise<void>;
}
