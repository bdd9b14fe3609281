import { TextDecoder } from 'node:util';

/** The body of an answer as text. */
export interface AnswerBody {
  readonly text: string;
  /** What the body is when it is not JSON of the service, for a sentence: "is …". */
  readonly description: string;
}

const unreadable = (description: string): AnswerBody => ({ text: '', description });

/**
 * Reads a body in the character set that its type names, else as UTF-8. There is no text in a compressed body, which
 * was not requested, nor in one whose character set is not known.
 */
export function readBody(bytes: Uint8Array, contentType: string | null, contentEncoding: string | null): AnswerBody {
  const encoding = contentEncoding?.trim().toLowerCase() ?? '';
  if (encoding !== '' && encoding !== 'identity' && bytes.length > 0)
    return unreadable('compressed, which was not requested');
  const charset = /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(contentType ?? '')?.[1] ?? 'utf-8';
  const decoder = decoderOf(charset);
  if (decoder === null) return unreadable('in a character set that is not known here');
  const text = decoder.decode(bytes);
  return { text, description: describeBody(text) };
}

function decoderOf(charset: string): TextDecoder | null {
  try {
    return new TextDecoder(charset);
  } catch {
    // A RangeError, thrown for names that no standard knows, says nothing more than that.
    return null;
  }
}

function describeBody(text: string): string {
  const start = text.trimStart().slice(0, 200).toLowerCase();
  if (start === '') return 'empty';
  if (start.startsWith('<')) return 'a web page';
  return start.startsWith('{') || start.startsWith('[') ? 'damaged or cut off' : 'plain text';
}
