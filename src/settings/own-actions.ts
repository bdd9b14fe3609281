import { cleanText } from '../lib/clean-text.ts';
import { isJsonObject } from '../lib/json.ts';
import { nearestWord } from '../lib/text.ts';
import type { InvalidPart, Reading, Type } from './setting-types.ts';

/** A user's program that the board runs for parcels. */
export interface OwnCommand {
  /** As written in the settings. */
  readonly key: string;
  readonly name: string;
  /** The program and its arguments. {@link placeholders} in the arguments are replaced for each parcel. */
  readonly run: readonly [program: string, ...words: string[]];
  /** `marked` passes several parcels. */
  readonly on: 'selected' | 'marked';
  /** Where its output is shown. */
  readonly show: 'popup' | 'none';
}

export const placeholders = ['number', 'order', 'label', 'courier', 'link'] as const;

/** Finds placeholders, with the name in the first group. */
export const placeholder = (): RegExp => /\{([a-z]+)\}/g;

const textShape = { type: 'string', minLength: 1 } as const;

const shape = {
  type: 'object',
  properties: {
    key: textShape,
    name: textShape,
    run: { type: 'array', items: { type: 'string' }, minItems: 1 },
    on: { enum: ['selected', 'marked'] },
    show: { enum: ['popup', 'none'] },
  },
  additionalProperties: false,
} as const;

/** A list of commands. Invalid commands are skipped and reported. */
export const ownCommands: Type<readonly OwnCommand[]> = {
  kind: 'object',
  shape: { type: 'array', items: shape },
  read(value): Reading<readonly OwnCommand[]> {
    if (!Array.isArray(value)) return { wrong: 'must be a list of commands with key, name and run' };
    const read = value.map(readCommand);
    return {
      value: read.flatMap((one) => ('wrong' in one ? [] : [one])),
      leftOut: read.flatMap((one, index) => ('wrong' in one ? [{ ...one, at: `${index}${one.at}` }] : [])),
    };
  },
};

function readCommand(value: unknown): OwnCommand | InvalidPart {
  if (!isJsonObject(value)) return { at: '', wrong: 'must be an object with key, name and run' };
  const { key, name, on = 'selected', run, show = 'popup' } = value;
  const unknown = Object.keys(value).find((field) => !Object.hasOwn(shape.properties, field));
  if (unknown !== undefined) {
    const nearest = nearestWord(unknown, Object.keys(shape.properties));
    return {
      at: `.${cleanText(unknown)}`,
      wrong: `is unknown${nearest === null ? '' : `; the closest match is "${nearest}"`}`,
    };
  }
  for (const [field, text] of Object.entries({ key, name }))
    if (typeof text !== 'string' || cleanText(text) === '')
      return { at: `.${field}`, wrong: 'must be a non-empty string' };
  if (on !== 'selected' && on !== 'marked') return { at: '.on', wrong: 'must be "selected" or "marked"' };
  if (show !== 'popup' && show !== 'none') return { at: '.show', wrong: 'must be "popup" or "none"' };
  const words: readonly unknown[] = Array.isArray(run) ? run : [];
  const [program, ...others] = words.filter((word) => typeof word === 'string' && !word.includes('\0')) as string[];
  if (program === undefined || program.trim() === '' || others.length + 1 < words.length)
    return { at: '.run', wrong: 'must be a list: the program, then its arguments' };
  // A courier's text must not choose the program.
  if (placeholder().test(program)) return { at: '.run.0', wrong: 'must name a program without placeholders' };
  const wrong = others.map(wrongPlaceholder).findIndex((one) => one !== null);
  if (wrong !== -1) return { at: `.run.${wrong + 1}`, wrong: wrongPlaceholder(others[wrong] ?? '') ?? '' };
  return { key: cleanText(String(key)), name: cleanText(String(name)), run: [program, ...others], on, show };
}

/** Other words in braces may be meant for the program, unless they look like a typing error. */
function wrongPlaceholder(word: string): string | null {
  for (const [, name = ''] of word.matchAll(placeholder())) {
    if (placeholders.some((one) => one === name)) continue;
    const nearest = nearestWord(name, placeholders);
    if (nearest !== null) return `has the unknown placeholder {${name}}; the closest match is {${nearest}}`;
  }
  return null;
}

/** What is wrong in the user's settings, in two sentences. */
export interface KeyProblem {
  readonly found: string;
  readonly advice: string;
}

/** The user's keys and commands. */
export interface OwnActions {
  readonly keys: OwnKeys;
  readonly commands: readonly OwnCommand[];
  /** Why no command runs, or null. */
  readonly refused: string | null;
}

/** The user's keys by action name, as written. */
export type OwnKeys = Readonly<Record<string, readonly string[]>>;

const keysShape = { type: ['string', 'array'], items: { type: 'string' } } as const;

/** An object of actions with a key or a list of keys each. Invalid actions are skipped and reported. */
export const ownKeys: Type<OwnKeys> = {
  kind: 'object',
  shape: { type: 'object', additionalProperties: keysShape },
  read(value): Reading<OwnKeys> {
    if (!isJsonObject(value)) return { wrong: 'must be an object, such as {"archive": "F5"}' };
    const entries = Object.entries(value).map(([action, keys]) => {
      const list: readonly unknown[] = Array.isArray(keys) ? keys : [keys];
      return {
        action: cleanText(action),
        keys: list.every((key) => typeof key === 'string') ? list.map(cleanText) : null,
      };
    });
    const wrong = entries.filter(({ keys }) => keys === null);
    return {
      value: Object.fromEntries(entries.flatMap(({ action, keys }) => (keys === null ? [] : [[action, keys]]))),
      leftOut: wrong.map(({ action }) => ({ at: action, wrong: 'must be a key or a list of keys' })),
    };
  },
};
