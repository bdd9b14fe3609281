import { closeSync, openSync } from 'node:fs';
import { Writable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { createOwnStream, descriptorKind } from '../../src/system/standard-streams.ts';

const failure = (code: string): NodeJS.ErrnoException => Object.assign(new Error(`${code}: write`), { code });

describe("a stream that is Node's", () => {
  it('is opened by the first write, and those who listened before hear of its errors', () => {
    let node: Writable | null = null;
    const stream = createOwnStream({
      open: () => {
        node = new Writable({ write: (_chunk, _encoding, done) => done() });
        return node;
      },
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
  });
});
