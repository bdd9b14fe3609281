import PostalMime, { type Attachment } from 'postal-mime';
import { cleanTextOrNull } from '../lib/clean-text.ts';

export interface MailPart {
  readonly name: string;
  readonly kind: 'text' | 'html' | 'file';
  readonly content: string | Uint8Array;
}

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
  /\.(?:eml|txt|csv|tsv|html?|json)$/i.test(filename ?? '');
