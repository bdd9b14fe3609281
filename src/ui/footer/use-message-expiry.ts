import { useEffect } from 'react';
import type { Clock } from '../../service/clock/clock.ts';
import type { Board } from '../app/board.ts';
import type { Message } from './state.ts';

/** How long a message stays that needs nothing of the user, in milliseconds: it answers a key, so somebody looks. */
const shownMs = 8000;

/** Takes a plain message off the screen after a while. One that needs the user stays until the next key. */
export function useMessageExpiry(clock: Clock, message: Message | null, change: Board['change']): void {
  useEffect(() => {
    if (message === null || message.tone === 'attention') return;
    return clock.setTimer(message.shownMs ?? shownMs, () =>
      change((ui) => (ui.message === message ? { message: null } : {})),
    );
  }, [clock, message, change]);
}
