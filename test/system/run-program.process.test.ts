import { chmod, rename, writeFile } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createStartChild } from '../../src/system/child-processes.ts';
import { createRunProgram, ProgramFailedError } from '../../src/system/run-program.ts';
import { realClock } from '../support/real-clock.ts';
import { createTestFolder } from '../support/test-folder.ts';
import { createTestTerminal } from '../support/test-terminal.ts';

async function script(body: string): Promise<string> {
  const folder = await createTestFolder();
  const path = join(folder, 'program');
  await writeFile(path, `#!/bin/sh\n${body}\n`);
  await chmod(path, 0o755);
  return path;
}

/** A terminal with a board that records when it is suspended, and a function that runs programs in it. */
function withBoard() {
  const events: string[] = [];
  const { terminal } = createTestTerminal();
  const ignore = () => undefined;
  terminal.open({
    stdin: { pause: ignore, resume: ignore },
    stdout: { write: ignore },
    writeLater: ignore,
    passInterruptsOn: () => {
      events.push('Ctrl+C left');
      return () => events.push('Ctrl+C back');
    },
    hasTitle: false,
  });
  terminal.suspendWith(async (work) => {
    events.push('lent');
    await work();
    events.push('back');
  });
  const giveUp = (): void => {
    terminal.suspendWith(null);
    terminal.restore();
  };
  const environment = { PATH: process.env['PATH'] ?? '', GPG_TTY: '/dev/pts/7' };
  const startChild = createStartChild({ parent: process, environment, clock: realClock });
  const signal = new AbortController().signal;
  return { events, giveUp, run: createRunProgram({ startChild, clock: realClock, signal, terminal }) };
}

it.skipIf(process.platform === 'win32')('a program is not looked up in relative or empty folders of PATH', async () => {
  const path = await script('echo theirs');
  const [folder, name] = [relative(process.cwd(), dirname(path)), `${basename(path)}-of-others`];
  await rename(path, join(dirname(path), name));
  const runWith = (PATH: string, program: string) =>
    createRunProgram({
      startChild: createStartChild({ parent: process, environment: { PATH }, clock: realClock }),
      clock: realClock,
      signal: new AbortController().signal,
    })(program, []);
  for (const first of [folder, `:${folder}`, `./${folder}:`]) {
    await expect(runWith(`${first}:/usr/bin:/bin`, name)).rejects.toThrow(/was not found/);
    expect(await runWith(`${first}:/usr/bin:/bin`, 'true')).toBe('');
  }
  expect(await runWith(`${folder}:${dirname(path)}`, name)).toBe('theirs\n');
  expect(await runWith(folder, join(dirname(path), name))).toBe('theirs\n');
});

describe('a program that runs while the board is shown', () => {
  it('has the terminal to itself if it may ask something', async () => {
    const { events, run } = withBoard();
    const program = await script('echo "$GPG_TTY"');
    const outputs = await Promise.all([run(program, [], { mayPrompt: true }), run(program, [], { mayPrompt: true })]);
    expect(outputs).toEqual(['/dev/pts/7\n', '/dev/pts/7\n']);
    const once = ['Ctrl+C left', 'lent', 'back', 'Ctrl+C back'];
    expect(events).toEqual([...once, ...once]);
  });

  it('fails as usual, and the screen returns', async () => {
    const { events, run } = withBoard();
    const error = await run(await script('exit 3'), [], { mayPrompt: true }).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(ProgramFailedError);
    expect(error).toMatchObject({ reason: 'exited with code 3', hadTerminal: true });
    expect(events.at(-1)).toBe('Ctrl+C back');
  });

  it('otherwise has no terminal, by descriptor or by name', async () => {
    const { events, run } = withBoard();
    expect(await run(await script('if (: > /dev/tty) 2> /dev/null; then echo found; fi; echo "$GPG_TTY"'), [])).toBe(
      '/dev/null\n',
    );
    const error = await run(await script('exit 3'), []).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ hadTerminal: false });
    expect(events).toEqual([]);
  });

  it('shares the terminal once the screen is gone', async () => {
    const { events, giveUp, run } = withBoard();
    giveUp();
    expect(await run(await script('echo "$GPG_TTY"'), [], { mayPrompt: true })).toBe('/dev/pts/7\n');
    expect(events).toEqual([]);
  });
});

describe('a program that runs while the saved screen is shown', () => {
  /** A terminal that shows a saved screen, and a function that runs programs in it. */
  function withSavedScreen() {
    const { terminal } = createTestTerminal();
    terminal.showFrame(['kept']);
    const environment = { PATH: process.env['PATH'] ?? '', GPG_TTY: '/dev/pts/7' };
    const startChild = createStartChild({ parent: process, environment, clock: realClock });
    const signal = new AbortController().signal;
    return { terminal, run: createRunProgram({ startChild, clock: realClock, signal, terminal }) };
  }

  it('finds no terminal, and leaves the frame alone if it asks nothing', async () => {
    const { run, terminal } = withSavedScreen();
    expect(await run(await script('echo "$GPG_TTY"'), [])).toBe('/dev/null\n');
    expect(terminal.isFrameShown).toBe(true);
  });

  it('gets the terminal when it fails without one', async () => {
    const { run, terminal } = withSavedScreen();
    expect(await run(await script('test "$GPG_TTY" = /dev/pts/7 && echo "$GPG_TTY"'), [])).toBe('/dev/pts/7\n');
    expect(terminal.isFrameShown).toBe(false);
  });

  it('fails if the terminal was not the reason', async () => {
    const { run } = withSavedScreen();
    const error = await run(await script('exit 3'), []).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ reason: 'exited with code 3', hadTerminal: true });
  });
});
