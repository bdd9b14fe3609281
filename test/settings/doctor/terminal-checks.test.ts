import { describe, expect, it } from 'vitest';
import { checkTerminal, type TerminalFacts } from '../../../src/settings/doctor/configuration-checks.ts';
import type { Environment } from '../../../src/system/environment.ts';

const utf8 = { LANG: 'en_US.UTF-8', TERM: 'xterm-256color' };

function found(
  name: string,
  { environment = utf8 as Environment, columns = 120, rows = 40, isTerminal = true, nodeVersion = '24.1.0' } = {},
  options: Parameters<typeof checkTerminal>[1] = { ascii: false },
): string {
  const facts: TerminalFacts = {
    stdout: { isTerminal, columns: isTerminal ? columns : null, rows: isTerminal ? rows : null, write: () => {} },
    stdinIsTerminal: true,
    environment,
    version: '1.0.0',
    nodeVersion,
    platform: 'linux',
  };
  return checkTerminal(facts, options)
    .filter((check) => check.name === name)
    .map((check) => `${check.status}: ${check.found}${check.advice === null ? '' : ` > ${check.advice}`}`)
    .join('\n');
}

describe('the terminal', () => {
  it('is fine as most people have it', () => {
    expect(found('terminal')).toBe('ok: 120 columns, 40 rows');
    expect(found('TERM')).toBe('ok: TERM xterm-256color');
    expect(found('colours')).toMatch(/^ok: the terminal's own/);
    expect(found('signs')).toBe('ok: Unicode (LANG is en_US.UTF-8)');
    expect(found('Node')).toBe('ok: 24.1.0');
  });

  it('need not be one for commands', () => {
    expect(found('terminal', { isTerminal: false })).toMatch(/^ok: standard output is not a terminal/);
    expect(found('colours', { isTerminal: false })).toMatch(/not a terminal/);
  });

  it.each([
    [39, 40],
    [120, 9],
  ])('is too small with %d columns and %d rows', (columns, rows) => {
    expect(found('terminal', { columns, rows })).toMatch(/^warn: .*at least 40 columns and 10 rows/);
  });

  it.each<[Environment, RegExp]>([
    [{ ...utf8, TERM: undefined }, /^warn: TERM is not set(?!.*no board)/s],
    [{ ...utf8, TERM: 'dumb' }, /^warn: TERM dumb.* no board/s],
    [{ ...utf8, TMUX: '/tmp/tmux' }, /^warn: .*inside tmux > .*tmux-256color/],
    [{ ...utf8, TMUX: '/tmp/tmux', TERM: 'tmux-256color' }, /^ok: TERM tmux-256color, inside tmux/],
  ])('is looked at through TERM: %j', (environment, text) => {
    expect(found('TERM', { environment })).toMatch(text);
  });

  it('says why there are no colours', () => {
    expect(found('colours', { environment: { ...utf8, NO_COLOR: '1' } })).toBe('ok: none (NO_COLOR is set)');
    expect(found('colours', {}, { ascii: false, color: 'never' })).toBe('ok: none (--color never)');
    expect(found('colours', { environment: { ...utf8, TERM: 'dumb' } })).toBe('ok: none (TERM)');
  });

  it('says why there are only ASCII signs', () => {
    expect(found('signs', { environment: { ...utf8, LC_ALL: 'C' } })).toMatch(/^warn: ASCII, because LC_ALL is C >/);
    expect(found('signs', {}, { ascii: true })).toBe('ok: ASCII (--ascii)');
    expect(found('signs', { environment: { TERM: 'linux' } })).toMatch(/^warn: Unicode \(no locale is set\).*--ascii/);
  });

  it('needs a Node that is new enough', () => {
    expect(found('Node', { nodeVersion: '20.1.0' })).toMatch(/^fail: 20\.1\.0 is too old/);
  });
});
