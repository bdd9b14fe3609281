import { useEffect } from 'react';
import type { Board, BoardServices } from '../app/board.ts';
import { sayInPassing } from './messages.ts';

/** Says in passing what has been taken over while the board is open; what needs the user stays in its place. */
export function useTakenOver(news: BoardServices['news'], change: Board['change']): void {
  useEffect(() => {
    if (news != null) sayInPassing({ change }, news.sentence);
  }, [news, change]);
}
