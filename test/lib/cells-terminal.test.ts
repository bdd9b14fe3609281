import headless from '@xterm/headless';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { cellWidth } from '../../src/lib/cells.ts';
import { cleanText } from '../../src/lib/clean-text.ts';
import { drawable } from '../../src/lib/paint.ts';

const terminal = new headless.Terminal({ cols: 200, rows: 2, allowProposedApi: true });
afterAll(() => terminal.dispose());

/** Returns the cursor's column after this text in a real terminal emulator. */
function columnAfter(text: string): Promise<number> {
  return new Promise((resolve) => {
    terminal.write(`\r${text}`, () => resolve(terminal.buffer.active.cursorX));
  });
}

/** Scripts that carriers use. Emoji are left out, because the emulator's default table is older than most of them. */
const scripts = [
  'Leipzig Köln Đặng ſ ß',
  '深圳市宝安区，',
  'カタカナ ﾊﾟ ひらがな',
  '한국어 \u1112\u1161\u11ab',
  'กำลังนำส่ง น้ำ สำเร็จ',
  'ລາວ ນ້ຳ',
  'العربية مُحَمَّد',
  'עִבְרִית',
  'नमस्ते क्षत्रिय हिन्दी',
  'বাংলা',
  'ગુજરાતી',
  'தமிழ்',
  'తెలుగు',
  'ಕನ್ನಡ',
  'മലയാളം',
  'සිංහල',
  'ខ្មែរ',
  'Ελληνικά Кириллица',
  '🇩🇪 🇩 🇩🇪🇫🇷',
  '1️⃣ #️⃣ ⚠️ ✈️',
];

describe('cellWidth', () => {
  it.each(scripts)('agrees with a terminal about %s', async (text) => {
    const shown = drawable(cleanText(text));
    expect(cellWidth(shown)).toBe(await columnAfter(shown));
  });

  it('agrees with a terminal about any excerpt from these scripts', async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...scripts), fc.nat(30), fc.nat(30), async (text, from, length) => {
        const graphemes = Array.from(new Intl.Segmenter().segment(cleanText(text)), ({ segment }) => segment);
        const shown = drawable(graphemes.slice(from, from + length).join(''));
        expect(cellWidth(shown)).toBe(await columnAfter(shown));
      }),
    );
  });

  it('measures one cell for every glyph on the board', async () => {
    for (const glyph of '!▲◆▸○?◇✓×·▫□↻✗◔▌●━─…•±~') {
      expect(cellWidth(glyph)).toBe(1);
      expect(await columnAfter(glyph)).toBe(1);
    }
  });
});
