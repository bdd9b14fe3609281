import type { BoardBadge } from '../../board/header/header.ts';
import type { NotificationSwitch } from '../../process/notifications/notification-switch.ts';
import { type CanShow, inBackground, showMessage } from '../footer/messages.ts';
import type { Binding } from '../keys/binding.ts';

/** The board, as far as the key needs it. */
interface NotifyingBoard extends CanShow {
  readonly badge: BoardBadge | null;
  /** Null where no channel is set. */
  readonly notificationSwitch: NotificationSwitch | null;
}

/** Silences or un-silences; what changes meanwhile is marked on the board, and not notified later. */
function toggleSilence(board: NotifyingBoard): void {
  const { notificationSwitch } = board;
  if (notificationSwitch === null) return;
  inBackground(board, async () => {
    const isSilent = !notificationSwitch.isSilent();
    await notificationSwitch.setSilent(isSilent);
    if (isSilent) showMessage(board, 'Silenced, on all your boards.', { advice: 'N notifies again.' });
    else showMessage(board, 'Changes are notified again, on all your boards.');
  });
}

function whyNothingIsNotified({ badge, notificationSwitch }: NotifyingBoard): string | null {
  if (notificationSwitch !== null) return null;
  return badge === 'DEMO'
    ? 'The demo notifies nothing.'
    : 'Nothing is notified: no channel is set. notify.channels in config.json takes bell, terminal, desktop and command.';
}

/** Silences and un-silences notifications. */
export const silenceKey: Binding<NotifyingBoard> = {
  keys: ['N'],
  description: 'Silence notifications on all your boards, or un-silence them',
  alsoFoundBy: ['mute'],
  disabled: whyNothingIsNotified,
  run: toggleSilence,
};
