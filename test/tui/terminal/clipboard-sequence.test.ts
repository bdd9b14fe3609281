import { describe, expect, test } from 'vitest';
import { clipboardSequence } from '../../../src/tui/terminal/clipboard.ts';

const base64 = (text: string): string => Buffer.from(text, 'utf8').toString('base64');
const plain = `\u001b]52;c;${base64('RB1CN')}\u0007`;

describe("the terminal's clipboard", () => {
  test('accepts text in Base64, even over SSH', () => {
    expect(clipboardSequence('RB1CN', { TERM: 'xterm-256color' })).toBe(plain);
    expect(clipboardSequence('RB1CN', { SSH_TTY: '/dev/pts/1', TERM: 'xterm-kitty' })).toBe(plain);
  });

  test.each([{ TMUX: '/tmp/tmux-1/default,1,0', TERM: 'screen-256color' }, { TERM: 'tmux-256color' }])(
    'works in tmux, and through it: %j',
    (environment) => {
      expect(clipboardSequence('RB1CN', environment)).toBe(`${plain}\u001bPtmux;\u001b${plain}\u001b\\`);
    },
  );

  test('works through screen, in pieces that it passes on', () => {
    const sequence = clipboardSequence('x'.repeat(2_000), { STY: '1.pts', TERM: 'screen' }) ?? '';
    const pieces = sequence.split('\u001b\\').filter((piece) => piece !== '');
    expect(pieces.length).toBeGreaterThan(3);
    for (const piece of pieces) {
      expect(piece.startsWith('\u001bP')).toBe(true);
      expect(piece.length).toBeLessThan(768);
    }
    expect(pieces.map((piece) => piece.slice(2)).join('')).toBe(`\u001b]52;c;${base64('x'.repeat(2_000))}\u0007`);
  });

  test('never passes on an escape sequence from the text', () => {
    const hostile = '\u0007\u001b]0;title\u001b\\\u009b31m';
    const sequence = clipboardSequence(hostile, {}) ?? '';
    expect(sequence.slice('\u001b]52;c;'.length, -1)).toMatch(/^[\w+/=]+$/);
  });

  test('refuses text that is too long for terminals', () => {
    expect(clipboardSequence('é'.repeat(37_497), {})).not.toBeNull();
    expect(clipboardSequence('é'.repeat(37_498), {})).toBeNull();
  });
});
