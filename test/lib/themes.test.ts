import { describe, expect, test } from 'vitest';
import { paint, type Theme, type Tone, themes } from '../../src/lib/paint.ts';

const painted = (tone: Tone, theme?: Theme, reverse = false): string =>
  paint([{ text: 'x', tone, reverse }], { colour: true, glyphs: 'symbols', hyperlinks: false, theme });

describe('a theme', () => {
  test.each(themes)('%s uses only the sixteen colours, and ends what it begins', (theme) => {
    const tones: readonly Tone[] = ['plain', 'attention', 'today', 'moving', 'done', 'quiet', 'accent'];
    for (const tone of tones) {
      const codes = [...painted(tone, theme).matchAll(/\u001b\[([\d;]*)m/g)].map(([, code = '']) => code.split(';'));
      const [begun = [], ended = []] = codes;
      for (const code of begun) expect(code).toMatch(/^(?:1|2|4|3[0-7]|9[0-7])$/);
      expect(ended).toHaveLength(begun.length);
      expect(painted(tone, theme, true)).toContain('\u001b[7m');
    }
  });

  test('without colours has none', () => {
    expect(painted('attention', 'none')).toBe('x');
  });

  test('of high contrast dims nothing and marks what needs attention', () => {
    expect(painted('quiet', 'high-contrast')).toBe('x');
    expect(painted('attention', 'high-contrast')).toBe('\u001b[1;4mx\u001b[24;22m');
  });

  test('for the colour-blind has neither red nor green', () => {
    for (const tone of ['attention', 'today', 'moving', 'done', 'accent'] as const)
      expect(painted(tone, 'colour-blind')).not.toMatch(/\u001b\[(?:\d;)?[39][12]m/);
  });
});
