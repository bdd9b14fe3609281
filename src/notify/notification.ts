import { trackingLink } from '../board/parcel-facts.ts';
import type { EpochMs } from '../lib/clock.ts';
import { nearestWord } from '../lib/text.ts';
import type { Change } from '../parcels/change.ts';
import { firstResultMs } from '../parcels/note-changes.ts';
import type { Parcel } from '../parcels/parcel.ts';
import { parcelStatusText } from '../parcels/parcel-state.ts';
import { isSnoozed } from '../parcels/snooze.ts';
import { stageCounts } from '../parcels/stages.ts';
import { nameOfCourier } from '../service/couriers.ts';
import type { Stage } from '../service/status.ts';

/** Returns the stage that a change puts the parcel in, or null if it does not affect the stage. */
function stageOfChange({ change, to }: Pick<Change, 'change' | 'to'>): Stage | null {
  if (change === 'rejected') return 'attention';
  return change === 'status' ? (to?.stage ?? null) : null;
}

/**
 * Selects the changes that are worth a notification: a new status in one of the stages or of a parcel with one of the
 * tags. A rejection counts as the stage "attention". Leaves out the user's own changes, first results of added numbers,
 * and removed, archived and snoozed parcels.
 * @param viewPreference returns a view's decision about a parcel, which overrides stages and tags, or null
 */
export function notableChanges(
  changes: readonly Change[],
  stages: ReadonlySet<Stage>,
  parcels: readonly Parcel[],
  {
    now,
    tags = [],
    viewPreference = null,
  }: {
    readonly now: EpochMs;
    readonly tags?: readonly string[];
    readonly viewPreference?: ((parcel: Parcel) => boolean | null) | null;
  },
): readonly Change[] {
  const candidates = changes.filter((change) => {
    const stage = stageOfChange(change);
    return stage !== null && (stages.has(stage) || tags.length > 0 || viewPreference !== null);
  });
  if (candidates.length === 0) return [];
  const byId = new Map(parcels.map((parcel) => [parcel.id, parcel]));
  return candidates.filter((change) => {
    const parcel = byId.get(change.parcelId);
    if (parcel === undefined || parcel.archivedAt !== null || isSnoozed(parcel, now)) return false;
    const isFirstResult = (change.from?.status ?? null) === null;
    if (isFirstResult && Date.parse(change.noticedAt) - Date.parse(parcel.addedAt) <= firstResultMs) return false;
    const stage = stageOfChange(change);
    const preference = viewPreference?.(parcel) ?? null;
    if (preference !== null) return preference;
    return (stage !== null && stages.has(stage)) || parcel.tags.some((tag) => tags.includes(tag));
  });
}

export interface Notification {
  readonly title: string;
  /** At least one line. */
  readonly lines: readonly string[];
}

/** Formats a change with the user's template. */
export type FormatChange = (change: Change) => string;

/** If there are more changes, they are counted instead of listed. */
const maxListed = 3;
/** Maximum characters of a name and of a message. Popups have little room. */
const maxNameLength = 60;
const maxMessageLength = 200;

/**
 * Returns one message for all changes of a round. Up to three changes are listed; more are counted by stage. The title
 * says if some of them happened during quiet hours.
 * @param changes at least one
 */
export function buildNotification(
  changes: readonly Change[],
  { inQuietHours, format = null }: { readonly inQuietHours: boolean; readonly format?: FormatChange | null },
): Notification {
  const formatText = (change: Change): string => truncate(format?.(change) ?? change.message, maxMessageLength);
  const [first] = changes;
  if (changes.length === 1 && first !== undefined && !inQuietHours) {
    return { title: displayName(first), lines: [formatText(first)] };
  }
  const count = `${changes.length} ${changes.length === 1 ? 'change' : 'changes'}`;
  const listed =
    changes.length <= maxListed
      ? changes.map((change) => (format === null ? changeLine(change) : formatText(change)))
      : [];
  return {
    title: inQuietHours ? `${count} in quiet hours` : count,
    lines: listed.length > 0 ? listed : [stageSummary(changes)],
  };
}

/** Counts parcels by their stage after the newest change: `1 needs attention, 2 delivered`. */
function stageSummary(changes: readonly Change[]): string {
  const newest = new Map(changes.map((change) => [change.parcelId, stageOfChange(change)]));
  const stages = [...newest.values()].filter((stage) => stage !== null);
  return stageCounts(stages)
    .map(({ words }) => words)
    .join(', ');
}

const displayName = ({ label, trackNo }: Change): string => truncate(label ?? trackNo, maxNameLength);
const changeLine = (change: Change): string => `${displayName(change)}: ${truncate(change.message, maxMessageLength)}`;

/** Shortens text without splitting a surrogate pair. */
function truncate(text: string, length: number): string {
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
  /** The program or escape sequence that is used. Empty if the channel is unusable. */
  readonly mechanism: string;
  /** Why the channel cannot be used and what to do, or null. */
  readonly unusable: string | null;
  /**
   * Resolves with the problem in the settings, or null. Does not send anything. Absent if there is nothing to check.
   */
  readonly check?: () => Promise<string | null>;
  /**
   * Sends the message for a round, or each of its changes, depending on the channel. Resolves with null, or with a
   * sentence that describes the failure. Never rejects.
   */
  send(notification: Notification, changes: readonly Change[]): Promise<string | null>;
}

export function unusableChannel(name: ChannelName, unusable: string): Channel {
  return { name, mechanism: '', unusable, send: async () => unusable };
}

export interface NotificationSwitch {
  /** Whether the user has muted notifications. */
  isSilent(): boolean;
  /** Calls the listener when this board or a different one mutes or unmutes. Returns a function that unsubscribes. */
  subscribe(listener: () => void): () => void;
  /** Mutes or unmutes all boards, even after a restart. Rejects with a `StoreError`. */
  setSilent(isSilent: boolean): Promise<void>;
}

type GetValue = (change: Change, parcel: Parcel | null) => string | null;

const values: Readonly<Record<string, GetValue>> = {
  label: ({ label, trackNo }) => label ?? trackNo,
  number: ({ trackNo }) => trackNo,
  status: ({ message }, parcel) => (parcel === null ? message : parcelStatusText(parcel)),
  place: (_change, parcel) => parcel?.lastEvent?.address ?? null,
  courier: ({ courierCode }) => (courierCode === null ? null : nameOfCourier(courierCode)),
  link: (_change, parcel) => (parcel === null ? null : trackingLink(parcel)),
};

const placeholder = /\{([^{}]*)\}/g;

/** Returns what is wrong with a template, as a predicate, or null. */
export function templateProblem(template: string): string | null {
  const unknown = [...template.matchAll(placeholder)]
    .map(([, name = '']) => name)
    .find((name) => !Object.hasOwn(values, name));
  if (unknown === undefined) return null;
  const names = Object.keys(values);
  const nearest = nearestWord(unknown, names);
  const advice =
    nearest === null ? `use ${names.map((name) => `{${name}}`).join(' ')}` : `the closest match is {${nearest}}`;
  return `has an unknown placeholder {${unknown.slice(0, 40)}}; ${advice}`;
}

/** Fills in a template. Unknown values are left out. */
export const fillTemplate = (template: string, change: Change, parcel: Parcel | null): string =>
  template
    .replace(placeholder, (_, name: string) => values[name]?.(change, parcel) ?? '')
    .replace(/ {2,}/g, ' ')
    .trim();
