/** A message in the footer, until the next key; a plain one leaves by itself. */
export interface Message {
  readonly tone: 'plain' | 'attention';
  readonly text: string;
}

/** The footer's part of the state. */
export interface FooterState {
  readonly message: Message | null;
}
