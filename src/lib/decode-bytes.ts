/** Decodes UTF-8 or UTF-16, with or without a byte order mark, or Windows-1252. Returns null for other encodings. */
export function decodeBytes(bytes: Uint8Array): { readonly text: string; readonly isGuess: boolean } | null {
  const encoding = encodingFromMark(bytes) ?? guessUtf16(bytes);
  if (encoding === 'utf-32') return null;
  const text = decodeStrictly(bytes, encoding ?? 'utf-8');
  if (text !== null) return { text, isGuess: false };
  const western = encoding === null ? decodeWestern(bytes) : null;
  return western === null ? null : { text: western, isGuess: true };
}

type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be';

const byteOrderMarks: readonly (readonly [encoding: Encoding | 'utf-32', mark: readonly number[]])[] = [
  ['utf-32', [0xff, 0xfe, 0, 0]],
  ['utf-32', [0, 0, 0xfe, 0xff]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
  ['utf-8', [0xef, 0xbb, 0xbf]],
];

function encodingFromMark(bytes: Uint8Array): Encoding | 'utf-32' | null {
  const [encoding = null] = byteOrderMarks.find(([, mark]) => mark.every((byte, index) => bytes[index] === byte)) ?? [];
  return encoding;
}

/** Tracking numbers are ASCII, so a list in UTF-16 contains many zero bytes. */
function guessUtf16(bytes: Uint8Array): Encoding | null {
  const zeros: [even: number, odd: number] = [0, 0];
  for (let index = bytes.indexOf(0); index !== -1; index = bytes.indexOf(0, index + 1))
    zeros[index % 2 === 0 ? 0 : 1] += 1;
  const [even, odd] = zeros;
  const [fewer, more] = even < odd ? [even, odd] : [odd, even];
  if (more * 8 < bytes.length || fewer * 8 > more) return null;
  return odd === more ? 'utf-16le' : 'utf-16be';
}

function decodeStrictly(bytes: Uint8Array, encoding: Encoding): string | null {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch (error) {
    if (error instanceof TypeError) return null;
    throw error;
  }
}

/**
 * Windows-1252 from 0x80 to 0x9f, which some versions of Node decode as control characters. Undefined code points are
 * spaces.
 */
const westernCharacters = '€ ‚ƒ„…†‡ˆ‰Š‹Œ Ž  ‘’“”•–—˜™š›œ žŸ';

/** Patterns that result when text in a different alphabet or damaged UTF-8 is read as Windows-1252. */
const suspicious = /[\u0080-\u00ff]{3,}|[\u00c2-\u00f4][\u0080-\u00bf]/g;

function decodeWestern(bytes: Uint8Array): string | null {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
  if (/[\u0000\u0081\u008d\u008f\u0090\u009d]/.test(text)) return null;
  const nonAsciiCount = text.match(/[\u0080-\u00ff]/g)?.length ?? 0;
  const suspiciousLength = text.match(suspicious)?.reduce((sum, { length }) => sum + length, 0) ?? 0;
  if (suspiciousLength * 2 > nonAsciiCount) return null;
  return text.replace(/[\u0080-\u009f]/g, (character) => westernCharacters[character.charCodeAt(0) - 0x80] ?? ' ');
}
