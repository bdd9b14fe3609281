import { isDeepStrictEqual } from 'node:util';
import * as v from 'valibot';
import { cleanText, cleanTextOrNull, keptAddressOrNull } from '../lib/clean-text.ts';
import { courierCodeOrNull, isWord, normaliseTrackNo, wordOrNull } from '../lib/track-number.ts';

export type Shape<Schema extends v.GenericSchema> = Known<v.InferOutput<Schema>>;

type Known<Value> = Value extends readonly (infer Item)[]
  ? readonly Known<Item>[]
  : Value extends object
    ? [keyof WithoutIndex<Value>] extends [never]
      ? Value
      : { readonly [Name in keyof Value as string extends Name ? never : Name]: Known<Value[Name]> }
    : Value;

type WithoutIndex<Value> = { [Name in keyof Value as string extends Name ? never : Name]: Value[Name] };

/** Returns the value as the schema reads it, the same object where that changes nothing, or null if it is not valid. */
export function readAs<Schema extends v.GenericSchema>(schema: Schema, value: unknown): v.InferOutput<Schema> | null {
  const result = v.safeParse(schema, value);
  if (!result.success) return null;
  return isDeepStrictEqual(result.output, value) ? (value as v.InferOutput<Schema>) : result.output;
}

/*
 * The single values of which records and parcels are made. Anybody may have edited a file, and synchronised ones come
 * from elsewhere: texts are cleaned, and names are words or they are not taken.
 */

export const cleanedText = v.pipe(v.string(), v.transform(cleanText));

function textThat(take: (value: string) => string | null) {
  const taken = v.pipe(
    v.string(),
    v.transform((value): string | null => take(value)),
  );
  return v.optional(v.nullable(taken), null);
}

export const text = textThat(cleanTextOrNull);
export const word = textThat(wordOrNull);
/** Null for none, and for what can be no code. */
export const courierCode = textThat(courierCodeOrNull);
export const address = textThat(keptAddressOrNull);
export const numberOrNull = v.optional(v.nullable(v.pipe(v.number(), v.finite())), null);
/** ISO 8601 UTC. */
export const instant = v.pipe(
  cleanedText,
  v.check((value) => Number.isFinite(Date.parse(value)), 'is no instant'),
);
export const instantOrNull = v.optional(v.nullable(instant), null);
export const count = v.optional(v.pipe(v.number(), v.integer(), v.minValue(0)), 0);
export const countFrom = (least: number) => v.exactOptional(v.pipe(v.number(), v.integer(), v.minValue(least)));
export const fact = v.exactOptional(cleanedText);
export const flag = v.optional(v.boolean(), false);

export const trackNo = v.pipe(
  v.string(),
  v.transform((value) => {
    if (isWord(value)) return value;
    const check = normaliseTrackNo(value);
    return check.ok ? check.trackNo : value;
  }),
  v.check(isWord, 'is no tracking number'),
);
