import { decodeBytes } from '../../service/text/decode-bytes.ts';
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
  const decoded = decodeBytes(bytes);
  if (decoded === null) throw unreadable(name);
  const doubt = `${name} is not in UTF-8 and was read as Windows-1252; where letters look wrong, save it as UTF-8 and try again.`;
  return { text: decoded.text, doubt: decoded.isGuess ? doubt : null };
}

const unreadable = (name: string): UsageError =>
  new UsageError(`${name} is no text in UTF-8, UTF-16 or Windows-1252; save it as UTF-8 and try again.`);
