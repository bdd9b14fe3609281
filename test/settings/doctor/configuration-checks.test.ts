import { describe, expect, it } from 'vitest';
import type { DoctorJson } from '../../../src/board/json-schemas.ts';
import { checkTerminal, type TerminalFacts } from '../../../src/settings/doctor/configuration-checks.ts';
import type { Environment } from '../../../src/system/environment.ts';
import { userForEachTest } from '../../support/cli-user.ts';

const user = userForEachTest();

/** Runs doctor with this configuration file, and returns its findings about settings. */
async function settings(
  file: object,
  environment: Readonly<Record<string, string>> = {},
  ...options: readonly string[]
): Promise<readonly string[]> {
  await user.configure(file);
  const { stdout } = await user.run(['doctor', '--offline', '--json', ...options], { environment });
  const { checks } = JSON.parse(stdout) as DoctorJson;
  return checks.filter(({ name }) => name === 'setting').map(({ found }) => found);
}

describe('the origin of a setting', () => {
  it('is the default if nothing is set', async () => {
    expect(await settings({}, { TZ: 'Europe/Berlin' })).toEqual([
      'store: file (default)',
      'storeAccount: default, or the only one (default)',
      expect.stringMatching(/^zone: \w+(?:\/\w+)? \(default\)$/),
      'lang: not translated (default)',
      'title: true (default)',
      'keepScreen: true (default)',
      'service.header: Service-Api-Secret (default)',
      'service.clock: measured (default)',
      'service.queryVersion: v2.1 (default)',
      'service.registerVersion: v2 (default)',
      'service.timeoutSeconds: 10 (default)',
      'budget.queriesPerDay: no limit (default)',
      'budget.registrationsPerMonth: no limit (default)',
      'polling.leastMinutes: 5 (default)',
      'archive.deliveredAfterDays: 30 (default)',
      'archive.closedAfterDays: 30 (default)',
      'instant.whenSilent: false (default)',
      'webhook.maxAgeMinutes: 5 (default)',
      'webhook.signature: hmac (default)',
      'webhook.path: any path (default)',
      'notify.stages: attention, pickup, out-for-delivery, delivered (default)',
      'notify.quietHours: none (default)',
      'notify.channels: none (default)',
      'notify.command: none (default)',
      'notify.tags: none (default)',
      'notify.template: what changed (default)',
      'views: All, Act now, Today, Late (default)',
      'phrases: none (default)',
      "keys: the program's (default)",
      'commands: none (default)',
      'mouse: false (default)',
      'theme: auto (default)',
      "accent: the theme's (default)",
      'proxy: none (default)',
    ]);
  });

  it('is the one with the highest precedence if there are several', async () => {
    const file = { baseUrl: 'https://file.example', profile: 'track123', zone: 'Asia/Tokyo' };
    expect(await settings(file)).toEqual(
      expect.arrayContaining([
        'baseUrl: https://file.example (config.json)',
        'service.header: Track123-Api-Secret (profile track123)',
        'zone: Asia/Tokyo (config.json)',
      ]),
    );
    const environment = {
      PARCEL_MONITOR_PROFILE: 'track123',
      PARCEL_MONITOR_API_HEADER: 'X-Key',
      PARCEL_MONITOR_CLOCK: '+08:00',
      PARCEL_MONITOR_LEAST_MINUTES: '0.5',
      HTTPS_PROXY: 'http://me:secret@proxy.example:3128',
    };
    expect(await settings(file, environment, '--zone', 'utc')).toEqual(
      expect.arrayContaining([
        'baseUrl: https://api.track123.com/gateway/open-api (PARCEL_MONITOR_PROFILE, overrides config.json)',
        'service.header: X-Key (PARCEL_MONITOR_API_HEADER)',
        'service.clock: +08:00 (PARCEL_MONITOR_CLOCK)',
        'polling.leastMinutes: 0.5 (PARCEL_MONITOR_LEAST_MINUTES)',
        'zone: UTC (--zone, overrides config.json)',
        'proxy: http://proxy.example:3128, with a user name (HTTPS_PROXY)',
      ]),
    );
    expect(await settings(file, environment, '--base-url', 'https://option.example')).toContain(
      'baseUrl: https://option.example (--base-url, overrides config.json)',
    );
  });

  it('is shown without secret, personal or invalid values', async () => {
    const shown = await settings({
      apiKey: 'very-secret',
      notify: { channels: ['bell', 'command'], quietHours: '22:00-07:00', command: ['tell', '--token=x'] },
      service: { operations: { delete: { path: '/elsewhere' } } },
      couriers: { postnl: { postalCode: '1234 AB' } },
      unheardOf: 'very-secret',
    });
    expect(shown).toEqual(
      expect.arrayContaining([
        'apiKey: ******** (config.json)',
        'notify.channels: bell, command (config.json)',
        'notify.command: tell, ******** (config.json)',
        'notify.quietHours: 22:00-07:00 (config.json)',
        'service.operations.delete.path: /elsewhere (config.json)',
        'couriers.postnl.postalCode: ******** (config.json)',
      ]),
    );
    expect(shown.join()).not.toMatch(/very-secret|token|1234|unheardOf/);
  });
});

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
  it('passes in an ordinary environment', () => {
    expect(found('terminal')).toBe('ok: 120 columns, 40 rows');
    expect(found('TERM')).toBe('ok: TERM xterm-256color');
    expect(found('colours')).toMatch(/^ok: the terminal's sixteen/);
    expect(found('signs')).toBe('ok: Unicode (LANG is en_US.UTF-8)');
    expect(found('Node')).toBe('ok: 24.1.0');
  });

  it('is not required for commands', () => {
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
    [{ ...utf8, TERM: undefined }, /^warn: TERM is not set(?!.*board cannot run)/s],
    [{ ...utf8, TERM: 'dumb' }, /^warn: TERM dumb.*board cannot run/s],
    [{ ...utf8, TMUX: '/tmp/tmux' }, /^warn: .*inside tmux > .*tmux-256color/],
    [{ ...utf8, TMUX: '/tmp/tmux', TERM: 'tmux-256color' }, /^ok: TERM tmux-256color, inside tmux/],
  ])('is judged by TERM: %j', (environment, text) => expect(found('TERM', { environment })).toMatch(text));

  it('says why there are no colours', () => {
    expect(found('colours', { environment: { ...utf8, NO_COLOR: '1' } })).toBe('ok: none (NO_COLOR is set)');
    expect(found('colours', {}, { ascii: false, color: 'never' })).toBe('ok: none (--color never)');
    expect(found('colours', { environment: { ...utf8, TERM: 'dumb' } })).toBe('ok: none (TERM is dumb)');
  });

  it('says why there are only ASCII symbols', () => {
    expect(found('signs', { environment: { ...utf8, LC_ALL: 'C' } })).toMatch(/^warn: ASCII, because LC_ALL is C >/);
    expect(found('signs', {}, { ascii: true })).toBe('ok: ASCII (--ascii)');
    expect(found('signs', { environment: { TERM: 'linux' } })).toMatch(/^warn: Unicode \(no locale is set\).*--ascii/);
  });

  it('requires a recent version of Node', () => {
    expect(found('Node', { nodeVersion: '20.1.0' })).toMatch(/^fail: 20\.1\.0 is too old/);
  });
});
