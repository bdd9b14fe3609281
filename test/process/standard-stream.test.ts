import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { Writable } from 'node:stream';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createOwnStream, descriptorKind, isPipe, isSamePipe } from '../../src/process/standard-stream.ts';

const failure = (code: string): NodeJS.ErrnoException => Object.assign(new Error(`${code}: write`), { code });

/** Node's stream, which takes everything; what it was given, after what was there before. */
function nodeStream(taken: Uint8Array[]): Writable {
  return new Writable({
    decodeStrings: true,
    write: (chunk: Buffer, _encoding, done) => {
      taken.push(chunk);
      done();
    },
  });
}

/** A pipe that takes as much as `appetite` says each time; a word stands for an error. */
function pipeStream(appetite: () => number | string) {
  const taken: Uint8Array[] = [];
  let opened = 0;
  const stream = createOwnStream({
    open: () => {
      opened += 1;
      return nodeStream(taken);
    },
    writeLater: (bytes, written) => {
      const most = appetite();
      setImmediate(() => {
        if (typeof most === 'string') return written(failure(most), 0);
        taken.push(bytes.slice(0, most));
        written(null, Math.min(most, bytes.length));
      });
    },
  });
  return { stream, text: () => Buffer.concat(taken).toString('utf8'), opened: () => opened };
}

const whole = (): number => 1_000_000;

describe('a stream that writes to a pipe by itself', () => {
  it("keeps the order and loses nothing, and hands the rest to Node's where it would have to wait", async () => {
    const answers = fc.infiniteStream(
      fc.oneof({ weight: 9, arbitrary: fc.integer({ min: 1, max: 5 }) }, fc.constant('EAGAIN')),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(fc.string({ unit: 'grapheme' })), answers, async (texts, next) => {
        const { stream, text } = pipeStream(() => next.next().value);
        for (const piece of texts) stream.write(piece);
        await new Promise<void>((resolve) => stream.write('', () => resolve()));
        expect(text()).toBe(texts.join(''));
      }),
    );
  });

  it("leaves Node's stream closed, and says when everything is written", async () => {
    const { opened, stream, text } = pipeStream(whole);
    const written: string[] = [];
    stream.write('one', () => written.push('one'));
    stream.write('two', () => written.push('two'));
    expect(stream.writableLength).toBe(2);
    await new Promise<void>((resolve) => stream.write('', () => resolve()));
    expect({ written, text: text(), opened: opened(), rest: stream.writableLength }).toEqual({
      written: ['one', 'two'],
      text: 'onetwo',
      opened: 0,
      rest: 0,
    });
  });

  it('tells of a reader that has gone, to whoever listens and whoever wrote', async () => {
    const { stream } = pipeStream(() => 'EPIPE');
    const heard: unknown[] = [];
    stream.on('error', (error) => heard.push(error));
    const error = await new Promise((resolve) => stream.write('one', resolve));
    expect(error).toMatchObject({ code: 'EPIPE' });
    expect(heard).toEqual([error]);
  });

  it("writes at once by Node's stream when the process is about to end, although a write waits", () => {
    const { stream, text } = pipeStream(whole);
    stream.write('waits for ever');
    stream.opened().write('last words');
    expect(text()).toBe('last words');
  });
});

describe("a stream that is Node's", () => {
  it('is opened by the first write, and those who listened before hear of its errors', () => {
    let node: Writable | null = null;
    const stream = createOwnStream({
      open: () => {
        node = nodeStream([]);
        return node;
      },
      writeLater: null,
    });
    const heard: Error[] = [];
    stream.on('error', (error) => heard.push(error));
    expect(node).toBeNull();
    stream.write('text');
    (node as unknown as Writable).emit('error', failure('EIO'));
    expect(heard).toHaveLength(1);
  });
});

describe.skipIf(process.platform === 'win32')('what a descriptor leads to', () => {
  const kindOf = (path: string, isTerminal = false): string => {
    const descriptor = openSync(path, 'r');
    try {
      return descriptorKind({ descriptor, platform: process.platform, isTerminal: () => isTerminal });
    } finally {
      closeSync(descriptor);
    }
  };

  it('is told without asking for terminals where it can be none', () => {
    expect(kindOf(import.meta.filename, true)).toBe('file');
    expect(kindOf('/', true)).toBe('file');
    expect(kindOf('/dev/null')).toBe('file');
    if (process.platform === 'linux') expect(kindOf('/dev/null', true)).toBe('file');
  });

  it('is nothing that is known where it is closed', () => {
    expect(descriptorKind({ descriptor: 987, platform: 'linux', isTerminal: () => false })).toBe('other');
    expect(isPipe(987, 'linux')).toBe(false);
    expect(isSamePipe(987, 987)).toBe(false);
  });

  it('is one pipe for both, or two', async () => {
    const script = `import { isPipe, isSamePipe } from ${JSON.stringify(new URL('../../src/process/standard-stream.ts', import.meta.url).href)};
      console.log(JSON.stringify([isPipe(1, 'linux'), isSamePipe(1, 2)]));`;
    const run = async (line: string): Promise<unknown> => {
      const child = spawn('/bin/sh', ['-c', line, 'sh', process.execPath, script], {
        stdio: ['ignore', 'pipe', 'ignore'],
      });
      const pieces: Buffer[] = [];
      child.stdout.on('data', (piece: Buffer) => pieces.push(piece));
      await once(child, 'close');
      return JSON.parse(Buffer.concat(pieces).toString('utf8'));
    };
    expect(await run('"$1" --input-type=module -e "$2" 2>&1 | cat')).toEqual([true, true]);
    expect(await run('"$1" --input-type=module -e "$2" | cat')).toEqual([true, false]);
  });
});
