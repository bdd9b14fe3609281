import PostalMime, { type Attachment } from 'postal-mime';
import { cleanTextOrNull } from '../lib/clean-text.ts';

/** A part of a mail. */
export interface MailPart {
  /** `text`, `HTML`, or the name of the attachment, cleaned. */
  readonly name: string;
  readonly kind: 'text' | 'html' | 'file';
  readonly content: string | Uint8Array;
}

/** What a scan reads in a mail. */
export interface MailContent {
  /** Cleaned; null when there is none. */
  readonly subject: string | null;
  readonly parts: readonly MailPart[];
}

const parserOptions = { maxNestingDepth: 50, maxHeadersSize: 1024 * 1024, maxRfc822NestingDepth: 5 } as const;

/** Reads a mail. Rejects for one that is nested too deeply, or whose header is too long. */
export async function readMail(bytes: Uint8Array): Promise<MailContent> {
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

const lineFeed = 10;
const separator = [70, 114, 111, 109, 32];

/** The messages of a mailbox in the format mbox, without the lines that separate them. */
export function* messagesOf(mailbox: Uint8Array): Generator<Uint8Array> {
  let start = -1;
  let at = 0;
  while (at < mailbox.length) {
    const feed = mailbox.indexOf(lineFeed, at);
    const next = feed === -1 ? mailbox.length : feed + 1;
    if (isSeparator(mailbox, at)) {
      if (start !== -1) yield mailbox.subarray(start, at);
      start = next;
    }
    at = next;
  }
  if (start !== -1 && start < mailbox.length) yield mailbox.subarray(start);
}

/** A line `From …` behind an empty one, or at the beginning. */
function isSeparator(mailbox: Uint8Array, at: number): boolean {
  if (!separator.every((code, index) => mailbox[at + index] === code)) return false;
  const before = mailbox.subarray(Math.max(0, at - 4), at);
  return (
    at === 0 || /(?:^|\n)\r?\n$/.test(String.fromCharCode(...before)) || /^\s*$/.test(String.fromCharCode(...before))
  );
}
