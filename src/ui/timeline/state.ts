import { type TimeMode, timeModes } from '../../board/time/checkpoint-time.ts';

/** The timeline's part of the state. */
export interface TimelineState {
  /** Lines above the window. */
  readonly timelineOffset: number;
  readonly timeMode: TimeMode;
}

/** The time mode after this one. */
export const nextTimeMode = (timeMode: TimeMode): TimeMode =>
  timeModes[(timeModes.indexOf(timeMode) + 1) % timeModes.length] ?? 'event';
