import { onlyPrints } from '../../system/environment.ts';
import type { Output } from '../../system/standard-streams.ts';
import type { CommandContext } from './context.ts';
import { printNote, type Session } from './session.ts';

/** The progress of a long task: `300 of 1000 registered`. */
interface Step {
  readonly done: number;
  readonly total: number;
  /** Past participle, such as `registered`. */
  readonly action: string;
}

/** Prints the progress of a long task on standard error. `using` removes the line at the end of the block. */
export interface Progress extends Disposable {
  /**
   * At a terminal, shows a line that the next output replaces. Elsewhere, prints a line for each tenth, and none for
   * short tasks.
   */
  show(step: Step): void;
  /** The same for an unknown total. Prints nothing without a terminal. */
  showText(text: string): void;
  /** Removes the line. */
  clear(): void;
}

/** Minimum number of steps to show progress. */
const minTotal = 10;
/** The same without a terminal, where lines cannot be erased. */
const minLoggedTotal = 100;
const tenths = 10;

/** An interrupt removes the line. */
export async function openProgress({ context }: Pick<Session, 'context'>): Promise<Progress> {
  const { showLine, signal, stderr } = context;
  if (showLine === undefined) return loggedProgress(context);
  const { fitText } = await import('../../lib/cells.ts');
  // A line as wide as the terminal would wrap and could not be removed.
  const width = Math.max(1, (stderr.columns ?? 80) - 1);
  const show = (text: string): void => {
    if (!signal.aborted) showLine(fitText(` ${text}  Ctrl+C stops`, width).trimEnd());
  };
  const clear = (): void => showLine('');
  signal.addEventListener('abort', clear, { once: true });
  return {
    show: (step) => {
      if (step.total > minTotal) show(stepText(step));
    },
    showText: show,
    clear,
    [Symbol.dispose]() {
      clear();
      signal.removeEventListener('abort', clear);
    },
  };
}

const stepText = ({ action, done, total }: Step): string => `${done} of ${total} ${action}`;

function loggedProgress(context: CommandContext): Progress {
  let lastMark = '';
  return {
    show: (step) => {
      const tenth = Math.floor((step.done / step.total) * tenths);
      const mark = `${step.action} ${tenth}`;
      if (step.total <= minLoggedTotal || tenth === 0 || mark === lastMark) return;
      lastMark = mark;
      printNote(context, `${stepText(step)}.`);
    },
    showText: () => undefined,
    clear: () => undefined,
    [Symbol.dispose]: () => undefined,
  };
}

/** Returns output streams that overwrite the progress line. */
export function withPassingLine({
  environment,
  isQuiet,
  stderr,
  stdout,
}: CommandContext): Pick<CommandContext, 'showLine' | 'stderr' | 'stdout'> {
  if (!stderr.isTerminal || isQuiet === true || onlyPrints(environment)) return { stderr, stdout };
  let shown = '';
  const showLine = (text: string): void => {
    if (text === shown) return;
    shown = text;
    stderr.write(`\r\u001B[K${text}`);
  };
  const around = (output: Output): Output => ({
    ...output,
    write(written) {
      const text = shown;
      showLine('');
      output.write(written);
      showLine(text);
    },
  });
  return { showLine, stderr: around(stderr), stdout: stdout.isTerminal ? around(stdout) : stdout };
}
