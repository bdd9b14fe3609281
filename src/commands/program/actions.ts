import { nearestWord } from '../../service/text/nearest-word.ts';
import { UsageError } from '../session/errors.ts';

/** What commands do whose first word says what that is. */
export const actions = {
  config: ['get', 'set', 'unset', 'list', 'schema', 'edit'],
  store: ['show', 'grants', 'copy', 'mend'],
} as const;

/** One of the things that a command does. */
export type Action<Name extends keyof typeof actions> = (typeof actions)[Name][number];

/** The action that a word names. Throws a {@link UsageError} that says what was probably meant. */
export function actionNamed<Name extends keyof typeof actions>(command: Name, word: string): Action<Name> {
  const known: readonly Action<Name>[] = actions[command];
  const action = known.find((one) => one === word);
  if (action !== undefined) return action;
  const meant = nearestWord(word, known);
  const advice = meant === null ? `it is one of: ${known.join(', ')}.` : `did you mean ${meant}?`;
  throw new UsageError(`"${command}" cannot "${word}"; ${advice}`);
}
