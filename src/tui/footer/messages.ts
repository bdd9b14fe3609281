import { useEffect } from 'react';
import type { Clock } from '../../lib/clock.ts';
import { messageOf } from '../../lib/error-text.ts';
import { StoreError } from '../../lib/store-errors.ts';
import type { Board } from '../board.ts';
import type { Message } from '../ui-state.ts';

export function showMessage(
  { change }: Pick<Board, 'change'>,
  text: string,
  { tone = 'plain', ...more }: Partial<Omit<Message, 'text'>> = {},
): void {
  change({ message: { text, tone, ...more } });
}

/** Shows a plain message, unless it would replace one that needs attention. */
export const showUnlessUrgent = ({ change }: Pick<Board, 'change'>, text: string): void =>
  change(({ message }) => (message?.tone === 'attention' ? {} : { message: { text, tone: 'plain' } }));

export function inBackground(board: Pick<Board, 'change'>, work: () => Promise<void>): void {
  work().catch((error: unknown) =>
    showMessage(board, messageOf(error), {
      tone: 'attention',
      isCutOff: error instanceof StoreError && error.kind === 'cut-off',
    }),
  );
}

/** Shows that some work has started, does it, and shows the result. */
export function runWithStatus(board: Pick<Board, 'change'>, beginning: string, work: () => Promise<string>): void {
  showMessage(board, beginning);
  inBackground(board, async () => showMessage(board, await work()));
}

/** How long a plain message is shown, in milliseconds. */
const shownMs = 8000;

/** Removes a plain message after a while. Messages that need attention stay until the next key. */
export function useMessageExpiry(clock: Clock, message: Message | null, change: Pick<Board, 'change'>['change']): void {
  useEffect(() => {
    if (message === null || message.tone === 'attention') return;
    return clock.setTimer(message.shownMs ?? shownMs, () =>
      change((state) => (state.message === message ? { message: null } : {})),
    );
  }, [clock, message, change]);
}

/** Shows a message about a changed setting, unless a message that needs attention is shown. */
export function useSettingMessages(
  news: { readonly sentence: string } | null | undefined,
  change: Pick<Board, 'change'>['change'],
): void {
  useEffect(() => {
    if (news != null) showUnlessUrgent({ change }, news.sentence);
  }, [news, change]);
}
