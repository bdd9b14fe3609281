import { describe, expect, it } from 'vitest';
import { type ConfigurationSource, resolveConfiguration } from '../../../src/commands/configuration/configuration.ts';
import { settingSources } from '../../../src/commands/doctor/setting-sources.ts';

function settings(given: Partial<ConfigurationSource>): readonly string[] {
  const source = { options: {}, environment: {}, file: {}, systemZone: () => 'Europe/Berlin', ...given };
  return settingSources(source.file, resolveConfiguration(source)).map(
    ({ name, value, source: from }) => `${name}: ${value} (${from})`,
  );
}

function source(given: Partial<ConfigurationSource>): string | null {
  const { environment = {}, file = {} } = given;
  const { apiKey } = resolveConfiguration({ options: {}, environment, file, systemZone: () => 'UTC' });
  return apiKey.kind === 'none' ? null : apiKey.setBy;
}

describe('where settings come from', () => {
  it('is the default where nothing is set', () => {
    expect(settings({})).toEqual([
      'base URL: not set (nowhere)',
      'key header: Service-Api-Secret (default)',
      'store: files (default)',
      'proxy: none (default)',
      'service clock: measured (default)',
      'zone: Europe/Berlin (the machine)',
      'language: as couriers write (default)',
      'title: says what matters (default)',
      'last screen: kept for the next start (default)',
      'notifications: none (default)',
      'query version: v2.1 (default)',
      'register version: v2 (default)',
      'time limit: 10 s (default)',
      'archived: 30 days after delivery (default)',
    ]);
  });

  it('is the place that counts when several set the same', () => {
    const file = { baseUrl: 'https://file.example', profile: 'track123', zone: 'Asia/Tokyo' };
    expect(settings({ file })).toEqual(
      expect.arrayContaining([
        'base URL: https://file.example/ (config.json: baseUrl)',
        'key header: Track123-Api-Secret (config.json: profile)',
        'zone: Asia/Tokyo (config.json: zone)',
      ]),
    );
    const environment = {
      PARCEL_MONITOR_PROFILE: 'track123',
      PARCEL_MONITOR_API_HEADER: 'X-Key',
      PARCEL_MONITOR_CLOCK: '+08:00',
    };
    expect(settings({ file, environment, options: { zone: 'utc' } })).toEqual(
      expect.arrayContaining([
        'base URL: https://api.track123.com/gateway/open-api (PARCEL_MONITOR_PROFILE)',
        'key header: X-Key (PARCEL_MONITOR_API_HEADER)',
        'service clock: +08:00 (PARCEL_MONITOR_CLOCK)',
        'zone: UTC (--zone)',
      ]),
    );
    expect(settings({ file, environment, options: { baseUrl: 'https://option.example' } })[0]).toBe(
      'base URL: https://option.example/ (--base-url)',
    );
  });

  it('says what is notified, when and how, without the arguments of the command', () => {
    const file = {
      notify: {
        channels: ['bell', 'command'] as ('bell' | 'command')[],
        quietHours: '22:00-07:00',
        command: ['tell', '--token=x'],
      },
    };
    expect(settings({ file })).toEqual(
      expect.arrayContaining([
        'notifications: bell, command (tell) (config.json: notify.channels)',
        'notified: attention, pickup, out-for-delivery, delivered (default)',
        'quiet hours: 22:00-07:00 (config.json: notify.quietHours)',
      ]),
    );
  });

  it('names changed operations, and that there are extras but not which', () => {
    const file = {
      service: { operations: { delete: { path: '/elsewhere' } } },
      couriers: { postnl: { postalCode: '1234 AB' } },
    };
    const lines = settings({ file });
    expect(lines).toContain(
      'operation Delete trackings: POST /elsewhere, 100 a call, 5 calls/s (config.json: service.operations.delete)',
    );
    expect(lines).toContain('extras of postnl: postal code (config.json: couriers.postnl)');
    expect(lines.join()).not.toContain('1234');
  });
});

describe('where the key comes from', () => {
  it('is told without the key', () => {
    expect(source({})).toBeNull();
    expect(source({ environment: { PARCEL_MONITOR_API_KEY: 'secret' }, file: { apiKey: 'other' } })).toBe(
      'PARCEL_MONITOR_API_KEY',
    );
    expect(source({ file: { apiKey: 'secret' } })).toBe('config.json: apiKey');
    expect(source({ file: { apiKeyCommand: 'pass show secret' } })).toBe('config.json: apiKeyCommand (pass)');
  });
});
