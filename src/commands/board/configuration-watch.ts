import { type Clock, msUntilBeat, sleep } from '../../lib/clock.ts';
import { rightsMarkSync } from '../../store/file/open-file.ts';

/** Short enough to load changes within a second, at little cost. */
const pollMs = 800;

interface ConfigurationWatchOptions {
  /** Called for each poll, because a changed setting can refer to a different file. */
  readonly paths: () => readonly string[];
  readonly clock: Clock;
  /** Returns false to be called again, because the change could not be loaded yet. */
  readonly onChange: (isOwn: boolean) => Promise<boolean>;
}

export type ConfigurationWatch = Awaited<ReturnType<typeof watchConfiguration>>;

type Marks = ReadonlyMap<string, string>;

const isSame = (marks: Marks, known: Marks): boolean =>
  marks.size === known.size && [...marks].every(([path, mark]) => known.get(path) === mark);

/** Polls the files, because file system events are unreliable when editors replace files. */
export async function watchConfiguration({ paths, clock, onChange }: ConfigurationWatchOptions) {
  const markOf = (path: string, before: Marks): string => {
    try {
      // Synchronous, because handing the work to another thread costs an idle board more.
      return rightsMarkSync(path);
    } catch {
      // A file that cannot be read counts as unchanged.
      return before.get(path) ?? '';
    }
  };
  const readMarks = (before: Marks): Marks => new Map(paths().map((path) => [path, markOf(path, before)] as const));
  let known = readMarks(new Map());
  /** The marks after our own changes. Null if someone else has also changed the files. */
  let own: Marks | null = known;
  let isDue = false;
  let changesUnderWay = 0;
  let underWay: Promise<void> = Promise.resolve();
  const ending = new AbortController();
  const takeOver = async (marks: Marks): Promise<void> => {
    if (!(await onChange(own !== null && isSame(marks, own)))) return;
    isDue = false;
    // Keeps the marks from before the files were read, because a file may have changed since.
    known = new Map([...readMarks(marks)].map(([path, mark]) => [path, marks.get(path) ?? mark]));
    own = known;
  };
  const poll = async (): Promise<void> => {
    const marks = readMarks(known);
    const isNews = isDue || !isSame(marks, known);
    if (isNews && changesUnderWay === 0) await takeOver(marks);
  };
  const keepPolling = async (): Promise<void> => {
    while (await sleep(clock, msUntilBeat(clock.now(), pollMs), ending.signal)) {
      underWay = poll();
      await underWay;
    }
  };
  const polling = keepPolling();
  return {
    /**
     * Runs `work`, during which no changes are loaded.
     * @param isNoticed whether to call `onChange` afterwards even if the files are unchanged
     */
    async change<Result>(work: () => Promise<Result>, isNoticed = false): Promise<Result> {
      changesUnderWay += 1;
      try {
        await underWay;
        const before = readMarks(known);
        const isOwnChange = own !== null && isSame(before, own);
        try {
          return await work();
        } finally {
          own = isOwnChange ? readMarks(before) : null;
          if (isNoticed) isDue = true;
        }
      } finally {
        changesUnderWay -= 1;
      }
    },
    /** Waits for a running `onChange`. */
    async end(): Promise<void> {
      ending.abort();
      await polling;
    },
  };
}
