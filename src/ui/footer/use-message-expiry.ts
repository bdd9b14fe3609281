import { type Dispatch, useEffect } from 'react';
import type { Clock } from '../../service/clock/clock.ts';
import type { Message, UiEvent } from '../state.ts';

/** How long a message stays that asks for nothing, in milliseconds: it answers a key, so somebody looks. */
const shownMs = 8000;

/** Takes a plain message off the screen after a while. One that asks for something stays until the next key. */
export function useMessageExpiry(clock: Clock, message: Message | null, dispatch: Dispatch<UiEvent>): void {
  useEffect(() => {
    if (message === null || message.tone === 'attention') return;
    return clock.setTimer(shownMs, () => dispatch({ kind: 'message-expired', message }));
  }, [clock, message, dispatch]);
}
