import { describe, expect, it } from 'vitest';
import type { DoctorJson } from '../../../src/board/json-schemas.ts';
import { userForEachTest } from '../../support/cli-user.ts';

const user = userForEachTest();

/** What `doctor` says of the settings, with this in the file. */
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

describe('where settings come from', () => {
  it('is the default where nothing is set', async () => {
    expect(await settings({}, { TZ: 'Europe/Berlin' })).toEqual([
      'store: file (default)',
      'storeAccount: default, or the only one there is (default)',
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
      "notify.template: the change's own words (default)",
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

  it('is the place that counts when several set the same', async () => {
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

  it('is told without what is secret or personal, and not of what is wrong', async () => {
    const said = await settings({
      apiKey: 'very-secret',
      notify: { channels: ['bell', 'command'], quietHours: '22:00-07:00', command: ['tell', '--token=x'] },
      service: { operations: { delete: { path: '/elsewhere' } } },
      couriers: { postnl: { postalCode: '1234 AB' } },
      unheardOf: 'very-secret',
    });
    expect(said).toEqual(
      expect.arrayContaining([
        'apiKey: ******** (config.json)',
        'notify.channels: bell, command (config.json)',
        'notify.command: tell, ******** (config.json)',
        'notify.quietHours: 22:00-07:00 (config.json)',
        'service.operations.delete.path: /elsewhere (config.json)',
        'couriers.postnl.postalCode: ******** (config.json)',
      ]),
    );
    expect(said.join()).not.toMatch(/very-secret|token|1234|unheardOf/);
  });
});
