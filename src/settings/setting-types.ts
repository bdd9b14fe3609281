import { cleanText } from '../lib/clean-text.ts';
import { isJsonObject } from '../lib/json.ts';
import { nearestWord } from '../lib/text.ts';
import { UsageError } from './errors.ts';

/** An invalid part of a setting, by name or index, with the reason. */
export interface InvalidPart {
  readonly at: string;
  readonly problem: string;
}

/**
 * The value, or the reason why it is invalid. `wrong` never contains the value, which may be the key or a postal code.
 */
export type Reading<Value> =
  | {
      readonly value: Value;
      readonly invalidParts?: readonly InvalidPart[];
    }
  | {
      readonly problem: string;
      readonly nearest?: number | null;
      readonly index?: number;
    };

/** A part of a JSON Schema, draft 7. */
export type Shape = Readonly<Record<string, unknown>>;

export interface Type<Value = unknown> {
  readonly kind: 'boolean' | 'choice' | 'command' | 'list' | 'number' | 'object' | 'text';
  /** Only for a choice, or for a list of choices. */
  readonly choices?: readonly string[];
  readonly shape: Shape;
  readonly read: (value: unknown) => Reading<Value>;
}

export interface Setting<Value = unknown> {
  readonly type: Type<Value>;
  /** Its purpose, as a sentence without a full stop. */
  readonly about: string;
  /** Absent if there is no default. */
  readonly defaultValue?: Value;
  /** The default in words, if there is no fixed value. */
  readonly defaultText?: string;
  readonly option?: '--base-url' | '--profile' | '--store' | '--zone';
  readonly variable?: string;
  /** The profile field that also sets it. */
  readonly profileField?: 'baseUrl' | 'header';
  /**
   * Which part of a value is hidden. `key` is never printed; `personal` covers postal codes, phone digits and secret
   * paths; `arguments` covers a program's arguments, and `password` the password in an address.
   */
  readonly hidden?: 'arguments' | 'key' | 'password' | 'personal';
  /** Valid values, for the schema and for help. */
  readonly examples?: readonly unknown[];
  /**
   * How an invalid value is handled. Absent if it is ignored, which must not change the address or the times, or remove
   * a limit on cost.
   */
  readonly whenInvalid?: 'nearest' | 'refused';
  /** Throws a `UsageError` for a value of the right type that cannot be used. */
  readonly use?: (text: string) => unknown;
  /** What applies a new value while the board is open. If absent, everything behind the screen is reopened. */
  readonly owner?: 'core' | 'notifier' | 'screen';
}

const readText = (value: unknown): Reading<string> => {
  if (typeof value !== 'string') return { problem: 'must be a string' };
  return value.trim() === '' ? { problem: 'must not be empty' } : { value: value.trim() };
};

const textShape = { type: 'string', minLength: 1 } as const;

const acceptText = (value: string): Reading<string> => ({ value });

/** A string that is not empty, with an optional reader. */
export function text(): Type<string>;
export function text<Value>(parse: (text: string) => Reading<Value>, shape?: Shape): Type<Value>;
export function text(parse: (text: string) => Reading<unknown> = acceptText, shape: Shape = {}): Type {
  return {
    kind: 'text',
    shape: { ...textShape, ...shape },
    read(value) {
      const reading = readText(value);
      return 'value' in reading ? parse(reading.value) : reading;
    },
  };
}

export const pattern = (regex: RegExp, problem: string): Type<string> =>
  text((value) => (regex.test(value) ? { value } : { problem }), { pattern: regex.source });

/** A string that a reader accepts. The reader's {@link UsageError} says why a string is invalid. */
export const readable = <Value>(parse: (text: string) => Value): Type<Value> =>
  text((value): Reading<Value> => {
    try {
      return { value: parse(value) };
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      return { problem: `cannot be used: ${error.message.replace(/\.$/, '')}` };
    }
  });

/** Any string, even an empty one. For the `$schema` field. */
export const anyText: Type<string> = {
  kind: 'text',
  shape: { type: 'string' },
  read: (value) => (typeof value === 'string' ? { value } : { problem: 'must be a string' }),
};

export const boolean: Type<boolean> = {
  kind: 'boolean',
  choices: ['true', 'false'],
  shape: { type: 'boolean' },
  read: (value) => (typeof value === 'boolean' ? { value } : { problem: 'must be true or false' }),
};

interface Limits {
  readonly min: number;
  readonly max?: number;
  readonly isWhole?: boolean;
  /** The problem with a number below the minimum. */
  readonly belowMin?: string;
}

export function number({ min, max, isWhole = false, belowMin = `must be at least ${min}` }: Limits): Type<number> {
  const maximum = max === undefined ? {} : { maximum: max };
  return {
    kind: 'number',
    shape: { type: isWhole ? 'integer' : 'number', minimum: min, ...maximum },
    read(value) {
      if (typeof value !== 'number') {
        const parsed = typeof value === 'string' && value.trim() !== '' ? Number(value) : Number.NaN;
        return { problem: 'must be a number', nearest: Number.isFinite(parsed) ? parsed : null };
      }
      if (Number.isNaN(value)) return { problem: 'must be a number' };
      if (isWhole && !Number.isInteger(value)) {
        return { problem: 'must be a whole number', nearest: Math.max(1, Math.floor(value)) };
      }
      if (value < min) return { problem: belowMin, nearest: min };
      return max !== undefined && value > max ? { problem: `must be at most ${max}`, nearest: max } : { value };
    },
  };
}

export const count = number({ min: 1, isWhole: true });

export function choice<const Value extends string>(choices: readonly Value[]): Type<Value> {
  const problem =
    choices.length > 2
      ? `must be one of ${choices.join(', ')}`
      : `must be ${choices.map((value) => `"${value}"`).join(' or ')}`;
  return {
    kind: 'choice',
    choices,
    shape: { enum: choices, type: 'string' },
    read(value) {
      const match = choices.find((candidate) => candidate === value);
      if (match !== undefined) return { value: match };
      // With only two choices, the message lists both anyway.
      const nearest = typeof value === 'string' && choices.length > 2 ? nearestWord(value, choices) : null;
      return { problem: nearest === null ? problem : `${problem}; the closest match is "${nearest}"` };
    },
  };
}

export function choices<Value extends string>(values: readonly Value[], what: string): Type<readonly Value[]> {
  const item = choice(values);
  return {
    kind: 'list',
    choices: values,
    shape: { type: 'array', items: item.shape },
    read: (value) => readList(value, item.read, `must be a list of ${what}`),
  };
}

function readList<Value>(
  value: unknown,
  read: (item: unknown) => Reading<Value>,
  problem: string,
): Reading<readonly Value[]> {
  if (!Array.isArray(value)) return { problem };
  const items: Value[] = [];
  for (const [index, item] of value.entries()) {
    const reading = read(item);
    if (!('value' in reading)) return { ...reading, index };
    items.push(reading.value);
  }
  return { value: items };
}

export const texts = (what: string): Type<readonly string[]> => ({
  kind: 'list',
  shape: { type: 'array', items: textShape },
  read: (value) => readList(value, readText, `must be a list of ${what}`),
});

/** An object with string values. Invalid values are skipped and reported. */
export const stringsByName: Type<Readonly<Record<string, string>>> = {
  kind: 'object',
  shape: { type: 'object', additionalProperties: textShape },
  read(value) {
    if (!isJsonObject(value)) return { problem: 'must be an object with text values' };
    const entries = Object.entries(value).map(([name, item]) => [name, readText(item)] as const);
    return {
      value: Object.fromEntries(
        entries.flatMap(([name, reading]) => ('value' in reading ? [[cleanText(name), cleanText(reading.value)]] : [])),
      ),
      invalidParts: entries.flatMap(([name, reading]) =>
        'problem' in reading ? [{ at: cleanText(name), problem: reading.problem }] : [],
      ),
    };
  },
};

const wordsShape = { type: 'array', items: textShape, minItems: 1 } as const;

/** A program and its arguments, as a list. */
export const commandWords: Type<readonly string[]> = {
  kind: 'list',
  shape: wordsShape,
  read(value) {
    const reading = readList(value, readText, 'must be a list of strings');
    return 'value' in reading && reading.value.length === 0 ? { problem: 'must name a program' } : reading;
  },
};

/** A program and its arguments, as a list or as one string. */
export const command: Type<string | readonly string[]> = {
  kind: 'command',
  shape: { anyOf: [textShape, wordsShape] },
  read(value) {
    if (typeof value === 'string') return readText(value);
    const reading = commandWords.read(value);
    return 'value' in reading ? reading : { problem: 'must be a string or a list of strings' };
  },
};
