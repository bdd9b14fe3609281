import { UsageError } from '../session/errors.ts';

/** What was entered in a file, as text. */
interface EnteredText {
  readonly text: string;
  /** What a person should know about how it was read; null when there can be no doubt. */
  readonly doubt: string | null;
}

/**
 * Reads the bytes of a file that somebody has made somewhere: UTF-8 or UTF-16, with a byte order mark or without, else
 * Windows-1252, which is reported, since that is a guess. Throws a {@link UsageError} for what is none of them:
 * a text that is read wrongly would be kept for good.
 * @param name of the file, for messages
 */
export function decodeEntered(bytes: Uint8Array, name: string): EnteredText {
  const encoding = markedEncoding(bytes) ?? guessedUtf16(bytes);
  if (encoding === 'utf-32') throw unreadable(name);
  if (encoding !== null) {
    const text = decodeStrictly(bytes, encoding);
    if (text === null) throw unreadable(name);
    return { text, doubt: null };
  }
  const text = decodeStrictly(bytes, 'utf-8');
  if (text !== null) return { text, doubt: null };
  const western = decodeWestern(bytes);
  if (western === null) throw unreadable(name);
  return {
    text: western,
    doubt: `${name} is not in UTF-8 and was read as Windows-1252; where letters look wrong, save it as UTF-8 and try again.`,
  };
}

const unreadable = (name: string): UsageError =>
  new UsageError(`${name} is no text in UTF-8, UTF-16 or Windows-1252; save it as UTF-8 and try again.`);

type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be';

const marks: readonly (readonly [encoding: Encoding | 'utf-32', mark: readonly number[]])[] = [
  ['utf-32', [0xff, 0xfe, 0, 0]],
  ['utf-32', [0, 0, 0xfe, 0xff]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
  ['utf-8', [0xef, 0xbb, 0xbf]],
];

function markedEncoding(bytes: Uint8Array): Encoding | 'utf-32' | null {
  const [encoding = null] = marks.find(([, mark]) => mark.every((byte, index) => bytes[index] === byte)) ?? [];
  return encoding;
}

/** Numbers are ASCII, so every second byte of much in such a list is zero in UTF-16; null when that is not so. */
function guessedUtf16(bytes: Uint8Array): Encoding | null {
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

/** Windows-1252 from 0x80 to 0x9f; a space for what it does not have. Some versions of Node read these as controls. */
const westernSigns = '€ ‚ƒ„…†‡ˆ‰Š‹Œ Ž  ‘’“”•–—˜™š›œ žŸ';

/** What letters of other alphabets, and UTF-8 that is damaged, look like in Windows-1252. */
const unlikely = /[\u0080-\u00ff]{3,}|[\u00c2-\u00f4][\u0080-\u00bf]/g;

/** The text of Windows-1252; null when it can be none, or when most beyond ASCII looks like none. */
function decodeWestern(bytes: Uint8Array): string | null {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
  if (/[\u0000\u0081\u008d\u008f\u0090\u009d]/.test(text)) return null;
  const beyondAscii = text.match(/[\u0080-\u00ff]/g)?.length ?? 0;
  const doubtful = text.match(unlikely)?.reduce((sum, { length }) => sum + length, 0) ?? 0;
  if (doubtful * 2 > beyondAscii) return null;
  return text.replace(/[\u0080-\u009f]/g, (sign) => westernSigns[sign.charCodeAt(0) - 0x80] ?? ' ');
}
