import { EventEmitter, once } from 'node:events';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { runKeys } from '../../../src/tui/app/keymap.ts';
import { type MouseReport, maxPasteLength } from '../../../src/tui/terminal/input-tokens.ts';
import { KeyStream } from '../../../src/tui/terminal/key-stream.ts';
import { eventually } from '../../support/eventually.ts';

const start = '\u001b[200~';
const end = '\u001b[201~';
const interrupt = '\u0003';

let isPaused = false;
const openStreams: KeyStream[] = [];
afterEach(() => {
  for (const stream of openStreams.splice(0)) stream.destroy();
  vi.useRealTimers();
});

/** Opens a stream of the keys that a user types in a terminal. */
function openKeys() {
  const source = Object.assign(new EventEmitter(), {
    setEncoding: () => undefined,
    resume: () => {
      isPaused = false;
    },
    pause: () => {
      isPaused = true;
    },
  });
  const keys = new KeyStream(source, runKeys);
  openStreams.push(keys);
  return { keys, type: (read: string) => void source.emit('data', read) };
}

/** The next key and how often it was pressed. */
async function nextKey(keys: KeyStream): Promise<readonly [key: string, times: number]> {
  for (;;) {
    const key: string | null = keys.read();
    if (key !== null) return [key, keys.repeats];
    await once(keys, 'readable');
  }
}

describe('pending keys', () => {
  test('arrive one by one, with repeats merged', async () => {
    const { keys, type } = openKeys();
    type('j'.repeat(10_000));
    type('xxq');
    const received = [await nextKey(keys)];
    keys.isMerged = true;
    for (let count = 0; count < 4; count += 1) received.push(await nextKey(keys));
    expect(received).toEqual([
      ['j', 1],
      ['j', 9_999],
      ['x', 1],
      ['x', 1],
      ['q', 1],
    ]);
  });

  test('are overtaken by Ctrl+C when they take too long', async () => {
    vi.useFakeTimers();
    const { keys, type } = openKeys();
    const interrupted = vi.fn();
    keys.on('interrupt', interrupted);
    type(`${'xy'.repeat(3)}${interrupt}`);
    expect(interrupted).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1000);
    expect(interrupted).toHaveBeenCalled();
  });

  test('are left in the terminal above a limit', async () => {
    const { keys, type } = openKeys();
    keys.ref();
    for (let count = 0; count < 20; count += 1) type('x'.repeat(10_000));
    expect(isPaused).toBe(true);
    await nextKey(keys);
    keys.isMerged = true;
    await nextKey(keys);
    await eventually(() => expect(isPaused).toBe(false));
  });
});

test('Alt with a key edits in a text field, and counts as Escape and that key elsewhere', async () => {
  const { keys, type } = openKeys();
  const next = async (): Promise<unknown> => (await nextKey(keys))[0];
  type('\u001bd\u001bd\u001bbq');
  expect(await next()).toBe('\u001bd');
  keys.isTyping = false;
  expect([await next(), await next()]).toEqual(['\u001b[27u', 'd']);
  expect([await next(), await next(), await next()]).toEqual(['\u001b[27u', 'b', 'q']);
});

describe('a paste', () => {
  test('in many reads arrives as one', async () => {
    const { keys, type } = openKeys();
    for (const piece of [`x${start}one `, 'two', '', `${end.slice(0, 3)}`, `${end.slice(3)}y`]) type(piece);
    const received = [await nextKey(keys), await nextKey(keys), await nextKey(keys)].map(([key]) => key);
    expect(received).toEqual(['x', `${start}one two${end}`, 'y']);
  });

  test.each([
    ['in the same read', [`\u001b${start}one\rtwo${end}`]],
    ['in a separate read', ['\u001b', `${start}one\rtwo${end}`]],
    ['in the same read as the Escape that begins the paste marker', ['\u001b\u001b', `[200~one\rtwo${end}`]],
  ])('is recognised after an Escape %s', async (_name, reads) => {
    const { keys, type } = openKeys();
    for (const read of reads) type(read);
    expect((await nextKey(keys))[0]).toBe('\u001b[27u');
    expect((await nextKey(keys))[0]).toBe(`${start}one\rtwo${end}`);
  });

  test('is recognised if its first Escape came long before the rest', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const { keys, type } = openKeys();
    type('\u001b\u001b');
    vi.advanceTimersByTime(30);
    type(`[200~one\rtwo${end}`);
    expect((await nextKey(keys))[0]).toBe('\u001b[27u');
    expect((await nextKey(keys))[0]).toBe(`${start}one\rtwo${end}`);
  });

  test('is finished after a pause if it never ends, and keys work again', async () => {
    vi.useFakeTimers();
    const { keys, type } = openKeys();
    type(`${start}RB100000005CN`);
    vi.advanceTimersByTime(1500);
    type('j');
    vi.useRealTimers();
    expect(await nextKey(keys)).toEqual([`${start}RB100000005CN${end}`, 1]);
    expect(await nextKey(keys)).toEqual(['j', 1]);
  });

  test('is not typed as keys if it continues after a pause', async () => {
    vi.useFakeTimers();
    const { keys, type } = openKeys();
    type(`${start}RB100000005CN\n`);
    vi.advanceTimersByTime(1500);
    type('RB100000014CN\nRB10');
    type(`0000028CN${end}j`);
    vi.useRealTimers();
    expect(await nextKey(keys)).toEqual([`${start}RB100000005CN\n${end}`, 1]);
    expect(await nextKey(keys)).toEqual([`${start}RB100000014CN\nRB100000028CN${end}`, 1]);
    expect(await nextKey(keys)).toEqual(['j', 1]);
  });

  test('does not swallow Ctrl+C if it never ends', () => {
    vi.useFakeTimers();
    const { keys, type } = openKeys();
    const interrupted = vi.fn();
    keys.on('interrupt', interrupted);
    type(`${start}RB100000005CN`);
    type(interrupt);
    vi.advanceTimersByTime(500);
    expect(interrupted).toHaveBeenCalledOnce();
  });

  test('can contain a Ctrl+C character', async () => {
    const { keys, type } = openKeys();
    const interrupted = vi.fn();
    keys.on('interrupt', interrupted);
    type(`${start}one${interrupt}`);
    type(`two${end}`);
    expect((await nextKey(keys))[0]).toBe(`${start}one${interrupt}two${end}`);
    expect(interrupted).not.toHaveBeenCalled();
  });

  test('is cut off one character above the maximum length', async () => {
    const { keys, type } = openKeys();
    type(start);
    for (let count = 0; count < 200; count += 1) type('x'.repeat(10_000));
    type(`${end}y`);
    expect((await nextKey(keys))[0]).toBe(`${start}${'x'.repeat(maxPasteLength + 1)}${end}`);
    expect((await nextKey(keys))[0]).toBe('y');
  });
});

describe('a focus report', () => {
  const [focusIn, focusOut] = ['\u001b[I', '\u001b[O'];

  /** Like {@link openKeys}, but also collects the reports. */
  function openReportedKeys() {
    const opened = openKeys();
    const reported: boolean[] = [];
    opened.keys.on('focus', (isFocused: boolean) => reported.push(isFocused));
    return { ...opened, reported };
  }

  test('is not a key', async () => {
    const { keys, reported, type } = openReportedKeys();
    type(`x${focusOut}y${focusIn}${focusOut}z`);
    expect(reported).toEqual([false, true, false]);
    expect([await nextKey(keys), await nextKey(keys), await nextKey(keys)].map(([key]) => key)).toEqual([
      'x',
      'y',
      'z',
    ]);
  });

  test('is not a key if it arrives in many reads, starting with a single Escape', async () => {
    vi.useFakeTimers();
    const { keys, reported, type } = openReportedKeys();
    for (const piece of ['\u001b', '[', 'I']) type(piece);
    type('\u001b[');
    vi.advanceTimersByTime(100);
    type('Ox');
    vi.useRealTimers();
    expect(reported).toEqual([true, false]);
    expect((await nextKey(keys))[0]).toBe('x');
  });

  test('passes an Escape but types nothing if its Escape came long before the rest', async () => {
    vi.useFakeTimers();
    const { keys, reported, type } = openReportedKeys();
    type('\u001b');
    vi.advanceTimersByTime(100);
    type('[I');
    type('x');
    vi.useRealTimers();
    expect(reported).toEqual([true]);
    expect([await nextKey(keys), await nextKey(keys)].map(([key]) => key)).toEqual(['\u001b[27u', 'x']);
  });

  test('keeps an Escape that precedes it', async () => {
    const { keys, reported, type } = openReportedKeys();
    type(`\u001b${focusOut}x`);
    expect(reported).toEqual([false]);
    expect([await nextKey(keys), await nextKey(keys)].map(([key]) => key)).toEqual(['\u001b[27u', 'x']);
  });

  test('in the middle of a paste is not pasted, wherever the reads are split', async () => {
    const input = `x${start}RB1000${focusOut}00005CN${focusIn}${end}y`;
    for (let at = 0; at <= input.length; at += 1) {
      const { keys, reported, type } = openReportedKeys();
      type(input.slice(0, at));
      type(input.slice(at));
      const received = [await nextKey(keys), await nextKey(keys), await nextKey(keys)].map(([key]) => key);
      expect(received).toEqual(['x', `${start}RB100000005CN${end}`, 'y']);
      expect(reported.at(-1)).toBe(true);
    }
  });

  test('is not part of text that is pasted without paste markers', async () => {
    const { keys, type } = openReportedKeys();
    type(`RB10000000${focusIn}0014CNRB10\r`);
    const received = [await nextKey(keys), await nextKey(keys), await nextKey(keys)].map(([key]) => key);
    expect(received).toEqual([`${start}RB10000000${end}`, `${start}0014CNRB10${end}`, '\r']);
  });
});

describe('a mouse report', () => {
  const [click, wheel] = ['\u001b[<0;12;5M', '\u001b[<65;12;5M'];

  /** Like {@link openKeys}, but also collects the reports. */
  function openReportedKeys() {
    const opened = openKeys();
    const reported: MouseReport[] = [];
    opened.keys.on('mouse', (report: MouseReport) => reported.push(report));
    return { ...opened, reported };
  }

  test('is not a key, and arrives in order, with wheel turns combined', async () => {
    const { keys, reported, type } = openReportedKeys();
    type(`x${click}\u001b[<0;12;5my${wheel}${wheel}\u001b${wheel}z`);
    expect((await nextKey(keys))[0]).toBe('x');
    expect(reported).toEqual([]);
    expect((await nextKey(keys))[0]).toBe('y');
    expect(reported).toEqual([{ kind: 'click', column: 11, row: 4, times: 1 }]);
    expect((await nextKey(keys))[0]).toBe('\u001b[27u');
    expect(reported.at(-1)).toEqual({ kind: 'wheel-down', column: 11, row: 4, times: 2 });
    expect((await nextKey(keys))[0]).toBe('z');
    expect(reported).toHaveLength(3);
  });

  test('is never typed, wherever the reads are split and however long the rest takes', async () => {
    for (let at = 1; at < click.length; at += 1) {
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
      const { keys, reported, type } = openReportedKeys();
      type(`${click.slice(0, at)}`);
      vi.advanceTimersByTime(1000);
      type(`${click.slice(at)}x`);
      vi.useRealTimers();
      const received: string[] = [];
      while (received.at(-1) !== 'x') received.push((await nextKey(keys))[0]);
      // The start of the sequence was passed on as separate keys.
      expect(received).toEqual([...(at > 2 ? [] : ['\u001b[27u', ...(at === 2 ? ['['] : [])]), 'x']);
      expect(reported).toHaveLength(1);
    }
  });

  test('does not swallow a key if its rest never arrives', async () => {
    const { keys, reported, type } = openReportedKeys();
    type('\u001b[<0;1');
    type('q');
    expect((await nextKey(keys))[0]).toBe('q');
    expect(reported).toEqual([]);
  });

  test('in the middle of a paste is not pasted', async () => {
    const { keys, type } = openReportedKeys();
    type(`${start}RB1000${wheel}00005CN${end}y`);
    expect((await nextKey(keys))[0]).toBe(`${start}RB100000005CN${end}`);
  });
});

test('a reply to DA1 is never typed, wherever the reads are split', async () => {
  const reply = '\u001b[?62;22c';
  for (let at = 3; at < reply.length; at += 1) {
    const { keys, type } = openKeys();
    let replies = 0;
    keys.on('answered', () => {
      replies += 1;
    });
    type(reply.slice(0, at));
    type(`${reply.slice(at)}x`);
    expect([(await nextKey(keys))[0], replies]).toEqual(['x', 1]);
  }
});

test('a reply with the background colour is never typed, wherever the reads are split and however long the rest takes', async () => {
  for (const end of ['\u0007', '\u001b\\']) {
    const reply = `\u001b]11;rgb:fdfd/f6f6/e3e3${end}`;
    for (let at = 1; at < reply.length; at += 1) {
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
      const { keys, type } = openKeys();
      const backgrounds: unknown[] = [];
      keys.on('background', (background: unknown) => backgrounds.push(background));
      type(reply.slice(0, at));
      vi.advanceTimersByTime(1000);
      type(`${reply.slice(at)}x`);
      vi.useRealTimers();
      const received: string[] = [];
      while (received.at(-1) !== 'x') received.push((await nextKey(keys))[0]);
      // The start of the sequence was passed on as separate keys.
      expect(received).toEqual([...(at > 4 ? [] : ['\u001b[27u', ...reply.slice(1, at)]), 'x']);
      expect(backgrounds).toEqual(['light']);
    }
  }
});
