import fc from 'fast-check';
import { type HeaderInput, headerRow } from '../../src/board/header.ts';
import { stageCounts } from '../../src/board/status/status-now.ts';
import { fitLine, lineText } from '../../src/lib/cells.ts';
import { cleanText } from '../../src/lib/clean-text.ts';
import type { Parcel } from '../../src/parcels/parcel.ts';
import { anyCharacter } from '../support/any-character.ts';

/** Letters, marks and symbols of the scripts that couriers use, and text that width tables get wrong. */
const samples = [
  'Leipzig',
  'Köln é ñ ß',
  '航班已起飞',
  '深圳市',
  'ｶﾞﾊﾟ カタカナ',
  '한국어',
  '\u1112\u1161\u11ab',
  'กำลัง น้ำ สำเร็จ',
  'ລາວ ນ້ຳ',
  'العربية',
  'مُحَمَّد',
  'עברית',
  'नमस्ते क्षत्रिय',
  'বাংলা',
  'தமிழ்',
  'മലയാളം',
  'မြန်မာ',
  'ខ្មែរ',
  '📦',
  '👨‍👩‍👧',
  '👍🏽',
  '🇩🇪🇫🇷',
  '🇩',
  '1️⃣',
  '⚠️',
  '✈',
  '①',
  '…',
  ' ',
  ' ',
  'a',
];

/** Random Unicode text as the decoder returns it, after {@link cleanText}. */
export const anyText: fc.Arbitrary<string> = fc
  .oneof(
    fc.array(fc.constantFrom(...samples), { maxLength: 8 }).map((parts) => parts.join('')),
    fc.string({ unit: 'grapheme', maxLength: 30 }),
    fc.string({ unit: anyCharacter, maxLength: 30 }),
    fc.string({ maxLength: 60 }),
  )
  .map(cleanText);

/** The width of a column or line, in cells. */
export const anyWidth: fc.Arbitrary<number> = fc.integer({ min: 0, max: 60 });

/** The text of the header as the screen shows it. */
export function headerText({
  parcels,
  ...input
}: Omit<HeaderInput, 'counted'> & { readonly parcels: readonly Parcel[] }): string {
  return lineText(fitLine(headerRow({ ...input, counted: stageCounts({ parcels, ...input }) }), input.width));
}
