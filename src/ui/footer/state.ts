/** A message in the footer, until the next key; a plain one leaves by itself. */
export interface Message {
  readonly tone: 'plain' | 'attention';
  readonly text: string;
  /** What the user can do now, behind the text: it stays whole where there is no room for both. */
  readonly advice?: string;
  /** How long it stays, in milliseconds, where that is longer than usual. */
  readonly shownMs?: number;
  /** True for what is so only while the database cannot be reached. */
  readonly isCutOff?: boolean;
}

/** The footer's part of the state. */
export interface FooterState {
  readonly message: Message | null;
}

/** Nothing to say. */
export const freshFooter: FooterState = { message: null };
