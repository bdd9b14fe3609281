import { closeSync, openSync } from 'node:fs';
import { PassThrough, Writable } from 'node:stream';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { describeFailure } from '../../src/settings/errors.ts';
import { createOutput, isFile, outputError, type WriteBytes } from '../../src/system/standard-streams.ts';
import { forAll } from '../support/for-all.ts';

const failure = (code: string): NodeJS.ErrnoException => Object.assign(new Error(`${code}: write`), { code });

describe.skipIf(process.platform === 'win32')('isFile', () => {
  it.each([import.meta.filename, '/', '/dev/null'])('is true of %s', (path) => {
    const descriptor = openSync(path, 'r');
    expect(isFile(descriptor)).toBe(true);
    closeSync(descriptor);
  });

  it('is false if the descriptor is closed', () => expect(isFile(987)).toBe(false));
});

/** An output on a fake file, with the failures that it reported. */
function outputOn(writeBytes: WriteBytes | null, stream: Writable = new PassThrough()) {
  const failures: (string | undefined)[] = [];
  const output = createOutput({
    stream,
    size: null,
    writeBytes,
    onFailure: ({ code }) => failures.push(code),
  });
  return { output, failures };
}

describe('an output that goes to a file', () => {
  it('writes everything, even if the system accepts only a few bytes at a time', () => {
    const pieces = fc.array(fc.string({ unit: 'grapheme' }));
    const writeSizes = fc.infiniteStream(fc.integer({ min: 1, max: 5 }));
    forAll(pieces, writeSizes, (texts, mostAtOnce) => {
      const written: Uint8Array[] = [];
      const { output, failures } = outputOn((bytes) => {
        const part = bytes.slice(0, mostAtOnce.next().value);
        written.push(part);
        return part.length;
      });
      for (const text of texts) output.write(text);
      expect(Buffer.concat(written).toString('utf8')).toBe(texts.join(''));
      expect(failures).toEqual([]);
    });
  });

  it('reports a full disk once and stops writing', () => {
    let free = 4;
    let calls = 0;
    const { output, failures } = outputOn((bytes) => {
      calls += 1;
      if (free === 0) throw failure('ENOSPC');
      const written = Math.min(free, bytes.length);
      free -= written;
      return written;
    });
    output.write('abc');
    expect(failures).toEqual([]);
    output.write('def');
    expect(failures).toEqual(['ENOSPC']);
    const before = calls;
    output.write('ghi');
    expect({ calls, failures }).toEqual({ calls: before, failures: ['ENOSPC'] });
  });

  it('fails if the system accepts no bytes', () => {
    const { output, failures } = outputOn(() => 0);
    output.write('abc');
    expect(failures).toHaveLength(1);
  });

  it('reports a disk error as a failure', () => {
    const { output, failures } = outputOn(() => {
      throw failure('EIO');
    });
    output.write('abc');
    expect(failures).toEqual(['EIO']);
  });
});

describe('an output that goes to a pipe or a terminal', () => {
  /** A stream on which every write fails. */
  const failing = (code: string): Writable =>
    new Writable({
      write: (_chunk, _encoding, done) => done(failure(code)),
      // Like Node's standard output, it is never closed.
      emitClose: false,
    }).on('error', () => undefined);

  it.each(['EPIPE', 'EIO', 'ECONNRESET'])('ignores a reader that is gone (%s)', async (code) => {
    const { output, failures } = outputOn(null, failing(code));
    output.write('abc');
    await new Promise(setImmediate);
    expect(failures).toEqual([]);
  });

  it('reports any other failure', async () => {
    const { output, failures } = outputOn(null, failing('ENOSPC'));
    output.write('abc');
    output.write('def');
    await new Promise(setImmediate);
    expect(failures).toEqual(['ENOSPC']);
  });
});

it.each(['ENOSPC', 'EDQUOT', 'EFBIG', 'EBADF', 'EISDIR', 'EIO', 'ESTALE'])(
  'says in a sentence, not a bug report, that results could not be written: %s',
  (code) => {
    const { message, exitCode } = describeFailure(outputError(failure(code)));
    expect(exitCode).toBe(1);
    expect(message).toMatch(/^[A-Z][^\n]+standard output[^\n]+\.$/);
    expect(message).not.toMatch(/bug/);
  },
);
