import { useEffect } from 'react';
import type { Clock } from '../../service/clock/clock.ts';
import { type CanShow, sayInPassing } from './messages.ts';
import type { Message } from './state.ts';

/** How long a message stays that needs nothing of the user, in milliseconds: it answers a key, so somebody looks. */
const shownMs = 8000;

/** Takes a plain message off the screen after a while. One that needs the user stays until the next key. */
export function useMessageExpiry(clock: Clock, message: Message | null, change: CanShow['change']): void {
  useEffect(() => {
    if (message === null || message.tone === 'attention') return;
    return clock.setTimer(message.shownMs ?? shownMs, () =>
      change((state) => (state.message === message ? { message: null } : {})),
    );
  }, [clock, message, change]);
}

/** Says in passing what has been taken over while the board is open; what needs the user stays in its place. */
export function useTakenOver(news: { readonly sentence: string } | null | undefined, change: CanShow['change']): void {
  useEffect(() => {
    if (news != null) sayInPassing({ change }, news.sentence);
  }, [news, change]);
}
