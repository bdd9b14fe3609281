import { useCallback, useEffect, useMemo, useSyncExternalStore } from 'react';
import type { StageCounts } from '../board/status/status-now.ts';
import type { GlyphSet } from '../lib/paint.ts';
import type { NotificationSwitch } from '../notify/notification.ts';
import { terminalTitle } from '../notify/terminal-title.ts';
import type { Terminal } from '../system/terminal.ts';
import type { Board } from './board.ts';
import { inBackground, showMessage } from './footer/messages.ts';
import type { Binding } from './keys/binding.ts';

/** Mutes or unmutes notifications. Changes while muted are marked, but not notified later. */
function toggleSilence(board: Board): void {
  const { notificationSwitch } = board;
  if (notificationSwitch === null) return;
  inBackground(board, async () => {
    const isSilent = !notificationSwitch.isSilent();
    await notificationSwitch.setSilent(isSilent);
    if (isSilent) showMessage(board, 'Notifications muted on all your boards.', { advice: 'Press N to unmute.' });
    else showMessage(board, 'Notifications unmuted on all your boards.');
  });
}

function whyNotificationsAreOff({ badge, notificationSwitch }: Board): string | null {
  if (notificationSwitch !== null) return null;
  return badge === 'DEMO'
    ? 'Notifications are off in the demo.'
    : 'No notification channel is set. Set notify.channels, for example to "desktop".';
}

export const silenceKey: Binding = {
  id: 'mute',
  keys: ['N'],
  description: 'Mute or unmute notifications',
  synonyms: ['mute'],
  disabled: whyNotificationsAreOff,
  run: toggleSilence,
};

const ignore = (): void => undefined;

export function useSilence(notificationSwitch: NotificationSwitch | null): boolean {
  const subscribe = useCallback(
    (listener: () => void) => notificationSwitch?.subscribe(listener) ?? ignore,
    [notificationSwitch],
  );
  const isSilent = (): boolean => notificationSwitch?.isSilent() ?? false;
  return useSyncExternalStore(subscribe, isSilent, isSilent);
}

/** Keeps the window title up to date, writing only changes. */
export function useTerminalTitle(
  counted: StageCounts,
  glyphs: GlyphSet,
  terminal: Pick<Terminal, 'showTitle'>,
  isWanted: boolean,
): void {
  const text = useMemo(() => terminalTitle(counted, glyphs), [counted, glyphs]);
  useEffect(() => terminal.showTitle(isWanted ? text : null), [terminal, text, isWanted]);
}
