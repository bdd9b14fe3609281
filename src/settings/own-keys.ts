import { cleanText } from '../lib/clean-text.ts';
import { isJsonObject } from '../lib/json.ts';
import type { OwnCommand } from './own-commands.ts';
import type { Reading, Type } from './setting-types.ts';

/** What is wrong in the user's settings, in two sentences. */
export interface KeyProblem {
  readonly found: string;
  readonly advice: string;
}

/** Keys and commands of the user. */
export interface OwnActions {
  readonly keys: OwnKeys;
  readonly commands: readonly OwnCommand[];
  /** Why no command is run; null if they may be. */
  readonly refused: string | null;
}

/** Keys of the user, by the name of the action, as written. */
export type OwnKeys = Readonly<Record<string, readonly string[]>>;

const keysShape = { type: ['string', 'array'], items: { type: 'string' } } as const;

/** An object of actions with a key or a list of keys each. A wrong action costs only itself. */
export const ownKeys: Type<OwnKeys> = {
  kind: 'object',
  choices: [],
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
