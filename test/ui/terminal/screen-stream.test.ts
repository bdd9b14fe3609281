import { Writable } from 'node:stream';
import { describe, expect, test, vi } from 'vitest';
import { ScreenStream, type TerminalOutput } from '../../../src/ui/terminal/screen-stream.ts';
import { eventually } from '../../support/eventually.ts';

/** A terminal that takes what is written, or nothing more while it is frozen. */
function openTerminal(painted: readonly string[] | null = null, erasing = '') {
  let written = '';
  let isFrozen = false;
  let thaw = (): void => undefined;
  const output = new Writable({
    decodeStrings: false,
    write(chunk: string, _encoding, callback) {
      const take = (): void => {
        written += chunk;
        callback();
      };
      if (isFrozen) thaw = take;
      else take();
    },
  });
  const terminal = Object.assign(output, { columns: 80, rows: 3 }) as unknown as TerminalOutput;
  const screen = new ScreenStream(terminal, 'symbols', painted, erasing);
  return {
    screen,
    output,
    written: () => written,
    freeze: () => {
      isFrozen = true;
    },
    thaw: () => {
      isFrozen = false;
      thaw();
    },
  };
}

const frame = 'x'.repeat(10_000);

describe('a row that stands where the board is to be', () => {
  test('is erased before anything else, once, and not before', () => {
    const { screen, written } = openTerminal(null, '<erased>');
    screen.write('');
    expect(written()).toBe('');
    screen.draw(['one']);
    screen.draw(['two']);
    expect(written()).toMatch(/^<erased>\u001b\[\?1049h/);
    expect(written().match(/<erased>/g)).toHaveLength(1);
    expect(screen.takeErasing()).toBe('');
  });

  test('is for others to erase where nothing was drawn', () => {
    const { screen, written } = openTerminal(null, '<erased>');
    expect(screen.takeErasing()).toBe('<erased>');
    screen.draw(['one']);
    expect(written()).not.toContain('<erased>');
  });
});

describe('a terminal that takes nothing more', () => {
  test('costs bounded memory', () => {
    const { freeze, output, screen } = openTerminal();
    freeze();
    for (let count = 0; count < 1000; count += 1) screen.write(frame);
    expect(output.writableLength).toBeLessThan(100_000);
    expect(screen.isBehind).toBe(true);
    expect(screen.isWaiting).toBe(true);
  });

  test('is told to be drawn anew once it goes on, behind what it had taken in part', async () => {
    const { freeze, screen, thaw, written } = openTerminal();
    const onBehind = vi.fn();
    screen.on('behind', onBehind);
    freeze();
    for (let count = 0; count < 20; count += 1) screen.write(frame);
    screen.write('left out');
    expect(onBehind).not.toHaveBeenCalled();
    thaw();
    await eventually(() => expect(onBehind).toHaveBeenCalledOnce());
    expect(screen.isBehind).toBe(false);
    screen.write('the newest');
    await eventually(() => expect(written()).toContain('the newest'));
    expect(written()).not.toContain('left out');
    // From the last row, where Ink believes the cursor to be.
    expect(written()).toMatch(/^x+\u001b\[\?2026l\u001b\[3;1Hthe newest$/);
  });

  test('calls back only when it has taken everything before', async () => {
    const { freeze, screen, thaw } = openTerminal();
    const onTaken = vi.fn();
    freeze();
    screen.write(frame);
    screen.write('', onTaken);
    await new Promise((resolve) => setImmediate(resolve));
    expect(onTaken).not.toHaveBeenCalled();
    thaw();
    await eventually(() => expect(onTaken).toHaveBeenCalledOnce());
  });
});

test('the first row of the alternate screen is where a frame begins, and there the terminal reports its focus', () => {
  const { screen, written } = openTerminal();
  screen.write('\u001b[?1049h');
  expect(written()).toBe('\u001b[?1049h\u001b[H\u001b[?1004h');
  screen.write('\u001b[?1049l');
  expect(written()).toMatch(/\u001b\[\?1004l\u001b\[\?1049l$/);
});

describe('a frame', () => {
  /** As Ink writes it when it compares nothing itself. */
  const draw = (screen: ScreenStream, text: string, cursor = '') => {
    screen.write('\u001b[?2026h');
    screen.write('\u001b[?25l');
    screen.write(`\u001b[2K\u001b[1A\u001b[2K\u001b[G${text}${cursor}`);
    screen.write('\u001b[?2026l');
  };

  test('is written whole where nobody knows what stands there', () => {
    const { screen, written } = openTerminal();
    draw(screen, 'one\ntwo\nthree');
    expect(written()).toBe(
      '\u001b[?2026h\u001b[1;1H\u001b[Kone\u001b[2;1H\u001b[Ktwo\u001b[3;1H\u001b[Kthree\u001b[?2026l',
    );
  });

  test('costs what differs, and nothing where nothing does', () => {
    const { screen, written } = openTerminal();
    draw(screen, 'one\ntwo\nthree');
    const first = written().length;
    draw(screen, 'one\ntwo\nthree');
    expect(written()).toHaveLength(first);
    draw(screen, 'one\nten\nthree');
    expect(written().slice(first)).toBe('\u001b[?2026h\u001b[2;2Hen\u001b[?2026l');
  });

  test('that stands there already when the board opens is not drawn again, nor its screen entered', () => {
    const { screen, written } = openTerminal(['one', 'two', 'three']);
    screen.write('\u001b[?1049h');
    draw(screen, 'one\ntwo\nthree');
    expect(written()).toBe('\u001b[?1004h');
    draw(screen, 'one\ntwo\nfour');
    expect(written()).toMatch(/\u001b\[\?2026h\u001b\[3;1Hfour\u001b\[K\u001b\[\?2026l$/);
  });

  test('shows the cursor where it belongs, and moves it alone', () => {
    const { screen, written } = openTerminal(['one', 'two', 'three']);
    draw(screen, 'one\ntwo\nthree', '\u001b[1A\u001b[4G\u001b[?25h');
    expect(written()).toBe('\u001b[?2026h\u001b[2;4H\u001b[?25h\u001b[?2026l');
    screen.write('\u001b[?2026h');
    screen.write('\u001b[?25l\u001b[1B\u001b[1G\u001b[1A\u001b[5G\u001b[?25h');
    screen.write('\u001b[?2026l');
    expect(written()).toMatch(/\u001b\[\?2026h\u001b\[\?25l\u001b\[2;5H\u001b\[\?25h\u001b\[\?2026l$/);
    draw(screen, 'one\ntwo\nthree');
    expect(written()).toMatch(/h\u001b\[\?25l\u001b\[\?2026l$/);
  });

  test('lower than the one before leaves nothing of it', () => {
    const { screen, written } = openTerminal(['one', 'two', 'three']);
    draw(screen, 'one\n');
    expect(written()).toBe('\u001b[?2026h\u001b[2;1H\u001b[K\u001b[3;1H\u001b[J\u001b[?2026l');
  });

  test('is written whole behind the shell, another size, and what was left out', () => {
    const { output, screen, written } = openTerminal(['one', 'two', 'three']);
    const wholeFrames = () => written().split('\u001b[1;1H\u001b[Kone\u001b[2;1H\u001b[Ktwo').length - 1;
    screen.write('\u001b[?1049l');
    draw(screen, 'one\ntwo\nthree');
    expect(wholeFrames()).toBe(1);
    output.emit('resize');
    draw(screen, 'one\ntwo\nthree');
    expect(wholeFrames()).toBe(2);
  });
});

test('resizing and errors are handed on until it is closed', () => {
  const { output, screen } = openTerminal();
  const seen = vi.fn();
  screen.on('resize', () => seen('resize'));
  screen.on('error', () => seen('error'));
  output.emit('resize');
  output.emit('error', new Error('gone'));
  screen.close();
  output.emit('resize');
  expect(seen.mock.calls.flat()).toEqual(['resize', 'error']);
});
