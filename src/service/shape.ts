import * as v from 'valibot';
import { cleanText, cleanTextOrNull, isCleanText, isUsualAddress, keptAddressOrNull } from '../lib/clean-text.ts';
import { courierCodeOrNull, isCourierCode, isWord, normaliseTrackNo, wordOrNull } from '../lib/track-number.ts';

export type Shape<Schema extends v.GenericSchema> = Known<v.InferOutput<Schema>>;

type Known<Value> = Value extends readonly (infer Item)[]
  ? readonly Known<Item>[]
  : Value extends object
    ? [keyof WithoutIndex<Value>] extends [never]
      ? Value
      : { readonly [Name in keyof Value as string extends Name ? never : Name]: Known<Value[Name]> }
    : Value;

type WithoutIndex<Value> = { [Name in keyof Value as string extends Name ? never : Name]: Value[Name] };

export type PlainTest = (value: unknown) => boolean;

/** Must return true for nothing that the schema would change or refuse. */
export function plain<Input>(isPlain: PlainTest) {
  return v.metadata<Input, { readonly isPlain: PlainTest }>({ isPlain });
}

/**
 * Takes a tenth of the schema's time: true for values that the schema would return as they are, else the schema
 * decides. Made when first needed.
 */
export function plainTest(schema: v.GenericSchema): PlainTest {
  let test: PlainTest | null = null;
  return (value) => {
    test ??= testOf(schema);
    return test(value);
  };
}

function testOf(schema: v.GenericSchema): PlainTest {
  const own = v.getMetadata(schema)['isPlain'];
  if (typeof own === 'function') return (value) => own(value) === true;
  const parts = schema as unknown as Readonly<Record<string, unknown>>;
  if (parts['pipe'] !== undefined) return throughSchema(schema);
  const inner = (): PlainTest => testOf(parts['wrapped'] as v.GenericSchema);
  switch (schema.type) {
    case 'loose_object':
      return objectTest(parts['entries'] as Readonly<Record<string, v.GenericSchema>>);
    case 'array': {
      const isItem = testOf(parts['item'] as v.GenericSchema);
      return (value) => Array.isArray(value) && value.every(isItem);
    }
    case 'variant': {
      const tests = (parts['options'] as readonly v.GenericSchema[]).map(testOf);
      return (value) => tests.some((test) => test(value));
    }
    case 'boolean':
      return (value) => typeof value === 'boolean';
    case 'picklist': {
      const options = parts['options'] as readonly unknown[];
      return (value) => options.includes(value);
    }
    case 'nullable': {
      const isInner = inner();
      return (value) => value === null || isInner(value);
    }
    case 'exact_optional':
    case 'optional':
      return inner();
    default:
      return throughSchema(schema);
  }
}

function throughSchema(schema: v.GenericSchema): PlainTest {
  return (value) => {
    const result = v.safeParse(schema, value);
    return result.success && Object.is(result.output, value);
  };
}

function objectTest(entries: Readonly<Record<string, v.GenericSchema>>): PlainTest {
  const tests = Object.entries(entries).map(([name, schema]) => {
    return { name, isOptional: schema.type === 'exact_optional', isPlain: testOf(schema) };
  });
  return (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
    const fields = value as Readonly<Record<string, unknown>>;
    for (const { name, isOptional, isPlain } of tests) {
      const field = fields[name];
      // A field that is missing and has a default would be filled in.
      if (field === undefined ? !(isOptional && !(name in fields)) : !isPlain(field)) return false;
    }
    return true;
  };
}

/*
 * The single values of which records and parcels are made. Anybody may have edited a file, and synchronised ones come
 * from elsewhere: texts are cleaned, and names are words or they are not taken.
 */

const isInstant = (value: unknown): boolean =>
  typeof value === 'string' && (usualInstant.test(value) || (isCleanText(value) && Number.isFinite(Date.parse(value))));
const usualInstant = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{3})?Z$/;

export const isPlainText: PlainTest = (value) => typeof value === 'string' && value !== '' && isCleanText(value);

export const cleanedText = v.pipe(
  v.string(),
  v.transform(cleanText),
  plain((value) => typeof value === 'string' && isCleanText(value)),
);

function textThat(take: (value: string) => string | null, isPlain: (value: unknown) => boolean) {
  const taken = v.pipe(
    v.string(),
    v.transform((value): string | null => take(value)),
    plain(isPlain),
  );
  return v.optional(v.nullable(taken), null);
}

export const text = textThat(cleanTextOrNull, isPlainText);
export const word = textThat(wordOrNull, (value) => typeof value === 'string' && isWord(value));
/** Null for none, and for what can be no code. */
export const courierCode = textThat(courierCodeOrNull, (value) => typeof value === 'string' && isCourierCode(value));
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
export const count = v.optional(
  v.pipe(
    v.number(),
    v.integer(),
    v.minValue(0),
    plain((value) => Number.isInteger(value) && Number(value) >= 0),
  ),
  0,
);
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
  plain((value) => typeof value === 'string' && isWord(value)),
);
