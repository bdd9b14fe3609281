import { type Clock, inTime } from '../service/clock/clock.ts';
import { orAborted } from '../service/clock/or-aborted.ts';
import { systemWords } from '../service/failures/system-words.ts';

/** What is to be run, and how. */
export interface ChildRequest {
  /** Program and arguments; no shell reads them. */
  readonly command: readonly [string, ...string[]];
  /** What it finds on its standard input; null for our own. */
  readonly input: string | Uint8Array | null;
  /**
   * Called with its standard output, while its standard error is dropped; null when both go to our standard error; `dropped` for a
   * program that may go on printing when we are gone; `terminal` for one that has a screen of its own, on our outputs.
   */
  readonly onOutput: ((bytes: Uint8Array) => void) | 'dropped' | 'terminal' | null;
  readonly terminal: TerminalAccess;
}

/**
 * How a child has the terminal. `shared`: it stays with it, where it may ask for a passphrase and hears Ctrl-C; `lent`: its
 * standard error is ours as well while its standard output is read, since some ask there. `none`: it leads a group of its own, so
 * that all that it starts can be ended with it; `hidden`: the terminal is not named to it either, by which GnuPG would have it
 * opened.
 */
export type TerminalAccess = 'shared' | 'lent' | 'none' | 'hidden';

/** How a child ended. */
export type ChildEnd =
  | { readonly kind: 'not-started'; readonly error: NodeJS.ErrnoException }
  | { readonly kind: 'exited'; readonly code: number }
  | { readonly kind: 'killed'; readonly signal: NodeJS.Signals };

/** A program that was started. */
export interface Child {
  /** What it left behind in the background is not waited for. */
  readonly ended: Promise<ChildEnd>;
  /** Ends it and what it started: with SIGTERM first, forced after so many milliseconds. Resolves when nothing of it is left. */
  end(graceMs: number): Promise<void>;
}

/**
 * Starts a program of the user's, the only way to do so. It gets the environment of the user but for the API key and
 * the database's password: what is meant to have those can fetch them itself. Never throws.
 */
export type StartChild = (request: ChildRequest) => Child;

/** How a child ended; null where it runs on after so many milliseconds, or when the signal is aborted. */
export async function endInTime(
  child: Child,
  { clock, limitMs, signal }: { readonly clock: Clock; readonly limitMs: number; readonly signal: AbortSignal },
): Promise<ChildEnd | null> {
  const ended = orAborted(child.ended, signal).catch(() => null);
  return await inTime(clock, limitMs, ended);
}

/** How a program failed, to follow its name in a sentence; null when it ended well. */
export function failureOf(end: ChildEnd): string | null {
  switch (end.kind) {
    case 'not-started':
      return startFailure(end.error);
    case 'killed':
      return `was ended by ${end.signal}`;
    case 'exited':
      return end.code === 0 ? null : `ended with code ${end.code}`;
  }
}

function startFailure({ code, message }: NodeJS.ErrnoException): string {
  if (code === 'ENOENT') return 'was not found';
  if (code === 'EACCES') return 'may not be run';
  return `could not be started${code === undefined ? ` (${message})` : systemWords(code)}`;
}
