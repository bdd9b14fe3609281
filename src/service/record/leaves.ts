import * as v from 'valibot';
import { cleanText, cleanTextOrNull, isCleanText, isUsualAddress, keptAddressOrNull } from '../text/clean-text.ts';
import { normaliseTrackNo } from '../text/track-number.ts';
import { courierCodeOrNull, isCourierCode, isWord, wordOrNull } from '../text/word.ts';
import { type PlainTest, plain } from './shape.ts';

/*
 * The single values of which records and parcels are made. Anybody may have edited a file, and synchronised ones come
 * from elsewhere: texts are cleaned, and names are words or they are not taken.
 */

const isInstant = (value: unknown): boolean =>
  typeof value === 'string' && (usualInstant.test(value) || (isCleanText(value) && Number.isFinite(Date.parse(value))));
/**
 * An instant as this program writes it, but for the last days of a month: known to be one without being taken apart.
 */
const usualInstant = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{3})?Z$/;

/** Whether a value is a text with something to read in it that needs no cleaning. */
export const isPlainText: PlainTest = (value) => typeof value === 'string' && value !== '' && isCleanText(value);

/** A text with everything taken out that could move the cursor or mislead the eye. */
export const cleanedText = v.pipe(
  v.string(),
  v.transform(cleanText),
  plain((value) => typeof value === 'string' && isCleanText(value)),
);

/** A text as `take` takes it; null for one that it does not take, and for none. */
function textThat(take: (value: string) => string | null, isPlain: (value: unknown) => boolean) {
  const taken = v.pipe(
    v.string(),
    v.transform((value): string | null => take(value)),
    plain(isPlain),
  );
  return v.optional(v.nullable(taken), null);
}

/** A text for people to read; null for none. */
export const text = textThat(cleanTextOrNull, isPlainText);
/** A name that the service has given; null for none. */
export const word = textThat(wordOrNull, (value) => typeof value === 'string' && isWord(value));
/** Null for none, and for what can be no code. */
export const courierCode = textThat(courierCodeOrNull, (value) => typeof value === 'string' && isCourierCode(value));
/** An address of http or https; null for any other. */
export const address = textThat(keptAddressOrNull, isUsualAddress);
/** Null for none. */
export const numberOrNull = v.optional(
  v.nullable(
    v.pipe(
      v.number(),
      v.finite(),
      plain((value) => Number.isFinite(value)),
    ),
  ),
  null,
);
/** ISO 8601 UTC. */
export const instant = v.pipe(
  cleanedText,
  v.check((value) => Number.isFinite(Date.parse(value)), 'is no instant'),
  plain(isInstant),
);
/** ISO 8601 UTC; null for none. */
export const instantOrNull = v.optional(v.nullable(instant), null);
/** How many; 0 when missing. */
export const count = v.optional(
  v.pipe(
    v.number(),
    v.integer(),
    v.minValue(0),
    plain((value) => Number.isInteger(value) && Number(value) >= 0),
  ),
  0,
);
/** A whole number of at least `least`; absent when unknown. */
export const countFrom = (least: number) => v.exactOptional(v.pipe(v.number(), v.integer(), v.minValue(least)));
/** A text that is absent when unknown. */
export const fact = v.exactOptional(cleanedText);
/** False when missing. */
export const flag = v.optional(v.boolean(), false);

/** A tracking number; in the form in which numbers are kept, when it was written in another one. */
export const trackNo = v.pipe(
  v.string(),
  v.transform((value) => {
    if (isWord(value)) return value;
    const check = normaliseTrackNo(value);
    return check.ok ? check.trackNo : value;
  }),
  v.check(isWord, 'is no tracking number'),
  plain((value) => typeof value === 'string' && isWord(value)),
);
