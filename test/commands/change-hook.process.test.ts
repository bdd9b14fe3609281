import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { type ChangeHook, createChangeHook, hookTimeoutMs } from '../../src/commands/print-changes.ts';
import { createStartChild } from '../../src/system/child-processes.ts';
import { createFakeClock, type FakeClock } from '../support/fake-clock.ts';
import { createTestFolder } from '../support/test-folder.ts';

let directory: string;
beforeEach(async () => {
  directory = await createTestFolder();
});

interface TestHook {
  readonly hook: ChangeHook;
  readonly clock: FakeClock;
  readonly messages: string[];
  readonly stop: AbortController;
  /** What the runs wrote to the file in their last argument. */
  written(): Promise<string>;
}

/** A hook that runs this script, in which `out(text)` appends to a file. */
function createScriptHook(script: string): TestHook {
  const file = join(directory, 'out');
  const prelude = `
    const { appendFileSync, readFileSync } = require('node:fs');
    const out = (text) => appendFileSync(process.argv.at(-1), text);
  `;
  return createCommandHook([process.execPath, '-e', prelude + script, '--', 'two words; $HOME', file], file);
}

function createCommandHook(command: readonly [string, ...string[]], file = ''): TestHook {
  const clock = createFakeClock();
  const messages: string[] = [];
  const stop = new AbortController();
  const write = (text: string) => void messages.push(text.replace('parcel-monitor: ', '').trimEnd());
  const context = {
    startChild: createStartChild({ parent: process, environment: { GREETING: 'hello' }, clock }),
    clock,
    stderr: { columns: null, isTerminal: false, rows: null, write },
    signal: stop.signal,
  };
  const hook = createChangeHook(context, command);
  return { hook, clock, messages, stop, written: () => readFile(file, 'utf8').catch(() => '') };
}

describe('a command for each change', () => {
  it('receives the change on standard input, its arguments unchanged, and the environment', async () => {
    const { hook, messages, written } = createScriptHook(
      "out(readFileSync(0, 'utf8') + process.argv.at(-2) + ' ' + process.env.GREETING);",
    );
    hook.push('{"change":"status"}\n');
    await hook.whenDone();
    expect(await written()).toBe('{"change":"status"}\ntwo words; $HOME hello');
    expect(messages).toEqual([]);
  });

  it('runs once per change, in order', async () => {
    const { hook, written } = createScriptHook(
      "const name = readFileSync(0, 'utf8'); out('<' + name); setTimeout(() => out('>'), 30);",
    );
    for (const name of ['a', 'b', 'c']) hook.push(name);
    await hook.whenDone();
    expect(await written()).toBe('<a><b><c>');
  });

  it('does not have to read its input', async () => {
    const { hook, messages } = createCommandHook(['/bin/true']);
    hook.push('x'.repeat(1_000_000));
    await hook.whenDone();
    expect(messages).toEqual([]);
  });

  it('is reported if it fails, and the next one still runs', async () => {
    const { hook, messages, written } = createScriptHook(
      "const name = readFileSync(0, 'utf8'); out(name); process.exitCode = name === 'a' ? 3 : 0;",
    );
    hook.push('a');
    hook.push('b');
    await hook.whenDone();
    expect(await written()).toBe('ab');
    expect(messages).toEqual([`The command ${process.execPath} exited with code 3.`]);
  });

  it.each([
    ['/no/such/program', 'was not found'],
    ['/etc/passwd', 'is not executable'],
  ])('is reported if it cannot be run (%s)', async (program, reason) => {
    const { hook, messages } = createCommandHook([program]);
    hook.push('a');
    await hook.whenDone();
    expect(messages).toEqual([`The command ${program} ${reason}.`]);
  });

  it('is killed after its time limit, and the next one still runs', async () => {
    const { hook, clock, messages, written } = createScriptHook(
      "const name = readFileSync(0, 'utf8'); out(name); if (name === 'a') setInterval(() => {}, 1000);",
    );
    hook.push('a');
    hook.push('b');
    await expect.poll(written).toBe('a');
    await clock.advance(hookTimeoutMs);
    await hook.whenDone();
    expect(await written()).toBe('ab');
    expect(messages).toEqual([`The command ${process.execPath} took more than 30 s and was stopped.`]);
  });

  it('is reported if a parent of its path is a file', async () => {
    const { hook, messages } = createCommandHook(['/etc/passwd/program']);
    hook.push('a');
    await hook.whenDone();
    expect(messages).toEqual([
      'The command /etc/passwd/program could not be started: part of its path is not a folder (ENOTDIR).',
    ]);
  });

  it('is stopped with the program, which reports the changes that were not handled', async () => {
    const { hook, stop, messages, written } = createScriptHook(
      "out(readFileSync(0, 'utf8')); setInterval(() => {}, 1000);",
    );
    for (const name of ['a', 'b', 'c']) hook.push(name);
    await expect.poll(written).toBe('a');
    stop.abort();
    await hook.whenDone();
    expect(await written()).toBe('a');
    expect(messages).toEqual([expect.stringContaining('2 more changes')]);
  });
});
