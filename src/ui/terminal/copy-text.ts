import type { CopyToDesktop } from '../../process/clipboard.ts';

/** Which clipboard has a text now; `none` for a text that no clipboard takes. */
export type CopiedTo = 'desktop' | 'terminal' | 'none';

/** Puts a text on the clipboard of whoever looks at the screen. */
export type CopyText = (text: string) => Promise<CopiedTo>;

/** What texts are copied with. */
export interface Clipboards {
  readonly copyToDesktop: CopyToDesktop;
  /** What has the terminal take a text; null for one that is too long. */
  readonly clipboardSequence: (text: string) => string | null;
}

/**
 * Makes what copies: to the desktop's clipboard where there is one, else to the terminal's.
 * @param write writes to the terminal, between two frames
 */
export const createCopyText =
  ({ copyToDesktop, clipboardSequence }: Clipboards, write: (sequence: string) => void): CopyText =>
  async (text) => {
    if (await copyToDesktop(text)) return 'desktop';
    const sequence = clipboardSequence(text);
    if (sequence === null) return 'none';
    write(sequence);
    return 'terminal';
  };
