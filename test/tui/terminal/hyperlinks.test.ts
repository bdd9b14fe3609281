import { describe, expect, it } from 'vitest';
import { paint } from '../../../src/lib/paint.ts';
import { supportsHyperlinks } from '../../../src/tui/terminal/clipboard.ts';

describe('links in a terminal', () => {
  it.each([
    [{ TERM: 'xterm-kitty' }, true],
    [{ TERM: 'xterm-256color', TERM_PROGRAM: 'iTerm.app' }, true],
    [{ TERM: 'xterm-256color', VTE_VERSION: '7600' }, true],
    [{ TERM: 'xterm-256color', VTE_VERSION: '4205' }, false],
    [{ TERM: 'xterm-256color', WT_SESSION: 'a1' }, true],
    [{ TERM: 'xterm-256color', KONSOLE_VERSION: '230804' }, true],
    [{ TERM: 'xterm-256color' }, false],
    [{ TERM: 'linux' }, false],
    [{}, false],
    [{ TERM: 'dumb', VTE_VERSION: '7600' }, false],
    [{ TERM: 'tmux-256color', TERM_PROGRAM: 'tmux', TERM_PROGRAM_VERSION: '3.4', TMUX: '/tmp/x' }, true],
    [{ TERM: 'tmux-256color', TERM_PROGRAM: 'tmux', TERM_PROGRAM_VERSION: '3.3a', KITTY_WINDOW_ID: '1' }, false],
    [{ TERM: 'screen-256color', STY: '1.pts', KITTY_WINDOW_ID: '1' }, false],
    [{ TERM: 'xterm-256color', FORCE_HYPERLINK: '1' }, true],
    [{ TERM: 'xterm-kitty', FORCE_HYPERLINK: '0' }, false],
  ])('are drawn if the terminal supports them: %j', (environment, known) => {
    expect(supportsHyperlinks(environment)).toBe(known);
  });

  it('are omitted otherwise', () => {
    const line = [{ text: 'LX1', link: 'https://c.example/' }];
    expect(paint(line, { colour: true, hyperlinks: true, glyphs: 'symbols' })).toBe(
      '\u001b]8;;https://c.example/\u001b\\LX1\u001b]8;;\u001b\\',
    );
    expect(paint(line, { colour: true, hyperlinks: false, glyphs: 'symbols' })).toBe('LX1');
  });
});
