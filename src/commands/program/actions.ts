import { UsageError } from '../session/errors.ts';

/** What commands do whose first word says what that is. */
export const actions = {
  config: ['get', 'set', 'unset', 'list', 'schema', 'edit'],
  store: ['show', 'grants', 'copy', 'mend'],
} as const;

/** One of the things that a command does. */
export type Action<Name extends keyof typeof actions> = (typeof actions)[Name][number];

/** Throws a {@link UsageError} for what stands behind all that an action takes, such as `config set`. */
export function refuseMore(action: string, words: readonly string[], most: number): void {
  const more = words[most];
  if (more === undefined) return;
  throw new UsageError(`"${action}" does not take "${more}". See "parcel-monitor ${action.split(' ')[0]} --help".`);
}
