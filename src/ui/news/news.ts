import type { NewsList } from '../../board/news/news-list.ts';
import type { NewsWindow } from '../../board/news/news-window.ts';

/** The news as they are shown, as far as they are read. */
export interface News extends NewsList {
  readonly isLoading: boolean;
  /** Why they cannot be read, as a sentence; null when they can. */
  readonly problem: string | null;
  /** Number of the selected line; null when there is none. */
  readonly selectedSeq: number | null;
  readonly window: NewsWindow;
}
