/** Handing the terminal back to the shell for a while (Ctrl+Z, SIGTSTP). */
export interface Suspension {
  /** Sends the signal; it comes back through `subscribe`, as a signal from outside does. */
  request(): void;
  /**
   * Calls the listener when the program is to be suspended, with what stops the process and resolves when it goes on.
   * Answers how to stop listening.
   */
  subscribe(listener: (stopProcess: () => Promise<void>) => void): () => void;
}

/** The parts of `process` that job control needs. */
export type StoppableProcess = Pick<NodeJS.Process, 'on' | 'once' | 'off' | 'kill' | 'pid' | 'platform'>;

/** Keeps the event loop alive: a stopped board has no other reason to be there when it goes on. */
const holdMs = 2 ** 30;

/**
 * Lets the shell have the terminal back on Ctrl+Z and on SIGTSTP, and takes it again on `fg`; null where there is no
 * job control. While somebody listens, SIGTSTP no longer stops the process at once: the screen is left first.
 */
export function createSuspension(living: StoppableProcess): Suspension | null {
  if (living.platform === 'win32') return null;
  /** Listens for SIGCONT from the first signal on: a quick `fg` comes before the screen is left, and must not be missed. */
  const preparedStop = (): (() => Promise<void>) => {
    const gone = Promise.withResolvers<void>();
    let goesOn = false;
    const hold = setInterval(() => undefined, holdMs);
    living.once('SIGCONT', () => {
      goesOn = true;
      clearInterval(hold);
      // Its window may be another one: the system told that to the shell, which had the terminal then.
      living.kill(living.pid, 'SIGWINCH');
      gone.resolve();
    });
    return () => {
      if (!goesOn) living.kill(living.pid, 'SIGSTOP');
      return gone.promise;
    };
  };
  return {
    // The whole job: a script that started the program has to stop with it, or the shell would go on waiting.
    request: () => void living.kill(0, 'SIGTSTP'),
    subscribe: (listener) => {
      const onStop = (): void => listener(preparedStop());
      living.on('SIGTSTP', onStop);
      return () => living.off('SIGTSTP', onStop);
    },
  };
}
