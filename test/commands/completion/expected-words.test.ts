import { describe, expect, it } from 'vitest';
import { programToDescribe } from '../../../.config/manual/command-section.ts';
import { completionScripts } from '../../../src/commands/completion/completion.ts';
import { expectedWords } from '../../../src/commands/completion/expected-words.ts';

const program = programToDescribe();

/** Returns what is expected for the last word, which the user is typing. */
function expected(...typed: readonly string[]): string | readonly string[] {
  const { expected: words, prefix } = expectedWords(program, typed.slice(0, -1), typed.at(-1) ?? '');
  return typeof words === 'string' ? prefix + words : words.map(({ word }) => prefix + word);
}

describe('expectedWords', () => {
  it('expects a command first, even after options and their values', () => {
    expect(expected('')).toEqual(expect.arrayContaining(['add', 'show', 'help']));
    expect(expected('--zone', 'utc', '')).toEqual(expect.arrayContaining(['add', 'show']));
    expect(expected('--demo', '--')).toContain('--webhook');
  });

  it.each(['edit', 'remove', 'refresh'])('expects parcels after %s', (name) => {
    expect(expected(name, '')).toBe('parcels');
    expect(expected(name, '--', '')).toBe('parcels');
  });

  it('expects as many arguments as the command takes', () => {
    expect(expected('remove', 'LX1', 'RB2', '')).toBe('parcels');
    expect(expected('show', 'LX1', '')).toContain('--instant');
    expect(expected('import', '')).toBe('files');
    expect(expected('add', '')).toBe('new-parcels');
    expect(expected('show', '')).toBe('any-parcels');
    expect(expected('restore', '')).toBe('backups');
  });

  it('knows the values of options in both forms', () => {
    expect(expected('add', 'LX1', '--courier', '')).toBe('couriers');
    expect(expected('add', 'LX1', '--courier=u')).toBe('--courier=couriers');
    expect(expected('edit', 'LX1', '--untag', 'x', '--tag', '')).toBe('tags');
    expect(expected('export', '--format', '')).toEqual(['json', 'csv', 'ics', 'md']);
    expect(expected('export', '--output', '')).toBe('files');
    expect(expected('list', '--stage', '')).toContain('out-for-delivery');
    expect(expected('add', 'LX1', '--label', '')).toEqual([]);
    expect(expected('add', '--no-such=', '')).toBe('new-parcels');
  });

  it("accepts a global option before and after the command's name", () => {
    expect(expected('list', '--c')).toContain('--config');
    expect(expected('--config', '')).toBe('files');
    expect(expected('show', '--zone', '')).toBe('zones');
  });

  it('does not expect options after "--"', () => expect(expected('remove', '--', '--json')).toBe('parcels'));

  it('expects a program and its files after --exec', () => {
    expect(expected('watch', '--json', '--exec', '')).toBe('programs');
    expect(expected('watch', '--exec', 'notify-send', '--ur')).toBe('files');
  });

  it('expects actions, settings and their values after config', () => {
    expect(expected('config', '')).toContain('set');
    expect(expected('config', 'set', '')).toBe('settings');
    expect(expected('config', 'set', 'zone', '')).toBe('zones');
    expect(expected('config', 'set', 'title', '')).toEqual(['true', 'false']);
    expect(expected('config', 'set', 'profile', '')).toEqual(['track123']);
    expect(expected('config', 'set', 'constructor', '')).toEqual([]);
  });

  it('expects the values of a setting after config set, and nothing after get and unset', () => {
    expect(expected('config', 'set', 'service.queryVersion', '')).toEqual(['v2.1', 'v2']);
    expect(expected('config', 'set', 'service.operations.query.method', '')).toEqual(['GET', 'POST']);
    expect(expected('config', 'set', 'service.queryVersion', 'v2', '')).toEqual([]);
    const others = 'terminal desktop command slack discord telegram ntfy pushover gotify webhook'.split(' ');
    expect(expected('config', 'set', 'notify.channels', '')).toEqual(['bell', ...others]);
    expect(expected('config', 'set', 'notify.channels', 'bell', '')).toEqual(others);
    expect(expected('config', 'set', 'notify.stages', '')).toContain('attention');
    expect(expected('config', 'set', 'apiKeyFile', '')).toBe('files');
    expect(expected('config', 'set', 'notify.command', '')).toBe('programs');
    expect(expected('config', 'set', 'apiKeyCommand', 'pass', '')).toBe('files');
    expect(expected('config', 'unset', 'title', '')).toEqual([]);
    expect(expected('config', 'get', 'zone', '')).toEqual([]);
  });

  it('expects commands after help and shells after completion', () => {
    expect(expected('help', '')).toContain('watch');
    expect(expected('completion', '')).toEqual(['bash', 'zsh', 'fish', 'powershell', 'install']);
    expect(expected('completion', '--')).not.toContain('--complete');
  });
});

it('PowerShell quotes only words with special characters', () => {
  const [, pattern = ''] = /-notmatch '(.+?)'/.exec(completionScripts.powershell) ?? [];
  const unquoted = ['delivered', '--stage=attention', '1Z999AA10123456784', 'a b', '$home', "it's"].filter((word) =>
    new RegExp(pattern).test(word),
  );
  expect(unquoted).toEqual(['delivered', '--stage=attention', '1Z999AA10123456784']);
});
