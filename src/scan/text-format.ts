import { decodeBytes } from '../lib/decode-bytes.ts';
import type { ScanFormat } from './scanned-number.ts';
import { firstTable } from './text-table.ts';

/** Lines that a mail's header begins with. */
const headerLine = /^(?:[!-9;-~]{1,100}:(?:[ \t]|$)|[ \t]+\S)/;
const tellingName =
  /^(?:from|to|subject|date|received|return-path|message-id|mime-version|content-type|content-transfer-encoding|delivered-to|dkim-signature|x-[a-z-]+):/i;

/** Whether a text begins as a mail does: with the lines of a header, two of which mails have. */
function beginsAsMail(text: string): boolean {
  let telling = 0;
  for (const line of text.replace(/^\s+/, '').split(/\r\n|\n|\r/, 60)) {
    if (!headerLine.test(line)) break;
    if (tellingName.test(line)) telling += 1;
    if (telling >= 2) return true;
  }
  return false;
}

/** Whether a text begins as a mailbox in the format mbox does. */
function beginsAsMailbox(text: string): boolean {
  const [, rest] = /^\s*From \S[^\r\n]{0,200}(?:\r\n|\n|\r)([\s\S]*)/.exec(text) ?? [];
  return rest !== undefined && beginsAsMail(rest);
}

/** Tags with which a page, or a part of one that was copied, begins. */
const beginsAsHtml =
  /^\s*<(?:!doctype\s+html|\?xml|!--|(?:html|head|body|meta|title|style|script|table|tbody|tr|td|div|p|span|a|ul|ol|li|h[1-6]|section|main|article|center|br|b|font|img)[\s/>])/i;
/** What only a page holds, wherever it stands. */
const holdsHtml =
  /<a\s[^<>]{0,300}href\s{0,5}=|<script\s[^<>]{0,200}application\/ld\+json|\sitemprop\s{0,5}=\s{0,5}["']/i;
/** How much of a text is lookedForMarkup at for that, in characters. */
const lookedForMarkup = 200_000;

/** What a text is. */
export function formatOf(text: string): ScanFormat {
  const start = text.slice(0, lookedForMarkup);
  if (beginsAsMailbox(start)) return 'mailbox';
  if (beginsAsMail(start)) return 'mail';
  if (beginsAsHtml.test(start)) return 'html';
  // Shops export links and other markup in cells; read as a page, a table would lose its columns.
  return holdsHtml.test(start) && firstTable(start) === null ? 'html' : 'text';
}

/** The text of bytes, with what a person should know about how they were read; null for nothing. */
export function decodeScanned(bytes: Uint8Array): { readonly text: string; readonly doubt: string | null } {
  const decoded = decodeBytes(bytes);
  // Numbers are ASCII, so what is no text at all is searched for them, too.
  if (decoded === null)
    return { text: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1'), doubt: null };
  const doubt = decoded.isGuess
    ? 'It is not in UTF-8 and was read as Windows-1252; where letters look wrong, save it as UTF-8 and try again.'
    : null;
  return { text: decoded.text, doubt };
}

/** The body of a mail that was cut out without the header that says how it is encoded. */
interface EncodedBody {
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
