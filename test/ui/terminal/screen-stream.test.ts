import { Writable } from 'node:stream';
import { describe, expect, test, vi } from 'vitest';
import { ScreenStream, type TerminalOutput } from '../../../src/ui/terminal/screen-stream.ts';
import { eventually } from '../../support/eventually.ts';

/** A terminal that takes what is written, or nothing more while it is frozen. */
function openTerminal() {
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
  const screen = new ScreenStream(Object.assign(output, { columns: 80, rows: 24 }) as unknown as TerminalOutput);
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
    expect(written()).toMatch(/^x+\u001b\[\?2026l\u001b\[24;1Hthe newest$/);
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
