import type { fitText } from '../../lib/cells.ts';
import { onlyPrints } from '../../system/environment.ts';
import type { Output } from '../../system/standard-streams.ts';
import { createSession } from './open-session.ts';
import { type Session, say } from './session.ts';

/** The progress of a long task: `300 of 1000 registered`. */
interface Step {
  readonly done: number;
  readonly total: number;
  /** What was done, as a participle. */
  readonly deed: string;
}

/** Prints the progress of a long task on standard error. */
export interface Progress {
  /**
   * At a terminal, a line that the next output replaces; elsewhere, a line for each tenth, and none for short tasks.
   */
  show(step: Step): void;
  /** The same for an unknown total; prints nothing without a terminal. */
  tell(text: string): void;
  /** Removes the line. */
  clear(): void;
}

/** A shorter task prints no progress. */
const leastTotal = 10;
/** The same without a terminal, where every line stays. */
const leastLoggedTotal = 100;
const tenths = 10;

/** Runs `work` in a session whose output replaces the progress line. An interrupt also removes it. */
export async function withProgress<Answer>(
  session: Session,
  work: (session: Session, progress: Progress) => Promise<Answer>,
): Promise<Answer> {
  const { context } = session;
  const { environment, signal, stderr, stdout } = context;
  if (!stderr.isTerminal || context.isQuiet === true || onlyPrints(environment))
    return await work(session, loggedProgress(session));
  const cells = await import('../../lib/cells.ts');
  const line = createPassingLine(stderr, cells.fitText);
  const around = (output: Output): Output => ({ ...output, write: (text) => line.around(() => output.write(text)) });
  const own = createSession({
    ...session,
    stores: (purpose) => session.stores(purpose),
    context: { ...context, stderr: around(stderr), stdout: stdout.isTerminal ? around(stdout) : stdout },
  });
  signal.addEventListener('abort', line.end, { once: true });
  try {
    return await work(own, {
      show: (step) => {
        if (step.total > leastTotal) line.show(` ${stepText(step)}  Ctrl+C stops`);
      },
      tell: (text) => line.show(` ${text}  Ctrl+C stops`),
      clear: line.clear,
    });
  } finally {
    line.end();
    signal.removeEventListener('abort', line.end);
    await own.close();
  }
}

const stepText = ({ deed, done, total }: Step): string => `${done} of ${total} ${deed}`;

function loggedProgress({ context }: Session): Progress {
  let said = '';
  return {
    show: (step) => {
      const tenth = Math.floor((step.done / step.total) * tenths);
      const mark = `${step.deed} ${tenth}`;
      if (step.total <= leastLoggedTotal || tenth === 0 || mark === said) return;
      said = mark;
      say(context, `${stepText(step)}.`);
    },
    tell: () => undefined,
    clear: () => undefined,
  };
}

interface PassingLine {
  show(text: string): void;
  /** Writes over the progress line, and prints the line again. */
  around(write: () => void): void;
  readonly clear: () => void;
  /** Clears the row and stops. */
  readonly end: () => void;
}

function createPassingLine(output: Output, fitted: typeof fitText): PassingLine {
  let shown = '';
  let hasEnded = false;
  const draw = (text: string): void => {
    if (text === shown || hasEnded) return;
    shown = text;
    // A line as wide as the terminal would wrap, and could not be removed.
    output.write(`\r\u001B[K${text === '' ? '' : fitted(text, Math.max(1, (output.columns ?? 80) - 1)).trimEnd()}`);
  };
  const clear = (): void => draw('');
  return {
    show: draw,
    clear,
    around: (write) => {
      const text = shown;
      clear();
      write();
      draw(text);
    },
    end: () => {
      clear();
      hasEnded = true;
    },
  };
}
