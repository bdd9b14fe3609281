import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { expect, it } from 'vitest';
import { UsageError } from '../../src/settings/errors.ts';
import { maxEnteredBytes, maxEnteredLines, readEntered } from '../../src/settings/read-text.ts';
import type { Output } from '../../src/system/standard-streams.ts';
import { createTestFolder } from '../support/test-folder.ts';

const mebibyte = 1024 * 1024;

function createContext(pieces: Iterable<Uint8Array> = []) {
  const messages: string[] = [];
  const stderr: Output = { write: (text) => void messages.push(text), isTerminal: false, columns: null, rows: null };
  return { messages, stderr, stdin: () => Readable.from(pieces) };
}

it('reads standard input in chunks of any size', async () => {
  const bytes = Buffer.from('LX1,Größe\n');
  expect(await readEntered(createContext([...bytes].map((byte) => Uint8Array.of(byte))), '-')).toBe('LX1,Größe\n');
});

it('stops reading endless standard input at the limit, with advice', async () => {
  let sent = 0;
  function* endless(): Iterable<Uint8Array> {
    for (;;) {
      sent += mebibyte;
      yield new Uint8Array(mebibyte).fill(0x31);
    }
  }
  const failure = await readEntered(createContext(endless()), '-').catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(UsageError);
  expect(String(failure)).toMatch(/Standard input contains more than 64 MiB.*Nothing was read\. Split it/);
  expect(sent).toBeLessThan(maxEnteredBytes + 32 * mebibyte);
});

it('accepts long lists, up to a limit that saves memory', async () => {
  const linesOf = (count: number) => createContext([Buffer.from('LX1\n'.repeat(count))]);
  expect(await readEntered(linesOf(maxEnteredLines), '-')).toHaveLength(4 * maxEnteredLines);
  await expect(readEntered(linesOf(maxEnteredLines + 1), '-')).rejects.toThrow(
    /more than 200000 lines.*Nothing was read/,
  );
  const json = `[\n${'1,\n'.repeat(maxEnteredLines)}1]`;
  expect(await readEntered(createContext([Buffer.from(json)]), '-')).toBe(json);
});

it('reports a doubtful encoding, and why a file cannot be read', async () => {
  const folder = await createTestFolder();
  const file = join(folder, 'list.csv');
  await writeFile(file, Uint8Array.of(0x4c, 0x58, 0x31, 0x2c, 0xe9));
  const { messages, ...context } = createContext();
  expect(await readEntered(context, file)).toBe('LX1,é');
  expect(messages.join('')).toContain(`${file} is not in UTF-8 and was read as Windows-1252`);
  await expect(readEntered(context, join(folder, 'none'))).rejects.toThrow(/^There is no file .*none\.$/);
  await expect(readEntered(context, folder)).rejects.toThrow(/is a folder, not a file\. Choose a file in it/);
});
