import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useSyncExternalStore } from 'react';
import { awayCounts, awayText } from '../board/away-summary.ts';
import type { StageCounts } from '../board/status/status-now.ts';
import { lineWidth } from '../lib/cells.ts';
import type { Clock, EpochMs } from '../lib/clock.ts';
import type { GlyphSet } from '../lib/paint.ts';
import { terminalTitle } from '../notify/channels.ts';
import type { NotificationSwitch } from '../notify/notification.ts';
import type { PollingState } from '../polling/state.ts';
import type { Seen } from '../store/saved-view.ts';
import type { Terminal } from '../system/terminal.ts';
import type { Board } from './board.ts';
import { inBackground, showMessage } from './footer.ts';
import type { Binding } from './keys/binding.ts';

/** Mutes or unmutes notifications. Changes while muted are marked, but not notified later. */
function toggleMute(board: Board): void {
  const { notificationSwitch } = board;
  if (notificationSwitch === null) return;
  inBackground(board, async () => {
    const isSilent = !notificationSwitch.isSilent();
    await notificationSwitch.setSilent(isSilent);
    if (isSilent) showMessage(board, 'Notifications muted on all your boards.', { advice: 'Press N to unmute.' });
    else showMessage(board, 'Notifications unmuted on all your boards.');
  });
}

function notificationsOffReason({ badge, notificationSwitch }: Board): string | null {
  if (notificationSwitch !== null) return null;
  return badge === 'DEMO'
    ? 'Notifications are off in the demo.'
    : 'No notification channel is set. Set notify.channels, for example to "desktop".';
}

export const muteKey: Binding = {
  id: 'mute',
  keys: ['N'],
  description: 'Mute or unmute notifications',
  synonyms: ['mute'],
  disabled: notificationsOffReason,
  run: toggleMute,
};

const noop = (): void => undefined;

export function useIsSilent(notificationSwitch: NotificationSwitch | null): boolean {
  const subscribe = useCallback(
    (listener: () => void) => notificationSwitch?.subscribe(listener) ?? noop,
    [notificationSwitch],
  );
  const isSilent = (): boolean => notificationSwitch?.isSilent() ?? false;
  return useSyncExternalStore(subscribe, isSilent, isSilent);
}

/** Keeps the window title up to date. Writes it only when it changes. */
export function useTerminalTitle(
  counted: StageCounts,
  glyphs: GlyphSet,
  terminal: Pick<Terminal, 'showTitle'>,
  isEnabled: boolean,
): void {
  const text = useMemo(() => terminalTitle(counted, glyphs), [counted, glyphs]);
  useEffect(() => terminal.showTitle(isEnabled ? text : null), [terminal, text, isEnabled]);
}

/** Shorter absences are not worth a summary, in milliseconds. */
const minAwayMs = 10 * 60_000;
/** How long the summary is shown, in milliseconds. */
const summaryDurationMs = 20_000;
/** A check that is due this soon counts as running, in milliseconds. */
const soonMs = 5_000;
const advice = 'Press n to see them.';

interface Absence {
  readonly seen: Seen;
  readonly minMs: number;
}

interface AwayInput extends Pick<Board, 'change' | 'clock' | 'columns' | 'keepView' | 'monitor' | 'polling' | 'view'> {
  readonly isFocused: boolean;
}

/**
 * Shows what happened while the user was away: at the start, once overdue parcels are checked, and when the terminal
 * gets the focus back. Remembers what the user has seen.
 */
export function useAway(input: AwayInput): void {
  const { clock, isFocused, keepView, monitor, polling, view } = input;
  const absence = useRef<Absence | null>(view.seen === null ? null : { seen: view.seen, minMs: 0 });
  const savedSeq = useRef(view.seen?.seq ?? 0);
  const latest = useRef(input);
  latest.current = input;
  const canShow = isFocused && isSettled(polling, clock);
  useEffect(() => {
    const seen = { seq: monitor.changeSeq(), at: clock.now() };
    if (!isFocused) {
      absence.current ??= { seen, minMs: minAwayMs };
      keepView({ seen: absence.current.seen });
    } else if (canShow) {
      const { current } = absence;
      absence.current = null;
      // Saved now, in case the board is killed later.
      if (seen.seq !== savedSeq.current) keepView({ seen });
      savedSeq.current = seen.seq;
      if (current !== null) announce(latest.current, current, seen.at);
    }
  }, [clock, monitor, keepView, isFocused, canShow]);
  // An ordinary effect would run too late when the board closes.
  useLayoutEffect(
    () => () => {
      const { clock, keepView, monitor } = latest.current;
      keepView({ seen: absence.current?.seen ?? { seq: monitor.changeSeq(), at: clock.now() } });
    },
    [],
  );
}

function announce({ change, columns, monitor }: AwayInput, { minMs, seen }: Absence, now: EpochMs): void {
  if (now - seen.at < minMs || monitor.changeSeq() === seen.seq) return;
  // In a new log, all changes are new.
  const from = monitor.changeSeq() < seen.seq ? 0 : seen.seq;
  const room = columns - lineWidth([{ text: `   ${advice}` }]);
  inBackground({ change }, async () => {
    const summary = awayText(awayCounts(await monitor.changesAfter(from)), now - seen.at, room);
    if (summary !== null) showMessage({ change }, summary, { advice, durationMs: summaryDurationMs });
  });
}

/** Whether no check is running or about to start. */
function isSettled({ budget, isFollowing, nextPollAt, phase }: PollingState, clock: Pick<Clock, 'now'>): boolean {
  if (phase === 'checking') return false;
  return (
    phase !== 'waiting' || isFollowing || budget !== null || nextPollAt === null || nextPollAt > clock.now() + soonMs
  );
}
