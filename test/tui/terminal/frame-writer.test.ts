import { Writable } from 'node:stream';
import { expect, test, vi } from 'vitest';
import { FrameWriter, type TerminalOutput } from '../../../src/tui/terminal/frame-writer.ts';
import { eventually } from '../../support/eventually.ts';

/** A terminal that accepts output unless it is frozen. */
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
  const owner = { isOurs: true };
  const onCaughtUp = vi.fn();
  const stdout = Object.assign(output, { columns: 80, rows: 3 }) as unknown as TerminalOutput;
  return {
    frames: new FrameWriter(owner, stdout, onCaughtUp),
    onCaughtUp,
    output,
    owner,
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

test("Ink's output is passed on unchanged, except while another program has the terminal", async () => {
  const { frames, owner, written } = openTerminal();
  frames.write('\u001b[1Aa\n');
  frames.discardOutput(() => frames.write('unseen'));
  owner.isOurs = false;
  const onTaken = vi.fn();
  frames.write('lent', 'utf8', onTaken);
  await eventually(() => expect(onTaken).toHaveBeenCalledOnce());
  owner.isOurs = true;
  frames.write('b');
  expect(written()).toBe('\u001b[1Aa\nb');
});

test('a terminal that stops reading uses bounded memory', () => {
  const { freeze, frames, output } = openTerminal();
  freeze();
  for (let count = 0; count < 1000; count += 1) frames.write(frame);
  expect(output.writableLength).toBeLessThan(100_000);
});

test('a terminal that reads again is redrawn after the output that it had accepted', async () => {
  const { freeze, frames, onCaughtUp, thaw, written } = openTerminal();
  freeze();
  for (let count = 0; count < 20; count += 1) frames.write(frame);
  frames.write('left out');
  expect(onCaughtUp).not.toHaveBeenCalled();
  thaw();
  await eventually(() => expect(onCaughtUp).toHaveBeenCalledOnce());
  frames.write('the newest');
  await eventually(() => expect(written()).toMatch(/^x+the newest$/));
});

test('a terminal that reads again while another program uses it is left alone', async () => {
  const { freeze, frames, onCaughtUp, output, owner, thaw } = openTerminal();
  freeze();
  for (let count = 0; count < 20; count += 1) frames.write(frame);
  owner.isOurs = false;
  thaw();
  await eventually(() => expect(output.writableLength).toBe(0));
  expect(onCaughtUp).not.toHaveBeenCalled();
});

test('a write calls back only after the terminal has read everything before it', async () => {
  const { freeze, frames, thaw } = openTerminal();
  const onTaken = vi.fn();
  freeze();
  frames.write(frame);
  frames.write('', onTaken);
  await new Promise((resolve) => setImmediate(resolve));
  expect(onTaken).not.toHaveBeenCalled();
  thaw();
  await eventually(() => expect(onTaken).toHaveBeenCalledOnce());
});
