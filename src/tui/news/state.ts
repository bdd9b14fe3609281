import { type OverlayState, showOverlay } from '../help/keys.ts';

export interface NewsState {
  /** The selected line of the change log, by its number; null for the first one shown. */
  readonly newsSelected: number | null;
  /** The newest line that the user had seen when the news were opened: what they saw stands below a rule. */
  readonly newsAfter: number;
  /** The newest line that the open news have shown; null when they were never open. */
  readonly newsSeq: number | null;
}

export const unopenedNews: NewsState = { newsSelected: null, newsAfter: 0, newsSeq: null };

/**
 * Opens the news at their beginning.
 * @param seenSeq the newest line of the change log when somebody looked at the board last, for the first time that they open
 */
export function showNews({ newsSeq }: NewsState, seenSeq: number): OverlayState & Omit<NewsState, 'newsSeq'> {
  return { ...showOverlay('news'), newsSelected: null, newsAfter: newsSeq ?? seenSeq };
}
