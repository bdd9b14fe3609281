import { type Clock, sleep, untilBeat } from '../../lib/clock.ts';
import { rightsMarkSync } from '../../store/file/file-calls.ts';

/** How often the file is looked at, in milliseconds: a change is in use within a second, and an idle board hardly runs. */
const lookMs = 800;

interface ConfigurationWatchOptions {
  /** The files of now; one that the configuration names may be another one after a change. */
  readonly paths: () => readonly string[];
  readonly clock: Clock;
  /**
   * Called with each change, one at a time, and with whether all of it is the board's own; answers false when it could not be
   * taken over yet and is to be tried again.
   */
  readonly onChange: (isOwn: boolean) => Promise<boolean>;
}

export interface ConfigurationWatch {
  /**
   * Does what may change the files for the board, which is told so; nothing is taken over before it has ended.
   * @param isNoticed whether it is taken over even when the files are as they were
   */
  readonly change: <Result>(work: () => Promise<Result>, isNoticed?: boolean) => Promise<Result>;
  /** Ends it; a takeover under way is waited for. */
  readonly end: () => Promise<void>;
}

type Marks = ReadonlyMap<string, string>;

const isSame = (marks: Marks, known: Marks): boolean =>
  marks.size === known.size && [...marks].every(([path, mark]) => known.get(path) === mark);

/**
 * Looks more than once a second whether one of some files is another one, or there at all: one question to the file system each, which
 * nothing else about files that editors replace would be as sure of.
 */
export async function watchConfiguration({
  paths,
  clock,
  onChange,
}: ConfigurationWatchOptions): Promise<ConfigurationWatch> {
  const markOf = (path: string, before: Marks): string => {
    try {
      // On this thread: to wake another one costs an idle board more than all else that it does.
      return rightsMarkSync(path);
    } catch {
      // A file that cannot be looked at is as it was.
      return before.get(path) ?? '';
    }
  };
  const look = (before: Marks): Marks => new Map(paths().map((path) => [path, markOf(path, before)] as const));
  let known = look(new Map());
  /** What the board has made of the files that were known; null when somebody else had a hand in it. */
  let own: Marks | null = known;
  let isDue = false;
  let changesUnderWay = 0;
  let underWay: Promise<void> = Promise.resolve();
  const ending = new AbortController();
  const takeOver = async (marks: Marks): Promise<void> => {
    if (!(await onChange(own !== null && isSame(marks, own)))) return;
    isDue = false;
    // What was seen before it was read may have changed since; what is named only now was read a moment ago.
    known = new Map([...look(marks)].map(([path, mark]) => [path, marks.get(path) ?? mark]));
    own = known;
  };
  const lookAgain = async (): Promise<void> => {
    const marks = look(known);
    const isNews = isDue || !isSame(marks, known);
    if (isNews && changesUnderWay === 0) await takeOver(marks);
  };
  const keepLooking = async (): Promise<void> => {
    while (await sleep(clock, untilBeat(clock.now(), lookMs), ending.signal)) {
      underWay = lookAgain();
      await underWay;
    }
  };
  const looking = keepLooking();
  return {
    async change(work, isNoticed = false) {
      changesUnderWay += 1;
      try {
        await underWay;
        const before = look(known);
        const isTold = own !== null && isSame(before, own);
        const result = await work();
        own = isTold ? look(before) : null;
        if (isNoticed) isDue = true;
        return result;
      } finally {
        changesUnderWay -= 1;
      }
    },
    async end() {
      ending.abort();
      await looking;
    },
  };
}
