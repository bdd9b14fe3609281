import { describe, expect, test } from 'vitest';
import { type Look, paint, type Theme, type Tone, themes } from '../../src/lib/paint.ts';

const painted = (tone: Tone, theme?: Theme, reverse = false): string =>
  paint([{ text: 'x', tone, reverse }], { colour: true, glyphs: 'symbols', hyperlinks: false, theme });

describe('a theme', () => {
  test.each(themes)('uses only the sixteen standard colours and ends every style: %s', (theme) => {
    const tones: readonly Tone[] = ['plain', 'attention', 'today', 'moving', 'done', 'quiet', 'accent'];
    for (const tone of tones) {
      const codes = [...painted(tone, theme).matchAll(/\u001b\[([\d;]*)m/g)].map(([, code = '']) => code.split(';'));
      const [opening = [], closing = []] = codes;
      for (const code of opening) expect(code).toMatch(/^(?:1|2|4|3[0-7]|9[0-7])$/);
      expect(closing).toHaveLength(opening.length);
      expect(painted(tone, theme, true)).toContain('\u001b[7m');
    }
  });

  test('writes no styles if it is "none"', () => expect(painted('attention', 'none')).toBe('x'));

  test('with high contrast, dims nothing and underlines what needs attention', () => {
    expect(painted('quiet', 'high-contrast')).toBe('x');
    expect(painted('attention', 'high-contrast')).toBe('\u001b[1;4mx\u001b[24;22m');
  });

  test('uses neither red nor green for the colour-blind', () => {
    for (const tone of ['attention', 'today', 'moving', 'done', 'accent'] as const)
      expect(painted(tone, 'colour-blind')).not.toMatch(/\u001b\[(?:\d;)?[39][12]m/);
  });
});

describe('an accent', () => {
  const accented = (look: Partial<Look>): string =>
    paint([{ text: 'x', tone: 'accent' }], { colour: true, glyphs: 'symbols', hyperlinks: false, ...look });

  test("replaces the theme's accent with the same brightness", () => {
    expect(accented({ accent: 'cyan' })).toBe('\u001b[36mx\u001b[39m');
    expect(accented({ accent: 'cyan', theme: 'dark' })).toBe('\u001b[96mx\u001b[39m');
    expect(accented({ accent: null })).toBe('\u001b[35mx\u001b[39m');
    expect(accented({ accent: 'cyan', theme: 'none' })).toBe('x');
    expect(accented({ accent: 'cyan', colour: false })).toBe('x');
  });
});

test('uses 24-bit colours only if the terminal has them', () => {
  const look = { colour: true, glyphs: 'symbols', hyperlinks: false, theme: 'colour-blind' } as const;
  const line = [{ text: 'x', tone: 'attention' }] as const;
  expect(paint(line, { ...look, trueColour: true })).toBe('\u001b[1;38;2;213;94;0mx\u001b[22;39m');
  expect(paint(line, look)).toBe('\u001b[1;33mx\u001b[22;39m');
  expect(paint(line, { ...look, theme: 'none', trueColour: true })).toBe('x');
});
