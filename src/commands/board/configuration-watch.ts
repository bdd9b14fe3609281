import type { Clock } from '../../service/clock/clock.ts';
import { fileMark } from '../../watchlist/files/file-mark.ts';

/** How often the file is looked at, in milliseconds: a change is in use within a second. */
const lookMs = 500;

/** What a watch needs. */
export interface ConfigurationWatchOptions {
  readonly path: string;
  readonly clock: Clock;
  /** Called with each change, one at a time; answers false when it could not be taken over yet and is to be tried again. */
  readonly onChange: () => Promise<boolean>;
}

/**
 * Looks twice a second whether a file is another one, or there at all: one question to the file system, which nothing else
 * about files that editors replace would be as sure of. Answers how to end it; a takeover under way is waited for.
 */
export async function watchConfiguration({
  path,
  clock,
  onChange,
}: ConfigurationWatchOptions): Promise<() => Promise<void>> {
  // A file that cannot be looked at is as it was.
  const look = async (before: string): Promise<string> => await fileMark(path).catch(() => before);
  let known = await look('');
  let isEnded = false;
  let underWay: Promise<void> = Promise.resolve();
  let cancel = (): void => {};
  const lookAgain = async (): Promise<void> => {
    const mark = await look(known);
    if (mark !== known && !isEnded && (await onChange())) known = mark;
    if (!isEnded) lookLater();
  };
  const lookLater = (): void => {
    cancel = clock.setTimer(lookMs, () => {
      underWay = lookAgain();
    });
  };
  lookLater();
  return async () => {
    isEnded = true;
    cancel();
    await underWay;
  };
}
