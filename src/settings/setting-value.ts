import { isJsonObject } from '../lib/json.ts';
import { nearestWord } from '../lib/text.ts';
import { settingAt } from './check-settings.ts';
import { UsageError } from './errors.ts';
import type { ResolvedSetting } from './resolved-settings.ts';
import { shownStoreAddress } from './store-address.ts';
import { splitCommand } from './usable-values.ts';

/**
 * Parses a setting from command-line words: text, numbers and booleans as written; a list as words, as one word with
 * commas or as JSON; an object as JSON. Throws a {@link UsageError} for any other kind of value.
 */
export function readSettingValue(path: readonly string[], words: readonly string[]): unknown {
  const name = path.join('.');
  const type = settingAt(path)?.type;
  const [first = '', ...more] = words;
  if (type === undefined || type.kind === 'object') return readJson(name, words.join(' '));
  if (type.kind === 'command') return more.length > 0 ? words : first.startsWith('[') ? readJson(name, first) : first;
  if (type.kind === 'list') {
    if (more.length === 0 && first.trim().startsWith('[')) return readJson(name, first);
    if (type.choices === undefined) return more.length === 0 ? splitCommand(first) : words;
    return words.flatMap((word) => word.split(/[\s,]+/)).filter((word) => word !== '');
  }
  if (more.length > 0) throw new UsageError(`"${name}" takes one value, not ${words.length}; put it in quotes.`);
  switch (type.kind) {
    case 'boolean':
      return readBoolean(name, first);
    case 'number':
      return readNumber(name, first);
    default:
      return first;
  }
}

function readBoolean(name: string, word: string): boolean {
  if (word === 'true' || word === 'false') return word === 'true';
  const intended = /^(?:y|yes|on|1)$/i.test(word)
    ? 'true'
    : /^(?:n|no|off|0)$/i.test(word)
      ? 'false'
      : nearestWord(word, ['true', 'false']);
  throw new UsageError(`"${name}" must be true or false${intended === null ? '' : `; did you mean ${intended}?`}`);
}

function readNumber(name: string, word: string): number {
  const value = Number(word);
  if (word.trim() !== '' && Number.isFinite(value)) return value;
  const leadingNumber = Number.parseFloat(word.replace(',', '.'));
  throw new UsageError(
    `"${name}" must be a number${Number.isFinite(leadingNumber) ? `; did you mean ${leadingNumber}?` : '.'}`,
  );
}

function readJson(name: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new UsageError(`"${name}" must be JSON, quoted for the shell. You can also set its fields one by one.`, {
      cause,
    });
  }
}

const mask = '********';

export function plainValue(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Returns the effective value or the default for display, without secrets. */
export function valueText(setting: ResolvedSetting): string {
  const { description, origin } = setting;
  if (origin === null) return description?.defaultText ?? '';
  const value = shownValue(setting);
  return Array.isArray(value) ? value.map(itemText).join(', ') || 'none' : plainValue(value);
}

/** Returns a list item for display. An object is shown by its name. */
function itemText(item: unknown): string {
  const name = isJsonObject(item) ? item['name'] : null;
  return typeof name === 'string' ? name : plainValue(item);
}

export function originText({ description, origin, isOverridden, problem }: ResolvedSetting): string {
  if (problem !== null) return `${origin ?? 'config.json'}, invalid`;
  if (origin === null) return description?.defaultText === undefined ? 'not set' : 'default';
  return isOverridden ? `${origin}, overrides config.json` : origin;
}

/** Returns a value without its hidden parts. An unknown setting may be a misspelt key, so its value is hidden. */
export function shownValue(setting: Pick<ResolvedSetting, 'description' | 'origin' | 'value'>): unknown {
  const { description, origin, value } = setting;
  if (origin === null) return null;
  if (description === null) return mask;
  switch (description.hidden) {
    case undefined:
      return value;
    case 'arguments':
      return withoutArguments(value);
    case 'password':
      return (typeof value === 'string' ? shownStoreAddress(value) : null) ?? mask;
    default:
      return mask;
  }
}

function withoutArguments(value: unknown): unknown {
  if (Array.isArray(value)) return value.length > 1 ? [value[0], mask] : value;
  if (typeof value !== 'string') return mask;
  const [program = '', ...rest] = value.trim().split(/\s+/);
  return rest.length > 0 ? `${program} ${mask}` : program;
}
