import { decodeBytes } from '../../service/text/decode-bytes.ts';

/** The body of a mail that was cut out without the header that says how it is encoded. */
export interface EncodedBody {
  readonly encoding: 'quoted-printable' | 'base64';
  /** What it says, decoded. */
  readonly bytes: Uint8Array;
}

/** How much of a text decides how it is encoded, in characters. */
const looked = 200_000;
/** Shortest line that a mail program breaks, and shortest text in base64 that cannot be anything else, in characters. */
const shortestBroken = 50;
const shortestBase64 = 48;

/** The body that a text is, where its encoding is unmistakable; else null. */
export function readEncodedBody(text: string): EncodedBody | null {
  const start = text.slice(0, looked);
  if (isQuotedPrintable(start)) return { encoding: 'quoted-printable', bytes: fromQuotedPrintable(text) };
  const bytes = isInBase64(start) ? Buffer.from(text, 'base64') : null;
  // What digits and letters of any other kind stand for is no text.
  return bytes !== null && isWritten(bytes) ? { encoding: 'base64', bytes } : null;
}

/**
 * Every equals sign is a code or breaks a line, and one of them is that of an equals sign, of a letter in UTF-8, or breaks a
 * line that is as long as lines may be: addresses and programs have others.
 */
function isQuotedPrintable(text: string): boolean {
  if (/=(?![0-9A-F]{2}|[ \t]{0,20}(?:\r|\n|$))/.test(text.replace(/=.?$/, ''))) return false;
  return (
    /=3D|=C3=[89AB][0-9A-F]|=E2=80=[89A][0-9A-F]/.test(text) ||
    text.split(/\r\n|\r|\n/).some((line) => line.endsWith('=') && line.length >= shortestBroken && line.length <= 78)
  );
}

function fromQuotedPrintable(text: string): Uint8Array {
  const whole = text.replace(/=[ \t]{0,20}(?:\r\n|\r|\n|$)/g, '');
  const bytes = whole
    .split(/((?:=[0-9A-F]{2})+)/)
    .map((piece, index) => (index % 2 === 1 ? Buffer.from(piece.replaceAll('=', ''), 'hex') : Buffer.from(piece)));
  return Buffer.concat(bytes);
}

/** Lines of one length, as mail programs make them, with capitals, small letters and digits. */
function isInBase64(start: string): boolean {
  const lines = start.trim().split(/\r\n|\r|\n/);
  const [first = ''] = lines;
  const { length } = first;
  if (length < shortestBase64 || (lines.length > 1 && length % 4 !== 0) || !/^[A-Za-z0-9+/]+={0,2}$/.test(first))
    return false;
  if (!/[a-z]/.test(first) || !/[A-Z]/.test(first) || !/\d/.test(first)) return false;
  const isCut = start.length === looked;
  return lines.every(
    (line, index) =>
      /^[A-Za-z0-9+/]*={0,2}$/.test(line) &&
      (line.length === length ||
        (index === lines.length - 1 && (isCut || (line.length < length && line.length % 4 === 0)))),
  );
}

/** Whether bytes are a text that somebody has written. */
function isWritten(bytes: Uint8Array): boolean {
  const decoded = decodeBytes(bytes);
  return (
    decoded !== null &&
    !decoded.isGuess &&
    /\s/.test(decoded.text) &&
    !/[\u0000-\u0008\u000e-\u001f\u007f]/.test(decoded.text)
  );
}
