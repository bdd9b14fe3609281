import { shownStoreAddress } from '../configuration/store-address.ts';
import type { SettledSetting } from './settled-settings.ts';

/** What stands in the place of what is not shown. */
const mask = '********';

/** A value as a person reads it: texts as they are, everything else as JSON. */
export function plainValue(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** The value that holds as a person reads it, or what holds where nothing is set; nothing of what is to be hidden. */
export function valueText(setting: SettledSetting): string {
  const { description, origin } = setting;
  if (origin === null) return description?.otherwise ?? '';
  const value = shownValue(setting);
  return Array.isArray(value) ? value.join(', ') || 'none' : plainValue(value);
}

/** Where that comes from. */
export function originText({ description, origin, isOutranked, problem }: SettledSetting): string {
  if (problem !== null) return `${origin ?? 'config.json'}, wrong`;
  if (origin === null) return description?.otherwise === undefined ? 'not set' : 'default';
  return isOutranked ? `${origin}, outranks config.json` : origin;
}

/** A value without what is to be hidden. What is not known may be a key under a wrong name. */
export function shownValue({ description, value, origin }: SettledSetting): unknown {
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
