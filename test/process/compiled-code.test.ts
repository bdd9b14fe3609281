import { describe, expect, it } from 'vitest';
import { type CompiledCodeSource, compiledCodeFolder } from '../../src/process/compiled-code.ts';

type Facts = NonNullable<ReturnType<CompiledCodeSource['look']>>;

const [cache, data] = ['/home/ada/.cache/parcel-monitor', '/home/ada/.local/share/parcel-monitor'];

const folder = (facts: Partial<Facts> = {}): Facts => ({ uid: 1000, mode: 0o40700, isDirectory: () => true, ...facts });

/** What is decided, and which folders are made, where these are there. */
function decide(there: Readonly<Record<string, Facts>>, given: Partial<CompiledCodeSource> = {}) {
  const found = { ...there };
  const made: string[] = [];
  const answer = compiledCodeFolder({
    environment: {},
    homeDirectory: '/home/ada',
    platform: 'linux',
    userId: 1000,
    isDemo: false,
    look: (path) => found[path] ?? null,
    makeFolder: (path) => {
      made.push(path);
      found[path] = folder();
    },
    ...given,
  });
  return { answer, made };
}

describe('the folder for compiled code', () => {
  it('lies in the cache of whoever has a watchlist, and is made when it is missing', () => {
    expect(decide({ [data]: folder(), [cache]: folder() })).toEqual({ answer: `${cache}/code`, made: [] });
    expect(decide({ [data]: folder() })).toEqual({ answer: `${cache}/code`, made: [cache] });
  });

  it('is there for a watchlist in a database as well, of which this host keeps only the name', () => {
    const file = folder({ mode: 0o100600, isDirectory: () => false });
    expect(decide({ '/home/ada/.local/state/parcel-monitor/store.json': file })).toEqual({
      answer: `${cache}/code`,
      made: [cache],
    });
    expect(decide({ '/home/ada/.local/state/parcel-monitor': folder() })).toEqual({ answer: null, made: [] });
  });

  it('leaves whoever has no watchlist, and the demonstration, without a trace', () => {
    expect(decide({})).toEqual({ answer: null, made: [] });
    expect(decide({ [cache]: folder() })).toEqual({ answer: null, made: [] });
    expect(decide({ [data]: folder() }, { isDemo: true })).toEqual({ answer: null, made: [] });
  });

  it.each([
    ['belongs to somebody else, as with sudo', { uid: 1000 }, 0],
    ['can be written by the group', { mode: 0o40770 }, 1000],
    ['can be written by everybody', { mode: 0o40707 }, 1000],
    ['is a link or a file', { isDirectory: () => false }, 1000],
  ])('is not used when it %s', (_case, facts, userId) => {
    expect(decide({ [data]: folder(), [cache]: folder(facts) }, { userId }).answer).toBeNull();
  });

  it("needs no owner on Windows, where the folder is the user's own", () => {
    const local = { LOCALAPPDATA: 'C:\\Users\\ada\\AppData\\Local', APPDATA: 'C:\\Users\\ada\\AppData\\Roaming' };
    const windows = { environment: local, platform: 'win32', homeDirectory: null, userId: null };
    const there = {
      'C:\\Users\\ada\\AppData\\Roaming\\parcel-monitor': folder({ mode: 0o40666 }),
      'C:\\Users\\ada\\AppData\\Local\\parcel-monitor\\Cache': folder({ mode: 0o40666 }),
    };
    expect(decide(there, windows).answer).toMatch(/Cache[\\/]code$/);
  });

  it('is nowhere when no home is known', () => {
    expect(decide({}, { homeDirectory: null }).answer).toBeNull();
    expect(decide({}, { homeDirectory: 'ada' }).answer).toBeNull();
  });
});
