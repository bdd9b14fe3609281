import { cleanText } from '../text/clean-text.ts';
import { messageOf } from './thrown.ts';

/**
 * The cause of a failure in a form that can be kept and logged: name, code and cleaned words. An error of the network
 * may carry what the other side has sent: names in a certificate, bytes of an answer.
 */
export function safeCause(error: unknown): Error {
  const words = error instanceof AggregateError ? error.errors.map(messageOf).join('; ') : messageOf(error);
  const safe = new Error(cleanText(words));
  if (!(error instanceof Error)) return safe;
  safe.name = cleanText(error.name);
  return 'code' in error && typeof error.code === 'string'
    ? Object.assign(safe, { code: cleanText(error.code) })
    : safe;
}

/**
 * The cause of a body that is no JSON. The words of `JSON.parse` quote the body, hence a piece of whatever it holds;
 * only the position is kept.
 */
export function jsonCause(error: unknown): Error {
  const position = error instanceof Error ? /at position \d+/.exec(error.message)?.[0] : undefined;
  return new SyntaxError(position === undefined ? 'The body is no JSON.' : `The body is no JSON ${position}.`);
}
