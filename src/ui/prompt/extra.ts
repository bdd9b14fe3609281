import type { ExtrasChange } from '../../polling/account/account-actions.ts';
import type { CourierNeed } from '../../service/record/courier-needs.ts';
import { checkExtra } from '../../watchlist/rules/extras.ts';
import type { Prompt } from './state.ts';

/** What a question for an extra checks and answers; an empty answer clears the extra. */
export function extraQuestion(
  need: CourierNeed,
  take: (extra: ExtrasChange) => void,
): Pick<Prompt, 'problemOf' | 'accept'> {
  return {
    problemOf: (text) => {
      const check = checkExtra(need, text);
      return check.ok ? null : check.message;
    },
    accept: (text) => {
      const check = checkExtra(need, text);
      if (check.ok) take(need === 'postal-code' ? { postalCode: check.value } : { phoneSuffix: check.value });
    },
  };
}
