import { counted } from '../../board/text/counted.ts';
import type { CallCost } from '../../polling/gate/call-cost.ts';
import { confirmThreshold, noticeThreshold } from '../../watchlist/rules/confirmation-thresholds.ts';
import { type Asking, askWhether, canAsk } from '../session/ask.ts';
import { say } from '../session/session.ts';

/** A cost in words: `150 registrations and 4 calls`, `5 calls for 320 numbers, 20 of them to be registered`. */
export function costText({ calls, numbers, registrations }: CallCost): string {
  if (registrations === numbers) return `${counted(registrations, 'registration')} and ${counted(calls, 'call')}`;
  const among = registrations === 0 ? '' : `, ${registrations} of them to be registered`;
  return `${counted(calls, 'call')} for ${counted(numbers, 'number')}${among}`;
}

/**
 * Says what registering so many numbers costs, and asks whether to go on where a user is at the terminal; `isSure` answers
 * for them. Answers whether to go on.
 */
export async function agreeToCost(
  { context }: { readonly context: Asking },
  cost: CallCost,
  isSure: boolean,
): Promise<boolean> {
  if (cost.registrations <= noticeThreshold) return true;
  const sentence = `This takes ${costText(cost)}.`;
  if (cost.registrations > confirmThreshold.commandLine && !isSure && canAsk(context)) {
    return await askWhether(context, `${sentence} Go on?`);
  }
  say(context, sentence);
  return true;
}
