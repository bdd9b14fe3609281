import { chmod, mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, test } from 'vitest';
import {
  createViewMemory,
  firstView,
  mergeLines,
  readLines,
  readView,
  type SavedView,
  ViewKeeper,
  type ViewMemory,
  withEnteredNumbers,
  withoutNumbers,
} from '../../src/store/saved-view.ts';
import { createFileDocument } from '../../src/store/shared-state.ts';
import type { Document } from '../../src/store/store.ts';
import { createFakeClock } from '../support/fake-clock.ts';
import { realClock } from '../support/real-clock.ts';
import { createTestFolder } from '../support/test-folder.ts';

let folder = '';
let path = '';
beforeEach(async () => {
  folder = await createTestFolder();
  path = join(folder, 'state', 'view.json');
});

const at = (file: string): Document<SavedView> =>
  createFileDocument(file, readView, { clock: realClock, random: Math.random, processes: null });
const open = (): ViewMemory => createViewMemory(at(path));

const view: SavedView = {
  order: 'courier',
  isReversed: true,
  filter: 'dhl berlin',
  view: 'Late',
  columns: { Late: { chosen: ['label', 'tags'], instead: [] } },
  selectedId: 'p7',
  collapsed: ['delivered', 'expired'],
  listed: 'archive',
  timeMode: 'utc',
  isInEnglish: true,
  zoomedPane: 'timeline',
  isSilent: true,
  seen: { seq: 41, at: 1_795_000_000_000 },
  newsSeq: 40,
  entered: ['RB100000005CN @china-post', 'LX123456789CN'],
};

describe('the view memory', () => {
  it('keeps the view across a restart, readable only by the user', async () => {
    await open().update(view);
    expect(await open().load()).toEqual(view);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
  });

  it('is empty at first', async () => expect(await open().load()).toEqual(firstView));

  it("keeps both boards' changes, and the last change to the same field", async () => {
    const [first, second] = [open(), open()];
    await first.update({ isSilent: true, filter: 'lamp' });
    await second.update({ filter: 'kettle' });
    expect(await open().load()).toEqual({ ...firstView, isSilent: true, filter: 'kettle' });
  });

  it('forgets deleted numbers, regardless of the board they were entered on, and keeps no list of them', async () => {
    await open().update({ entered: ['RB1', 'RB2'] });
    await open().update({ entered: ['RB3'], forgotten: ['RB1'] });
    expect(await open().load()).toEqual({ ...firstView, entered: ['RB2', 'RB3'] });
    expect(await readFile(path, 'utf8')).not.toMatch(/forgotten|RB1/);
  });

  it("keeps both boards' entries, with the latest at the end", async () => {
    await open().update({ entered: ['RB1', 'RB2'] });
    await open().update({ entered: ['RB1', 'RB3'] });
    expect((await open().load()).entered).toEqual(['RB2', 'RB1', 'RB3']);
    await open().update({ filter: 'lamp' });
    expect((await open().load()).entered).toEqual(['RB2', 'RB1', 'RB3']);
  });

  it('does not write unchanged values', async () => {
    await open().update(view);
    const before = await stat(path);
    await open().update({ filter: 'dhl berlin', collapsed: ['delivered', 'expired'] });
    expect((await stat(path)).ino).toBe(before.ino);
  });

  it.each([
    ['damaged', '{"order', firstView],
    ['of the wrong shape', '[1]', firstView],
    ['from the previous version', '{"version":1,"timeMode":"local"}', { ...firstView, timeMode: 'local' }],
    [
      'invalid in some fields',
      '{"order":7,"isReversed":"yes","filter":{},"selectedId":[],"collapsed":["delivered",3],"listed":"all","timeMode":"utc","zoomedPane":0,"isSilent":1,"seen":{"seq":-1,"at":0},"newsSeq":1.5,"entered":["RB1",7,"la\\u001b[2J"]}',
      { ...firstView, collapsed: ['delivered'], timeMode: 'utc', entered: ['RB1'] },
    ],
    ['hostile in its filter', '{"filter":"la\\u001b[2Jmp\\u202e"}', { ...firstView, filter: 'lamp' }],
  ])('reads what it can from a file that is %s', async (_name, text, expected) => {
    await mkdir(join(folder, 'state'));
    await writeFile(path, text);
    expect(await open().load()).toEqual(expected);
  });

  it.skipIf(process.getuid?.() === 0)('is read from a folder that cannot be written', async () => {
    await open().update(view);
    await chmod(join(folder, 'state'), 0o500);
    try {
      expect(await open().load()).toEqual(view);
      await expect(open().update({ filter: '' })).rejects.toThrow(/view\.json/);
    } finally {
      await chmod(join(folder, 'state'), 0o700);
    }
    expect(await readFile(path, 'utf8')).toContain('dhl berlin');
  });
});

it('keeps a view for each watchlist, but shares the order and the notification settings', async () => {
  const document = at(join(folder, 'view.json'));
  const shared = createViewMemory(document);
  const first = createViewMemory(document, at(join(folder, 'view-1.json')));
  const second = createViewMemory(document, at(join(folder, 'view-2.json')));
  await shared.update({ filter: 'of files', seen: { seq: 70, at: 7 }, newsSeq: 70, order: 'label' });
  expect(await first.load()).toEqual({ ...firstView, order: 'label' });
  await first.update({ filter: 'red', collapsed: ['done'], newsSeq: 3, isSilent: true, entered: ['RB1CN'] });
  expect(await first.load()).toMatchObject({
    filter: 'red',
    newsSeq: 3,
    isSilent: true,
    entered: ['RB1CN'],
    order: 'label',
  });
  expect(await second.load()).toEqual({ ...firstView, order: 'label', isSilent: true });
  expect(await shared.load()).toMatchObject({ filter: 'of files', newsSeq: 70, isSilent: true });
});

function createKeeper(update: (changes: Partial<SavedView>) => Promise<void>) {
  const clock = createFakeClock();
  const problems: unknown[] = [];
  const keeper = new ViewKeeper({ memory: { update }, clock, onProblem: (error) => void problems.push(error) });
  return { clock, keeper, problems };
}

function createRecordingKeeper() {
  const written: Partial<SavedView>[] = [];
  const update = async (changes: Partial<SavedView>): Promise<void> => void written.push(changes);
  return { ...createKeeper(update), written };
}

describe('keeping the view', () => {
  it('writes consecutive changes together, a moment after the last', async () => {
    const { clock, keeper, written } = createRecordingKeeper();
    keeper.keep({ selectedId: 'p1' });
    await clock.advance(900);
    keeper.keep({ selectedId: 'p2', timeMode: 'utc' });
    await clock.advance(900);
    expect(written).toEqual([]);
    await clock.advance(200);
    expect(written).toEqual([{ selectedId: 'p2', timeMode: 'utc' }]);
  });

  it('neither writes nor sets a timer if nothing changes', async () => {
    const { clock, keeper, written } = createRecordingKeeper();
    keeper.keep({ filter: 'lamp' });
    await clock.advance(5_000);
    expect(clock.timers()).toBe(0);
    await keeper.close();
    expect(written).toHaveLength(1);
  });

  it('writes pending changes on close, and waits for them', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const started: Partial<SavedView>[] = [];
    const { clock, keeper } = createKeeper((changes) => {
      started.push(changes);
      return promise;
    });
    keeper.keep({ filter: 'lamp' });
    await clock.advance(1_000);
    keeper.keep({ filter: 'kettle' });
    let isClosed = false;
    const closed = keeper.close().then(() => {
      isClosed = true;
    });
    await clock.advance(0);
    expect(started).toEqual([{ filter: 'lamp' }, { filter: 'kettle' }]);
    expect(isClosed).toBe(false);
    resolve();
    await closed;
    expect(clock.timers()).toBe(0);
  });

  it('reports once that the view cannot be saved, and continues', async () => {
    const { clock, keeper, problems } = createKeeper(() => Promise.reject(new Error('read-only')));
    keeper.keep({ filter: 'a' });
    await clock.advance(1_000);
    keeper.keep({ filter: 'b' });
    await keeper.close();
    expect(problems).toEqual([new Error('read-only')]);
  });
});

const number = (trackNo: string, courierCode: string | null = null) => ({ trackNo, courierCode });

test('saves numbers that were entered together on one line, with their couriers', () => {
  expect(withEnteredNumbers(['RB1'], [number('LX2', 'yanwen'), number('RB3')])).toEqual(['RB1', 'LX2 @yanwen, RB3']);
});

test('moves a line that is entered again to the end', () => {
  expect(withEnteredNumbers(['RB1', 'RB2'], [number('RB1')])).toEqual(['RB2', 'RB1']);
});

test('removes a forgotten number from all lines, for any courier', () => {
  const lines = ['RB1', 'LX2 @yanwen, rb1 @usps, RB12', 'RB12'];
  expect(withoutNumbers(lines, ['RB1'])).toEqual(['LX2 @yanwen, RB12', 'RB12']);
});

test('does not save a long list, since it is not edited by hand', () => {
  const many = Array.from({ length: 11 }, (_, index) => number(`RB${index}`));
  expect(withEnteredNumbers(['RB1'], many)).toEqual(['RB1']);
  expect(withEnteredNumbers(['RB1'], [])).toEqual(['RB1']);
});

test('keeps the newest hundred lines', () => {
  const lines = Array.from({ length: 150 }, (_, index) => `RB${index}`);
  expect(mergeLines(lines.slice(0, 100), lines.slice(100))).toEqual(lines.slice(50));
  expect(readLines(lines)).toEqual(lines.slice(50));
});

test.each([undefined, 'RB1', [7, '', 'a\u001b[2Jb', 'x'.repeat(1_001), ' RB1']])(
  'ignores lines that are not ours: %j',
  (value) => {
    expect(readLines(value)).toEqual([]);
  },
);
