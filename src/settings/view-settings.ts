import { columnNamed, columnWords, type ParcelColumn, parcelColumns } from '../board/columns.ts';
import { type FilterToken, filterTokens, statesOfParcels, termNames } from '../board/filter-syntax.ts';
import { sortOrders } from '../board/list/sort-orders.ts';
import { builtInViews, readOrder, type View, viewNamed } from '../board/views.ts';
import { cleanText } from '../lib/clean-text.ts';
import { isJsonObject } from '../lib/json.ts';
import { fold, nearestWord } from '../lib/text.ts';
import type { InvalidPart, Reading, Type } from './setting-types.ts';

/** In UTF-16 code units. */
const maxNameLength = 40;

type FieldReading<Value> = { readonly value: Value } | { readonly wrong: string };

/** Readers for the fields of a view. */
const fields: { readonly [Field in keyof View]-?: (value: unknown) => FieldReading<View[Field]> } = {
  name(value) {
    const name = typeof value === 'string' ? cleanText(value).trim() : '';
    if (name === '') return { wrong: 'must be a string' };
    return name.length > maxNameLength ? { wrong: `must have at most ${maxNameLength} characters` } : { value: name };
  },
  filter(value) {
    if (typeof value !== 'string') return { wrong: 'must be a string' };
    const wrong = filterTokens(value).flatMap((token) => wrongTerm(token) ?? [])[0];
    return wrong === undefined ? { value } : { wrong };
  },
  order(value) {
    if (typeof value === 'string' && readOrder(value) !== null) return { value };
    return { wrong: notAmong(value, sortOrders) };
  },
  columns: readColumns,
  collapsed(value) {
    const areTexts = Array.isArray(value) && value.every((one) => typeof one === 'string');
    return areTexts ? { value: value.map(cleanText) } : { wrong: 'must be a list of groups' };
  },
  notify: (value) => (typeof value === 'boolean' ? { value } : { wrong: 'must be true or false' }),
};

function readColumns(value: unknown): FieldReading<readonly ParcelColumn[]> {
  if (!Array.isArray(value)) return { wrong: 'must be a list of columns' };
  const columns = value.map((one) => columnNamed(String(one)));
  const unknown = columns.indexOf(null);
  if (unknown !== -1) return { wrong: notAmong(value[unknown], parcelColumns) };
  return { value: [...new Set(columns.filter((name) => name !== null))] };
}

/** Checks only state names: any other value that matches no parcel today may match one tomorrow. */
function wrongTerm({ isUnclosed, kind, name, value }: FilterToken): string | null {
  if (isUnclosed) return `has a ${kind === 'open' ? 'parenthesis' : 'quote'} that is not closed`;
  if (name === null) return null;
  const term = termNames.find((known) => known === name);
  if (term === undefined) return unknownTerm(name, termNames, (known) => `${known}:`);
  const states = Object.keys(statesOfParcels);
  const isKnown = term !== 'is' || states.some((state) => state.startsWith(fold(value)));
  return isKnown ? null : unknownTerm(value, states, (state) => `is:${state}`);
}

function unknownTerm(word: string, known: readonly string[], written: (word: string) => string): string {
  const near = nearestWord(word, known);
  const advice = near === null ? `use ${known.map(written).join(', ')}` : `the closest match is "${written(near)}"`;
  return `has the unknown term "${shown(written(word))}"; ${advice}`;
}

function notAmong(value: unknown, known: readonly string[]): string {
  const near = typeof value === 'string' ? nearestWord(value, known) : null;
  return near === null
    ? `must be one of ${known.join(', ')}`
    : `cannot be "${shown(value)}"; the closest match is "${near}"`;
}

const shown = (value: unknown): string => cleanText(String(value)).slice(0, maxNameLength);

/** Returns a view, or what is wrong with it. */
function readView(item: unknown, before: readonly View[], at: number): View | InvalidPart {
  const place = String(at);
  if (!isJsonObject(item)) return { at: place, wrong: 'must be an object, like {"name": "Late", "filter": "is:late"}' };
  if (item['name'] === undefined) return { at: place, wrong: 'needs a name' };
  const view: Record<string, unknown> = {};
  for (const [field, value] of Object.entries(item)) {
    const read = Object.hasOwn(fields, field) ? fields[field as keyof View] : null;
    if (read === null) return { at: `${place}.${shown(field)}`, wrong: unknownField(field) };
    const reading = read(value);
    if ('wrong' in reading) return { at: `${place}.${field}`, wrong: reading.wrong };
    view[field] = reading.value;
  }
  const { name } = view as unknown as View;
  const exists = viewNamed(before, name) !== undefined;
  return exists ? { at: `${place}.name`, wrong: `repeats "${name}"` } : (view as unknown as View);
}

function unknownField(field: string): string {
  const near = nearestWord(field, Object.keys(fields));
  return near === null
    ? `is unknown; use ${Object.keys(fields).join(', ')}`
    : `is unknown; the closest match is "${near}"`;
}

const columnsShape = { type: 'array', items: { type: 'string', enum: columnWords } } as const;

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
    if (!Array.isArray(value)) return { wrong: 'must be a list of views' };
    const views: View[] = [];
    const leftOut: InvalidPart[] = [];
    for (const [at, item] of value.entries()) {
      const reading = readView(item, views, at);
      if ('wrong' in reading) leftOut.push(reading);
      else views.push(reading);
    }
    return { value: views.length === 0 && leftOut.length > 0 ? builtInViews : views, leftOut };
  },
};
