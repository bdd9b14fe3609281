import { counted } from '../../board/text/counted.ts';
import type { CallCost } from '../../polling/gate/call-cost.ts';
import { confirmThreshold, noticeThreshold } from '../../watchlist/rules/thresholds.ts';
import type { CommandContext } from '../session/context.ts';
import { say } from '../session/session.ts';

/** What a question at the terminal takes. */
export interface Terminal {
  readonly context: Pick<CommandContext, 'stderr' | 'stdinIsTerminal' | 'readLine'>;
}

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
export async function agreeToCost({ context }: Terminal, cost: CallCost, isSure: boolean): Promise<boolean> {
  if (cost.registrations <= noticeThreshold) return true;
  const sentence = `This takes ${costText(cost)}.`;
  const isAsked =
    cost.registrations > confirmThreshold.commandLine &&
    !isSure &&
    context.stdinIsTerminal &&
    context.stderr.isTerminal;
  if (!isAsked) {
    say(context, sentence);
    return true;
  }
  context.stderr.write(`parcel-monitor: ${sentence} Go on? [y/N] `);
  const answer = await context.readLine();
  return /^\s*y(?:es)?\s*$/i.test(answer);
}
