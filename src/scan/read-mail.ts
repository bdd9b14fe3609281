import PostalMime, { type Attachment } from 'postal-mime';
import { cleanTextOrNull } from '../lib/clean-text.ts';

interface MailPart {
  readonly name: string;
  readonly kind: 'text' | 'html' | 'file';
  readonly content: string | Uint8Array;
}

/** Treats even inline emails as attachments, so that their subjects are kept. */
const parserOptions = { maxNestingDepth: 50, maxHeadersSize: 1024 * 1024, forceRfc822Attachments: true } as const;

/** Rejects if the parts of an email are nested too deeply or its header is too long. */
export async function readMail(bytes: Uint8Array) {
  const mail = await PostalMime.parse(bytes, parserOptions);
  const parts: MailPart[] = [];
  if (mail.text !== undefined) parts.push({ name: 'text', kind: 'text', content: mail.text });
  if (mail.html !== undefined) parts.push({ name: 'HTML', kind: 'html', content: mail.html });
  for (const attachment of mail.attachments) {
    if (!isReadable(attachment)) continue;
    const { content, filename, mimeType } = attachment;
    parts.push({
      name: cleanTextOrNull(filename) ?? mimeType,
      kind: 'file',
      content: typeof content === 'string' ? content : new Uint8Array(content),
    });
  }
  return { subject: cleanTextOrNull(mail.subject), parts };
}

const isReadable = ({ filename, mimeType }: Attachment): boolean =>
  /^(?:text\/|message\/rfc822$|application\/(?:ld\+)?json$)/.test(mimeType) ||
  /\.(?:eml|mbox|txt|csv|tsv|html?|json)$/i.test(filename ?? '');

/** A line `From …` at the start or after a blank line. */
const separator = /From (?<=(?:^(?:\xef\xbb\xbf)?\s*|\n\r?\n|\r\r)From )[^\r\n]*(?:\r\n?|\n|$)/g;

/** Splits an mbox into its emails. */
export function splitMailbox(mailbox: Uint8Array): readonly Uint8Array[] {
  const text = Buffer.from(mailbox.buffer, mailbox.byteOffset, mailbox.byteLength).toString('latin1');
  const separators = [...text.matchAll(separator)];
  return separators.map(({ 0: line, index }, at) => mailbox.subarray(index + line.length, separators[at + 1]?.index));
}
