import { createSerialQueue } from '../watchlist/files/serial-queue.ts';

/** Does work while the terminal is a program's, of which the name is given. */
type Lend = (program: string, work: () => Promise<void>) => Promise<void>;

/** The terminal that a screen is drawn on, for programs that ask their questions there. */
export interface TerminalLoan {
  /** Whether a screen has the terminal, over which nothing else may write. */
  readonly isHeld: boolean;
  /** Called by a screen that has the terminal and lends it; answers how to give it up. */
  hold(lend: Lend): () => void;
  /** Does work that needs the terminal, one at a time; a screen leaves it meanwhile. Rejects as the work. */
  borrow<Result>(program: string, work: () => Promise<Result>): Promise<Result>;
}

/**
 * Makes the loan of the one terminal.
 * @param leaveInterrupts leaves Ctrl+C to the program that has it; answers how to take it back
 */
export function createTerminalLoan(leaveInterrupts: () => () => void): TerminalLoan {
  let holder: Lend | null = null;
  const queue = createSerialQueue();
  const borrow = async <Result>(program: string, work: () => Promise<Result>): Promise<Result> => {
    const lend = holder;
    if (lend === null) return await work();
    let outcome: PromiseSettledResult<Awaited<Result>> | undefined;
    const takeInterruptsBack = leaveInterrupts();
    try {
      await lend(program, async () => {
        [outcome] = await Promise.allSettled([work()]);
      });
    } finally {
      takeInterruptsBack();
    }
    // A screen that has ended does nothing any more.
    if (outcome === undefined) return await work();
    if (outcome.status === 'rejected') throw outcome.reason;
    return outcome.value;
  };
  return {
    get isHeld() {
      return holder !== null;
    },
    hold(lend) {
      holder = lend;
      return () => {
        if (holder === lend) holder = null;
      };
    },
    borrow: (program, work) => queue.run(() => borrow(program, work)),
  };
}
