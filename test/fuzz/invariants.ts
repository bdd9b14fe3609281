import { isDeepStrictEqual } from 'node:util';
import { ServiceError } from '../../src/service/port.ts';
import { fuzzKey } from './odd-values.ts';

/** A broken invariant of the service room. */
export class BrokenInvariantError extends Error {
  readonly kind = 'broken-invariant';

  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'BrokenInvariantError';
  }
}

/** Throws a {@link BrokenInvariantError} if the invariant is broken. */
export function assertInvariant(holds: boolean, message: () => string): asserts holds {
  if (!holds) throw new BrokenInvariantError(message());
}

/**
 * Characters that no string from the service room may contain, defined separately from the code that removes them:
 * control characters, line and paragraph separators, format characters (bidirectional, zero-width, tags), private-use
 * and unassigned characters, and invisible letters.
 */
const hostile =
  /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}]|[\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0]|[\u180b-\u180f\ufe00-\ufe0f\u{e0100}-\u{e01ef}]/u;
const stackedMarks = /\p{M}{5}/u;

const escaped = (text: string): string => JSON.stringify(text.slice(0, 200));

/** Throws unless the text is safe to show on a terminal. */
export function checkText(text: string, where: string): void {
  assertInvariant(
    text.isWellFormed() && !hostile.test(text),
    () => `${where} contains a hostile character: ${escaped(text)}`,
  );
  assertInvariant(!stackedMarks.test(text), () => `${where} piles up marks: ${escaped(text)}`);
}

/** Throws unless every string in a value, including keys, is safe to show, and JSON preserves every number. */
export function checkValue(value: unknown, where: string): void {
  if (typeof value === 'string') checkText(value, where);
  else if (typeof value === 'number') {
    const isPreserved = Number.isFinite(value) && !Object.is(value, -0);
    assertInvariant(
      isPreserved && (Number.isSafeInteger(value) || !Number.isInteger(value)),
      () => `${where} is ${value}`,
    );
  } else if (Array.isArray(value)) {
    value.forEach((item, index) => {
      checkValue(item, `${where}[${index}]`);
    });
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, item] of Object.entries(value)) {
      checkText(key, `a key of ${where}`);
      checkValue(item, `${where}.${key}`);
    }
  }
}

/** Throws unless a value is the same after a JSON round trip. */
export function checkJson(value: unknown, where: string): void {
  const roundTripped: unknown = JSON.parse(JSON.stringify(value));
  assertInvariant(
    isDeepStrictEqual(roundTripped, value),
    () => `${where} is not JSON: ${JSON.stringify(value).slice(0, 400)}`,
  );
}

/** Throws unless an error is a safe ServiceError: no hostile text and no key, including its causes. */
export function checkError(error: unknown): void {
  assertInvariant(error instanceof ServiceError, () => `not a ServiceError: ${escaped(String(error))}`);
  assertInvariant(/[.!?]$/.test(error.message), () => `not a sentence: ${escaped(error.message)}`);
  for (let link: unknown = error; link instanceof Error; link = link.cause) {
    checkText(link.message, `the message of ${link.name}`);
    checkValue(JSON.parse(JSON.stringify({ ...link, cause: null })), link.name);
    const serialised = `${link.message} ${JSON.stringify(link)}`;
    assertInvariant(!serialised.includes(fuzzKey), () => `${link instanceof Error ? link.name : ''} contains the key`);
  }
}
