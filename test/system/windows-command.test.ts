import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { resolveWindowsCommand } from '../../src/system/windows-command.ts';
import { forAll } from '../support/for-all.ts';

const environment = {
  Path: 'relative;C:\\Windows\\System32;"C:\\Program Files\\nodejs"',
  PATHEXT: '.COM;.EXE;.BAT;.CMD;.VBS;.JS',
  ComSpec: 'C:\\Windows\\System32\\cmd.exe',
};
const files = [
  'C:\\Windows\\System32\\clip.exe',
  'C:\\Program Files\\nodejs\\npm.cmd',
  'C:\\Program Files\\nodejs\\script.vbs',
  'relative\\clip.exe',
  '.\\on-change.cmd',
  'on change.bat',
];
const command = (...words: readonly [string, ...string[]]) =>
  resolveWindowsCommand(words, { environment, isFile: (path) => files.includes(path) });

describe('on Windows', () => {
  it('finds programs in PATH and nowhere else', () => {
    const file = 'C:\\Windows\\System32\\clip.exe';
    expect(command('clip', '/?')).toEqual({ file, commandArguments: ['/?'], verbatim: false });
    expect(command('clip.exe')).toMatchObject({ file });
    expect(command('nonsense')).toEqual({ code: 'ENOENT' });
    // A program that is only in the working directory is not run.
    expect(command('on-change')).toEqual({ code: 'ENOENT' });
    // Windows runs it with a different program, which must be named.
    expect(command('script')).toEqual({ code: 'ENOENT' });
  });

  it('accepts a path unchanged, with or without its extension', () => {
    expect(command('.\\on-change')).toMatchObject({ verbatim: true });
    expect(command('.\\on-change.cmd')).toMatchObject({ verbatim: true });
  });

  /** The text after the batch file in the command line of cmd.exe. */
  const line = (...words: readonly string[]): string | undefined => {
    const found = command('npm', ...words);
    return 'code' in found
      ? found.code
      : found.commandArguments.at(-1)?.replace('""C:\\Program Files\\nodejs\\npm.cmd"', '').slice(0, -1);
  };

  it('runs batch files with cmd.exe, without expanding anything', () => {
    expect(command('npm', '--version')).toEqual({
      file: 'C:\\Windows\\System32\\cmd.exe',
      commandArguments: ['/e:ON', '/v:OFF', '/d', '/c', '""C:\\Program Files\\nodejs\\npm.cmd" --version"'],
      verbatim: true,
    });
  });

  it.each([
    ['a b', ' "a b"'],
    ['', ' ""'],
    ['a&calc.exe', ' "a&calc.exe"'],
    ['"&calc.exe', ' """&calc.exe"'],
    ['^|<>()', ' "^|<>()"'],
    ['%PATH%', ' "%%cd:~,%PATH%%cd:~,%"'],
    ['a\\', ' "a\\\\"'],
    ['a\\"b', ' "a\\\\""b"'],
    ['C:\\x\\y', ' C:\\x\\y'],
    ['Köln-北', ' Köln-北'],
  ])('quotes the argument %j of a batch file', (argument, written) => expect(line(argument)).toBe(written));

  it.each(['a\nb', 'a\rb', 'a\0b'])('refuses to pass the argument %j to a batch file', (argument) => {
    expect(command('npm', argument)).toEqual({ code: 'EINVAL' });
    expect(command('clip', argument)).not.toHaveProperty('code');
  });

  it('leaves no cmd.exe operators outside quotes, and no variable names inside them', () =>
    forAll(fc.array(fc.string({ unit: fc.constantFrom(...'ab \\"%&|<>^()!=,;') })), (words) => {
      const written = line(...words) ?? '';
      // For cmd.exe, each quote begins or ends a quoted part.
      const outside = written.split('"').filter((_part, index) => index % 2 === 0);
      expect(outside.join('')).not.toMatch(/[&|<>^()!%]/);
      // "%%" is a percent sign, and what follows is the name of a variable that is empty.
      expect(written.replaceAll('%%cd:~,%', '')).not.toContain('%');
    }));
});
