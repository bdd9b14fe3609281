import { onlyPrints } from '../../process/environment.ts';
import type { CommandContext } from './context.ts';

/** What a question at the terminal takes. */
export type Asking = Pick<CommandContext, 'readLine' | 'stderr' | 'stdinIsTerminal'>;

/** Whether a user is at the terminal who can read a question and answer it. */
export const canAsk = ({ stderr, stdinIsTerminal }: Asking): boolean => stdinIsTerminal && stderr.isTerminal;

/** Asks whether to go on; anything but a yes is a no. */
export async function askWhether(context: Asking, question: string): Promise<boolean> {
  context.stderr.write(`parcel-monitor: ${question} [y/N] `);
  return /^\s*y(?:es)?\s*$/i.test(await context.readLine());
}

/** Whether there is a terminal that keys come from and that shows a screen: without one, what needs it prints instead. */
export const hasScreen = ({
  environment,
  stdinIsTerminal,
  stdout,
}: Pick<CommandContext, 'environment' | 'stdinIsTerminal' | 'stdout'>): boolean =>
  stdinIsTerminal && stdout.isTerminal && !onlyPrints(environment);
