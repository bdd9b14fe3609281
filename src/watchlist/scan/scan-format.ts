import { decodeBytes } from '../../service/text/decode-bytes.ts';
import { beginsAsMail, beginsAsMailbox } from './mail-form.ts';
import { firstTable } from './scan-table.ts';
import type { ScanFormat } from './scanned-number.ts';

/** Tags with which a page, or a part of one that was copied, begins. */
const beginsAsHtml =
  /^\s*<(?:!doctype\s+html|\?xml|!--|(?:html|head|body|meta|title|style|script|table|tbody|tr|td|div|p|span|a|ul|ol|li|h[1-6]|section|main|article|center|br|b|font|img)[\s/>])/i;
/** What only a page holds, wherever it stands. */
const holdsHtml =
  /<a\s[^<>]{0,300}href\s{0,5}=|<script\s[^<>]{0,200}application\/ld\+json|\sitemprop\s{0,5}=\s{0,5}["']/i;
/** How much of a text is looked at for that, in characters. */
const looked = 200_000;

/** What a text is. */
export function formatOf(text: string): ScanFormat {
  const start = text.slice(0, looked);
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
