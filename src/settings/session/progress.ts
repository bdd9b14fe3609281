import type { fitText } from '../../lib/cells.ts';
import { onlyPrints } from '../../system/environment.ts';
import type { Output } from '../../system/standard-streams.ts';
import { createSession } from './open-session.ts';
import { type Session, say } from './session.ts';

/** How far something long has come: `300 of 1000 registered`. */
interface Step {
  readonly done: number;
  readonly total: number;
  /** What was done, as a participle. */
  readonly deed: string;
}

/** Says on standard error how far something long has come. */
export interface Progress {
  /** At a terminal a line that the next output replaces; elsewhere a line at every tenth, and none for little. */
  show(step: Step): void;
  /** The same for an unknown total; prints nothing without a terminal. */
  tell(text: string): void;
  /** Takes the line away. */
  clear(): void;
}

/** Less than this is done before anybody asks how far it is. */
const leastTotal = 10;
/** The same where every step stays to be read. */
const leastLoggedTotal = 100;
const tenths = 10;

/**
 * Does `work` in a session on whose terminal results and messages take the place of the line that says how far it has come.
 * An interrupt takes the line away, too.
 */
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
  /** Writes something in its place, and the line again behind it. */
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
    // A line as wide as the terminal would wrap, and could not be taken away.
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
