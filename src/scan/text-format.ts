import { decodeBytes } from '../lib/decode-bytes.ts';
import type { ScanFormat } from './found-number.ts';
import { firstTable } from './text-table.ts';

const headerLine = /^(?:[!-9;-~]{1,100}:(?:[ \t]|$)|[ \t]+\S)/;
const typicalHeader =
  /^(?:from|to|subject|date|received|return-path|message-id|mime-version|content-type|content-transfer-encoding|delivered-to|dkim-signature|x-[a-z-]+):/i;

function beginsAsMail(text: string): boolean {
  let typicalHeaders = 0;
  for (const line of text.replace(/^\s+/, '').split(/\r\n|\n|\r/, 60)) {
    if (!headerLine.test(line)) break;
    if (typicalHeader.test(line)) typicalHeaders += 1;
    if (typicalHeaders >= 2) return true;
  }
  return false;
}

function isMailbox(text: string): boolean {
  const [line] = /^\s*From \S[^\r\n]{0,200}(?:\r\n|\n|\r)/.exec(text.slice(0, maxInspected)) ?? [];
  return line !== undefined && beginsAsMail(text.slice(line.length));
}

const beginsAsHtml =
  /^\s*<(?:!doctype\s+html|\?xml|!--|(?:html|head|body|meta|title|style|script|table|tbody|tr|td|div|p|span|a|ul|ol|li|h[1-6]|section|main|article|center|br|b|font|img)[\s/>])/i;
const looksLikeHtml =
  /<a\s[^<>]{0,300}href\s{0,5}=|<script\s[^<>]{0,200}application\/ld\+json|\sitemprop\s{0,5}=\s{0,5}["']/i;
const maxInspected = 200_000;

export function formatOf(text: string): ScanFormat {
  const start = text.slice(0, maxInspected);
  if (isMailbox(start)) return 'mailbox';
  if (beginsAsMail(start)) return 'mail';
  if (beginsAsHtml.test(start)) return 'html';
  // Shops export tables with markup in the cells. Reading them as HTML would lose the columns.
  return looksLikeHtml.test(start) && firstTable(start) === null ? 'html' : 'text';
}

/** `warning` says how the bytes were decoded if that may have been wrong. */
export function decodeScanned(bytes: Uint8Array): { readonly text: string; readonly warning: string | null } {
  const decoded = decodeBytes(bytes);
  // Numbers are ASCII, so bytes in an unknown encoding are still worth searching.
  if (decoded === null)
    return { text: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1'), warning: null };
  const warning = decoded.isGuess
    ? 'The text is not UTF-8 and was read as Windows-1252. If any letters look wrong, save the text as UTF-8 and try again.'
    : null;
  return { text: decoded.text, warning };
}

const minBrokenLength = 50;

/** Decodes a quoted-printable email body that was copied without its header. Returns null for any other text. */
export const quotedPrintableBody = (text: string): Uint8Array | null =>
  isQuotedPrintable(text.slice(0, maxInspected)) ? fromQuotedPrintable(text) : null;

/**
 * Whether every equals sign starts a code or a soft line break, and at least one is typical of quoted-printable. URLs and
 * source code contain other ones.
 */
function isQuotedPrintable(text: string): boolean {
  if (/=(?![0-9A-F]{2}|[ \t]{0,20}(?:\r|\n|$))/.test(text.replace(/=.?$/, ''))) return false;
  return (
    /=3D|=C3=[89AB][0-9A-F]|=E2=80=[89A][0-9A-F]/.test(text) ||
    text.split(/\r\n|\r|\n/).some((line) => line.endsWith('=') && line.length >= minBrokenLength && line.length <= 78)
  );
}

function fromQuotedPrintable(text: string): Uint8Array {
  const whole = text.replace(/=[ \t]{0,20}(?:\r\n|\r|\n|$)/g, '');
  const bytes = whole
    .split(/((?:=[0-9A-F]{2})+)/)
    .map((piece, index) => (index % 2 === 1 ? Buffer.from(piece.replaceAll('=', ''), 'hex') : Buffer.from(piece)));
  return Buffer.concat(bytes);
}
