import { columnNames, findColumn, type ParcelColumn, parcelColumns } from '../board/columns.ts';
import { type FilterToken, filterTokens, parcelStates, termNames } from '../board/filter-vocabulary.ts';
import { sortOrders } from '../board/list/sort-orders.ts';
import { builtInViews, findView, parseOrder, type View } from '../board/views.ts';
import { cleanText } from '../lib/clean-text.ts';
import { isJsonObject } from '../lib/json.ts';
import { fold, nearestWord } from '../lib/text.ts';
import type { InvalidPart, Reading, Type } from './setting-types.ts';

/** A program of the user's that a key on the board runs. */
export interface CustomCommand {
  /** As written in the settings. */
  readonly key: string;
  readonly name: string;
  /** The program and its arguments. {@link placeholders} in the arguments are replaced for each parcel. */
  readonly run: readonly [program: string, ...words: string[]];
  /** `marked` runs it once for all marked parcels. */
  readonly on: 'selected' | 'marked';
  readonly show: 'popup' | 'none';
}

export const placeholders = ['number', 'order', 'label', 'courier', 'link'] as const;

/** Matches placeholders and captures their names. */
export const placeholder = (): RegExp => /\{([a-z]+)\}/g;

const textShape = { type: 'string', minLength: 1 } as const;

const commandShape = {
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
export const customCommands: Type<readonly CustomCommand[]> = {
  kind: 'object',
  shape: { type: 'array', items: commandShape },
  read(value): Reading<readonly CustomCommand[]> {
    if (!Array.isArray(value)) return { problem: 'must be a list of commands with key, name and run' };
    const readings = value.map(readCommand);
    return {
      value: readings.flatMap((reading) => ('problem' in reading ? [] : [reading])),
      invalidParts: readings.flatMap((reading, index) =>
        'problem' in reading ? [{ ...reading, at: `${index}${reading.at}` }] : [],
      ),
    };
  },
};

function readCommand(value: unknown): CustomCommand | InvalidPart {
  if (!isJsonObject(value)) return { at: '', problem: 'must be an object with key, name and run' };
  const { key, name, on = 'selected', run, show = 'popup' } = value;
  const unknown = Object.keys(value).find((field) => !Object.hasOwn(commandShape.properties, field));
  if (unknown !== undefined) {
    const nearest = nearestWord(unknown, Object.keys(commandShape.properties));
    return {
      at: `.${cleanText(unknown)}`,
      problem: `is unknown${nearest === null ? '' : `; the closest match is "${nearest}"`}`,
    };
  }
  for (const [field, text] of Object.entries({ key, name }))
    if (typeof text !== 'string' || cleanText(text) === '')
      return { at: `.${field}`, problem: 'must be a non-empty string' };
  if (on !== 'selected' && on !== 'marked') return { at: '.on', problem: 'must be "selected" or "marked"' };
  if (show !== 'popup' && show !== 'none') return { at: '.show', problem: 'must be "popup" or "none"' };
  const words: readonly unknown[] = Array.isArray(run) ? run : [];
  const [program, ...rest] = words.filter((word) => typeof word === 'string' && !word.includes('\0')) as string[];
  if (program === undefined || program.trim() === '' || rest.length + 1 < words.length)
    return { at: '.run', problem: 'must be a list: the program, then its arguments' };
  // A courier's text must not choose the program.
  if (placeholder().test(program)) return { at: '.run.0', problem: 'must name a program without placeholders' };
  for (const [index, word] of rest.entries()) {
    const problem = placeholderProblem(word);
    if (problem !== null) return { at: `.run.${index + 1}`, problem };
  }
  return { key: cleanText(String(key)), name: cleanText(String(name)), run: [program, ...rest], on, show };
}

/** Reports only words that look like a misspelt placeholder. Other words in braces may be meant for the program. */
function placeholderProblem(word: string): string | null {
  for (const [, name = ''] of word.matchAll(placeholder())) {
    if (placeholders.some((known) => known === name)) continue;
    const nearest = nearestWord(name, placeholders);
    if (nearest !== null) return `has the unknown placeholder {${name}}; the closest match is {${nearest}}`;
  }
  return null;
}

/** A problem with the user's keys, and what to do about it, as two sentences. */
export interface KeyProblem {
  readonly found: string;
  readonly advice: string;
}

export interface CustomActions {
  readonly keys: CustomKeys;
  readonly commands: readonly CustomCommand[];
  /** Why the commands are not run, or null if they are. */
  readonly refused: string | null;
}

/** The user's keys by action name, as written. */
export type CustomKeys = Readonly<Record<string, readonly string[]>>;

const keysShape = { type: ['string', 'array'], items: { type: 'string' } } as const;

/** Maps each action to a key or a list of keys. Invalid entries are skipped and reported. */
export const customKeys: Type<CustomKeys> = {
  kind: 'object',
  shape: { type: 'object', additionalProperties: keysShape },
  read(value): Reading<CustomKeys> {
    if (!isJsonObject(value)) return { problem: 'must be an object, such as {"archive": "F5"}' };
    const entries = Object.entries(value).map(([action, keys]) => {
      const list: readonly unknown[] = Array.isArray(keys) ? keys : [keys];
      return {
        action: cleanText(action),
        keys: list.every((key) => typeof key === 'string') ? list.map(cleanText) : null,
      };
    });
    const invalid = entries.filter(({ keys }) => keys === null);
    return {
      value: Object.fromEntries(entries.flatMap(({ action, keys }) => (keys === null ? [] : [[action, keys]]))),
      invalidParts: invalid.map(({ action }) => ({ at: action, problem: 'must be a key or a list of keys' })),
    };
  },
};

/** In UTF-16 code units. */
const maxNameLength = 40;

type FieldReading<Value> = { readonly value: Value } | { readonly problem: string };

const fields: { readonly [Field in keyof View]-?: (value: unknown) => FieldReading<View[Field]> } = {
  name(value) {
    const name = typeof value === 'string' ? cleanText(value).trim() : '';
    if (name === '') return { problem: 'must be a string' };
    return name.length > maxNameLength ? { problem: `must have at most ${maxNameLength} characters` } : { value: name };
  },
  filter(value) {
    if (typeof value !== 'string') return { problem: 'must be a string' };
    const problem = filterTokens(value).flatMap((token) => termProblem(token) ?? [])[0];
    return problem === undefined ? { value } : { problem };
  },
  order(value) {
    if (typeof value === 'string' && parseOrder(value) !== null) return { value };
    return { problem: choiceProblem(value, sortOrders) };
  },
  columns: readColumns,
  collapsed(value) {
    const isValid = Array.isArray(value) && value.every((group) => typeof group === 'string');
    return isValid ? { value: value.map(cleanText) } : { problem: 'must be a list of groups' };
  },
  notify: (value) => (typeof value === 'boolean' ? { value } : { problem: 'must be true or false' }),
};

function readColumns(value: unknown): FieldReading<readonly ParcelColumn[]> {
  if (!Array.isArray(value)) return { problem: 'must be a list of columns' };
  const columns = value.map((name) => findColumn(String(name)));
  const unknown = columns.indexOf(null);
  if (unknown !== -1) return { problem: choiceProblem(value[unknown], parcelColumns) };
  return { value: [...new Set(columns.filter((name) => name !== null))] };
}

/**
 * Reports unclosed quotes, unknown terms and unknown states. Other values are not checked, because one that matches no
 * parcel today may match one tomorrow.
 */
function termProblem({ isUnclosed, kind, name, value }: FilterToken): string | null {
  if (isUnclosed) return `has a ${kind === 'open' ? 'parenthesis' : 'quote'} that is not closed`;
  if (name === null) return null;
  const term = termNames.find((known) => known === name);
  if (term === undefined) return unknownTermProblem(name, termNames, (known) => `${known}:`);
  const states = Object.keys(parcelStates);
  const isKnown = term !== 'is' || states.some((state) => state.startsWith(fold(value)));
  return isKnown ? null : unknownTermProblem(value, states, (state) => `is:${state}`);
}

function unknownTermProblem(word: string, known: readonly string[], format: (word: string) => string): string {
  const nearest = nearestWord(word, known);
  const advice = nearest === null ? `use ${known.map(format).join(', ')}` : `the closest match is "${format(nearest)}"`;
  return `has the unknown term "${shorten(format(word))}"; ${advice}`;
}

function choiceProblem(value: unknown, known: readonly string[]): string {
  const nearest = typeof value === 'string' ? nearestWord(value, known) : null;
  return nearest === null
    ? `must be one of ${known.join(', ')}`
    : `cannot be "${shorten(value)}"; the closest match is "${nearest}"`;
}

const shorten = (value: unknown): string => cleanText(String(value)).slice(0, maxNameLength);

function readView(item: unknown, earlierViews: readonly View[], index: number): View | InvalidPart {
  const place = String(index);
  if (!isJsonObject(item))
    return { at: place, problem: 'must be an object, like {"name": "Late", "filter": "is:late"}' };
  if (item['name'] === undefined) return { at: place, problem: 'needs a name' };
  const view: Record<string, unknown> = {};
  for (const [field, value] of Object.entries(item)) {
    const read = Object.hasOwn(fields, field) ? fields[field as keyof View] : null;
    if (read === null) return { at: `${place}.${shorten(field)}`, problem: unknownFieldProblem(field) };
    const reading = read(value);
    if ('problem' in reading) return { at: `${place}.${field}`, problem: reading.problem };
    view[field] = reading.value;
  }
  const { name } = view as unknown as View;
  const isRepeated = findView(earlierViews, name) !== undefined;
  return isRepeated ? { at: `${place}.name`, problem: `repeats "${name}"` } : (view as unknown as View);
}

function unknownFieldProblem(field: string): string {
  const nearest = nearestWord(field, Object.keys(fields));
  return nearest === null
    ? `is unknown; use ${Object.keys(fields).join(', ')}`
    : `is unknown; the closest match is "${nearest}"`;
}

const columnsShape = { type: 'array', items: { type: 'string', enum: columnNames } } as const;

/** A list of views. Invalid views are skipped and reported. */
export const viewsType: Type<readonly View[]> = {
  kind: 'list',
  shape: {
    type: 'array',
    items: {
      type: 'object',
      properties: {
        name: { type: 'string', minLength: 1, maxLength: maxNameLength },
        filter: { type: 'string', description: 'As typed after / on the board.' },
        order: { type: 'string', enum: sortOrders.flatMap((order) => [order, `-${order}`]) },
        columns: columnsShape,
        collapsed: {
          type: 'array',
          items: { type: 'string' },
          description: 'Collapsed groups, as ":view save" on the board writes them.',
        },
        notify: {
          type: 'boolean',
          description:
            'Whether you are notified of every new status of its parcels, or of none. If a parcel is in several views, the first one decides.',
        },
      },
      additionalProperties: false,
    },
  },
  read(value): Reading<readonly View[]> {
    if (!Array.isArray(value)) return { problem: 'must be a list of views' };
    const views: View[] = [];
    const invalidParts: InvalidPart[] = [];
    for (const [index, item] of value.entries()) {
      const reading = readView(item, views, index);
      if ('problem' in reading) invalidParts.push(reading);
      else views.push(reading);
    }
    return { value: views.length === 0 && invalidParts.length > 0 ? builtInViews : views, invalidParts };
  },
};
