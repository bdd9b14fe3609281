import type { Zone } from '../../lib/zone.ts';
import type { EventKind } from '../event-kinds.ts';
import type { Place } from '../places.ts';

/**
 * A point in a parcel's life: milliseconds of journey-time. Zero is a midnight in UTC before the first event, so that
 * a position gives the time of day.
 */
export type Position = number;

/** What the record says: core status and sub-status; some core statuses have no sub-status. */
export interface RecordStatus {
  readonly core: string;
  readonly sub: string | null;
}

/** One event of a journey. */
export interface JourneyEvent {
  readonly position: Position;
  readonly kind: EventKind;
  /** Null while the courier does not name the place. */
  readonly place: Place | null;
  /** Whose clock the event's local time is written on; also set when the place is not named. */
  readonly zone: Zone;
  readonly subStatus: string;
  /** What the record says from this event on. */
  readonly recordStatus: RecordStatus;
}
