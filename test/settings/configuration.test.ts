import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { defaultOperations, type OperationName } from '../../src/service/port.ts';
import { parseConfigFile } from '../../src/settings/check-settings.ts';
import { type ConfigurationSource, resolveConfiguration } from '../../src/settings/configuration.ts';
import { UsageError } from '../../src/settings/errors.ts';
import { forAllAsync } from '../support/for-all.ts';
import { rounds } from '../support/rounds.ts';

const resolve = (source: Partial<ConfigurationSource>) =>
  resolveConfiguration({ options: {}, environment: {}, file: {}, systemZone: () => 'Europe/Berlin', ...source });

const optionUrl = 'https://option.example/path';
const environmentUrl = 'https://environment.example/path';
const fileUrl = 'https://file.example/path';

describe('the budget', () => {
  it.each<[string, number, RegExp]>([
    ['{"queriesPerDay": 0}', 1, /"budget\.queriesPerDay" must be at least 1\. 1 is used\.$/],
    ['{"queriesPerDay": 12.7}', 12, /must be a whole number\. 12 is used\.$/],
    ['{"queriesPerDay": "50"}', 50, /must be a number\. 50 is used\.$/],
    ['{"queriesPerDay": "0"}', 1, /must be a number\. 1 is used\.$/],
  ])('is the nearest valid one instead of %s, because no budget would mean no limit', async (budget, used, warning) => {
    const { settings, warnings } = await parseConfigFile(`{"budget": ${budget}}`, 'config.json');
    expect(settings.budget?.queriesPerDay).toBe(used);
    expect(warnings.map(({ sentence }) => sentence)).toEqual([expect.stringMatching(warning)]);
  });

  it.each(['{"queriesPerDay": "many"}', '{"registrationsPerMonth": null}', '7'])(
    'cannot be %s, and the message names the setting',
    async (budget) => {
      await expect(parseConfigFile(`{"budget": ${budget}}`, 'config.json')).rejects.toThrow(/"budget[.\w]*" must be/i);
    },
  );
});

describe('the service clock', () => {
  it('is a zone, or an offset, from the environment or the file', () => {
    const withZone = resolve({
      environment: { PARCEL_MONITOR_CLOCK: 'Asia/Shanghai' },
      file: { service: { clock: '+1' } },
    });
    expect(withZone.serviceClock).toMatchObject({ source: 'configured', zone: { name: 'Asia/Shanghai' } });
    expect(resolve({ file: { service: { clock: 'Europe/Berlin' } } }).serviceClock?.zone?.name).toBe('Europe/Berlin');
    expect(resolve({ file: { service: { clock: '+1' } } }).serviceClock).toEqual({
      offsetMinutes: 60,
      source: 'configured',
    });
  });

  it.each(['Europe/Berln', 'local', 'noon', '+25'])('is invalid if it is %s', (clock) => {
    expect(() => resolve({ file: { service: { clock } } })).toThrow(/neither an offset from UTC nor a time zone/);
  });
});

describe('the minimum time between two queries', () => {
  it('is five minutes unless the environment or the file sets it', async () => {
    expect(resolve({}).minPauseMs).toBe(300_000);
    for (const [minutes, environment, ms] of [
      [0, {}, 0],
      [0.5, {}, 30_000],
      [1440, {}, 86_400_000],
      [60, { PARCEL_MONITOR_LEAST_MINUTES: '2.5' }, 150_000],
      [60, { PARCEL_MONITOR_LEAST_MINUTES: ' 0 ' }, 0],
    ] as const) {
      const { settings, warnings } = await parseConfigFile(`{"polling": {"leastMinutes": ${minutes}}}`, 'config.json');
      expect(warnings).toEqual([]);
      expect(resolve({ file: settings, environment })).toMatchObject({ minPauseMs: ms, warnings: [] });
    }
  });

  it.each(['-1', '1441', 'soon', 'Infinity', 'NaN'])('ignores %s in the environment', (text) => {
    const file = { polling: { leastMinutes: 7 } };
    const configuration = resolve({ file, environment: { PARCEL_MONITOR_LEAST_MINUTES: text } });
    expect(configuration.minPauseMs).toBe(7 * 60_000);
    expect(configuration.warnings).toEqual([
      { variable: 'PARCEL_MONITOR_LEAST_MINUTES', sentence: expect.stringContaining('7 is used') },
    ]);
  });
});

it('archives a delivered parcel after 30 days, a configured number of days, or never', async () => {
  expect(resolve({}).archiveAfterDays).toEqual({ delivered: 30, closed: 30 });
  const { settings: closed } = await parseConfigFile('{"archive": {"closedAfterDays": 0}}', 'config.json');
  expect(resolve({ file: closed }).archiveAfterDays).toEqual({ delivered: 30, closed: 0 });
  for (const days of [0, 7]) {
    const { settings } = await parseConfigFile(`{"archive": {"deliveredAfterDays": ${days}}}`, 'config.json');
    expect(resolve({ file: settings }).archiveAfterDays.delivered).toBe(days);
  }
});

describe('the notification settings', () => {
  const notifyOf = async (text: string) => {
    const { settings, warnings } = await parseConfigFile(`{"notify": ${text}}`, 'config.json');
    return { notify: resolve({ file: settings }).notify, warnings };
  };

  it('contain no channels by default', () => {
    expect(resolve({}).notify).toEqual({
      stages: ['attention', 'pickup', 'out-for-delivery', 'delivered'],
      quietHours: null,
      channels: [],
      tags: [],
      template: null,
      command: { kind: 'none' },
    });
  });

  it('are read from the file', async () => {
    const { notify, warnings } = await notifyOf(
      '{"stages": ["attention"], "quietHours": "22:00-07:00", "channels": ["bell", "command", "bell"], "command": ["tell", "me"]}',
    );
    expect(warnings).toEqual([]);
    expect(notify).toEqual({
      stages: ['attention'],
      quietHours: { from: 22 * 60, to: 7 * 60 },
      channels: ['bell', 'command'],
      tags: [],
      template: null,
      command: { kind: 'command', command: ['tell', 'me'] },
    });
  });

  it.each([
    [
      '{"channels": ["bel"]}',
      /"notify\.channels\.0" must be one of bell, terminal, desktop, command.*; the closest match is "bell"/,
    ],
    ['{"channels": "bell"}', /"notify\.channels" must be a list of channels/],
    ['{"stages": ["lost"]}', /"notify\.stages\.0" must be one of attention,/],
    ['{"quietHours": "at night"}', /"notify\.quietHours" must be two times of day, such as "22:00-07:00"/],
    ['{"command": "tell me"}', /"notify\.command" must be a list of strings/],
    ['{"command": []}', /"notify\.command" must name a program/],
  ])('are reported and ignored if they are %s', async (text, warning) => {
    const { notify, warnings } = await notifyOf(text);
    // The warning names the setting, not the item in its list.
    expect(warnings).toEqual([
      { name: expect.stringMatching(/^notify\.[a-zA-Z]+$/), sentence: expect.stringMatching(warning) },
    ]);
    expect(notify).toEqual(resolve({}).notify);
  });

  it('do not run a command that another user can change', () => {
    const foreignWriter = {
      found: 'Others can write it.',
      advice: 'Run: chmod go-w config.json',
      command: 'chmod go-w config.json',
    };
    const ticket = { key: 'F6', name: 'Ticket', run: ['./ticket'], on: 'selected', show: 'none' } as const;
    expect(resolve({ file: { commands: [ticket] }, foreignWriter }).customActions.refused).toContain(
      '"commands" is not run',
    );
    expect(resolve({ file: { commands: [ticket] } }).customActions.refused).toBeNull();
    expect(resolve({ file: { notify: { command: ['tell'] } }, foreignWriter }).notify.command).toEqual({
      kind: 'refused',
      reason: expect.stringMatching(/not run while another user can change it.*chmod go-w/),
    });
  });
});

describe('setting precedence', () => {
  it('takes the base URL from the option, then the environment, then the file', () => {
    const file = { baseUrl: fileUrl };
    const environment = { PARCEL_MONITOR_BASE_URL: environmentUrl };
    expect(resolve({ options: { baseUrl: optionUrl }, environment, file }).baseUrl?.href).toBe(optionUrl);
    expect(resolve({ environment, file }).baseUrl?.href).toBe(environmentUrl);
    expect(resolve({ file }).baseUrl?.href).toBe(fileUrl);
    expect(resolve({}).baseUrl).toBeNull();
  });

  it('takes the zone from the option, then the environment, then the file, then the machine', () => {
    const file = { zone: 'Asia/Tokyo' };
    const environment = { PARCEL_MONITOR_ZONE: 'America/New_York' };
    expect(resolve({ options: { zone: 'Asia/Kolkata' }, environment, file }).zone()).toBe('Asia/Kolkata');
    expect(resolve({ environment, file }).zone()).toBe('America/New_York');
    expect(resolve({ file }).zone()).toBe('Asia/Tokyo');
    expect(resolve({}).zone()).toBe('Europe/Berlin');
  });

  it('takes the key from the environment, then the file, then its command', () => {
    const file = { apiKey: 'from-file', apiKeyCommand: 'pass show parcels' };
    const environment = { PARCEL_MONITOR_API_KEY: 'from-environment' };
    expect(resolve({ environment, file }).apiKey).toEqual({
      kind: 'given',
      key: 'from-environment',
      setBy: 'PARCEL_MONITOR_API_KEY',
    });
    expect(resolve({ file }).apiKey).toEqual({
      kind: 'given',
      key: 'from-file',
      setBy: 'config.json: apiKey',
    });
    expect(resolve({ file: { apiKeyCommand: 'pass show parcels' } }).apiKey).toEqual({
      kind: 'command',
      command: ['pass', 'show', 'parcels'],
      setBy: 'config.json: apiKeyCommand (pass)',
    });
    expect(resolve({}).apiKey).toEqual({ kind: 'none' });
  });

  it('treats an empty variable as not set', () => {
    const environment = {
      PARCEL_MONITOR_BASE_URL: '',
      PARCEL_MONITOR_API_KEY: ' ',
      PARCEL_MONITOR_ZONE: '',
      PARCEL_MONITOR_CLOCK: '',
      PARCEL_MONITOR_PROFILE: '',
    };
    const { zone, courierExtras, storeSource, webChannel: _web, ...rest } = resolve({ environment });
    expect(courierExtras('dhl')).toEqual({});
    expect(rest).toEqual({
      ...resolve({}),
      zone: undefined,
      courierExtras: undefined,
      webChannel: undefined,
      storeSource: undefined,
    });
    expect(zone()).toBe('Europe/Berlin');
    // The values that determine the store later are passed on unchanged.
    expect(storeSource).toMatchObject({ options: {}, environment, file: {} });
  });
});

describe('profiles', () => {
  it('sets the base URL and the header of the public service', () => {
    const { baseUrl, header } = resolve({ options: { profile: 'track123' } });
    expect(baseUrl?.href).toBe('https://api.track123.com/gateway/open-api');
    expect(header).toBe('Track123-Api-Secret');
  });

  it('is overridden by a base URL set in the same place', () => {
    const environment = { PARCEL_MONITOR_PROFILE: 'track123', PARCEL_MONITOR_BASE_URL: environmentUrl };
    const { baseUrl, header } = resolve({ environment });
    expect(baseUrl?.href).toBe(environmentUrl);
    expect(header).toBe('Track123-Api-Secret');
  });

  it('overrides a base URL in the environment if it is set by an option', () => {
    const environment = { PARCEL_MONITOR_BASE_URL: environmentUrl };
    expect(resolve({ options: { profile: 'track123' }, environment }).baseUrl?.host).toBe('api.track123.com');
  });
});

it('a zone can be utc or local', () => {
  expect(resolve({ options: { zone: 'utc' } }).zone()).toBe('UTC');
  expect(resolve({ options: { zone: 'local' }, environment: { PARCEL_MONITOR_ZONE: 'Asia/Tokyo' } }).zone()).toBe(
    'Europe/Berlin',
  );
});

describe('operation overrides', () => {
  const names = Object.keys(defaultOperations) as OperationName[];

  it.each(names)('change every setting for %s', async (name) => {
    const change = { method: 'GET', path: '/elsewhere', batchLimit: 7, callsPerSecond: 2 };
    const { settings, warnings } = await parseConfigFile(
      JSON.stringify({ service: { operations: { [name]: change } } }),
      '/c/config.json',
    );
    expect(warnings).toEqual([]);
    const { operations } = resolve({ file: settings });
    expect(operations[name]).toEqual({ ...defaultOperations[name], ...change });
    for (const other of names.filter((operation) => operation !== name)) {
      expect(operations[other]).toEqual(defaultOperations[other]);
    }
  });
});

describe('courier extras', () => {
  it('are found by courier code in any case', () => {
    const { courierExtras } = resolve({
      file: { couriers: { PostNL: { postalCode: '1234 AB' }, sfb2c: { phoneSuffix: '1234' } } },
    });
    expect(courierExtras('postnl')).toEqual({ postalCode: '1234 AB' });
    expect(courierExtras('SFB2C')).toEqual({ phoneSuffix: '1234' });
    expect(courierExtras('dhl')).toEqual({});
  });

  it('are normalised like those of a parcel', async () => {
    const content = { couriers: { postnl: { postalCode: ' 1234 ab ' } }, lang: 'ZH_cn' };
    const { settings } = await parseConfigFile(JSON.stringify(content), '/c/config.json');
    const { courierExtras, lang } = resolve({ file: settings });
    expect(courierExtras('PostNL')).toEqual({ postalCode: '1234 ab' });
    expect(lang).toBe('zh-CN');
  });

  it('are valid settings for any courier', async () => {
    const content = { couriers: { postnl: { postalCode: '1234 AB', gate: 'x' } } };
    const { settings, warnings } = await parseConfigFile(JSON.stringify(content), '/c/config.json');
    expect(settings.couriers?.['postnl']).toMatchObject({ postalCode: '1234 AB' });
    expect(warnings).toEqual([
      {
        name: 'couriers.postnl.gate',
        sentence: '/c/config.json: the setting "couriers.postnl.gate" is unknown and ignored.',
      },
    ]);
  });
});

describe('configuration that cannot be used', () => {
  it.each<[string, Partial<ConfigurationSource>, RegExp]>([
    ['no URL', { options: { baseUrl: 'nonsense' } }, /nonsense/],
    ['plain http to a remote host', { environment: { PARCEL_MONITOR_BASE_URL: 'http://example.com' } }, /Plain HTTP/],
    ['an unknown zone', { options: { zone: 'Europe/Atlantis' } }, /Europe\/Atlantis/],
    ['an unknown zone in the environment', { environment: { PARCEL_MONITOR_ZONE: 'Mars/Olympus' } }, /Mars\/Olympus/],
    ['a bad clock', { environment: { PARCEL_MONITOR_CLOCK: 'Beijing' } }, /Beijing/],
    ['an unknown profile', { options: { profile: 'track999' } }, /track999.*track123/],
    [
      'an unknown profile that a base URL overrides',
      { options: { baseUrl: optionUrl }, environment: { PARCEL_MONITOR_PROFILE: 'nope' } },
      /nope/,
    ],
    ['an invalid header name', { environment: { PARCEL_MONITOR_API_HEADER: 'X Key:' } }, /X Key:/],
  ])('causes a usage error: %s', (_name, source, message) => {
    expect(() => resolve(source)).toThrow(UsageError);
    expect(() => resolve(source)).toThrow(message);
  });
});

it('accepts a pushed update up to five minutes old unless configured otherwise', () => {
  expect(resolve({}).webhookMaxAgeMs).toBe(5 * 60_000);
  expect(resolve({ file: { webhook: { maxAgeMinutes: 3 * 1440 } } }).webhookMaxAgeMs).toBe(3 * 86_400_000);
});

describe('the authentication of a pushed update', () => {
  it('is a signature on any path by default', () => {
    expect(resolve({})).toMatchObject({ webhookSignature: 'hmac', webhookPath: null });
    const webhook = { signature: 'sha256-base64', path: '/parcels/0123456789' } as const;
    expect(resolve({ file: { webhook } })).toMatchObject({
      webhookSignature: 'sha256-base64',
      webhookPath: 'parcels/0123456789',
    });
  });

  it.each(['short', '/0123456789abcde', '0123456789abcdef?', '0123456789 abcdef', '/0123456789abcdef/'])(
    'cannot be the path %j, which the message does not repeat',
    async (path) => {
      const { settings, warnings } = await parseConfigFile(JSON.stringify({ webhook: { path } }), '/c/config.json');
      expect(settings.webhook).toEqual({});
      expect(warnings).toEqual([
        {
          name: 'webhook.path',
          sentence:
            '/c/config.json: "webhook.path" must be at least 16 letters, digits, "-", "_", ".", "~" or "/". It is ignored.',
        },
      ]);
    },
  );
});

describe("config.json's content", () => {
  const parse = async (value: unknown) => {
    const { settings, warnings } = await parseConfigFile(JSON.stringify(value), '/c/config.json');
    return { settings, warnings: warnings.map(({ sentence }) => sentence) };
  };

  it('reports unknown settings at any depth, with the nearest known name', async () => {
    const { warnings, settings } = await parse({
      baseUrl: fileUrl,
      colour: 'red',
      service: { clok: '+08:00', operations: { query: { speed: 9 } } },
    });
    expect(warnings).toEqual([
      '/c/config.json: the setting "colour" is unknown and ignored.',
      '/c/config.json: the setting "service.clok" is unknown and ignored; the closest match is "service.clock".',
      '/c/config.json: the setting "service.operations.query.speed" is unknown and ignored.',
    ]);
    expect(settings.baseUrl).toBe(fileUrl);
  });

  it.each<[string, string, RegExp]>([
    ['invalid JSON', '{"apiKey": "secret-key"', /not valid JSON/],
    ['a list', '[]', /must be an object/],
    ['a string', '"hello"', /must be an object/],
    ['a number for a base URL', '{"baseUrl": 7}', /"baseUrl" must be a string/],
    ['a list for a zone', '{"zone": ["Europe/Berlin"]}', /"zone" must be a string/],
    ['a number for a header', '{"service": {"header": 7}}', /"service.header" must be a string/],
    ['an empty command', '{"apiKeyCommand": []}', /"apiKeyCommand"/],
  ])('causes a usage error if it is or contains %s', async (_name, content, message) => {
    const parsing = parseConfigFile(content, '/c/config.json');
    await expect(parsing).rejects.toThrow(UsageError);
    await expect(parsing).rejects.toThrow(message);
  });

  it.each<[string, unknown, string]>([
    [
      'an impossible limit',
      { service: { operations: { query: { batchLimit: 0 } } } },
      '"service.operations.query.batchLimit" must be at least 1. It is ignored; the nearest valid value is 1.',
    ],
    [
      'an unknown version',
      { service: { queryVersion: 'v3' } },
      '"service.queryVersion" must be "v2.1" or "v2". It is ignored.',
    ],
    [
      'a maximum age of a year',
      { webhook: { maxAgeMinutes: 500_000 } },
      '"webhook.maxAgeMinutes" must be at most 10080. It is ignored; the nearest valid value is 10080.',
    ],
    [
      'a number in quotes',
      { service: { timeoutSeconds: '30' } },
      '"service.timeoutSeconds" must be a number. It is ignored; the nearest valid value is 30.',
    ],
    ['a list of couriers', { couriers: ['postnl'] }, '"couriers" must be an object. It is ignored.'],
    [
      'a number for a postal code',
      { couriers: { postnl: { postalCode: 7 } } },
      '"couriers.postnl.postalCode" must be a string. It is ignored.',
    ],
    ['an invalid language', { lang: 'Klingon!' }, '"lang" cannot be used: '],
  ])('ignores only the invalid setting: %s', async (_name, wrong, warning) => {
    const { settings, warnings } = await parse({ baseUrl: fileUrl, ...(wrong as object) });
    expect(warnings).toEqual([expect.stringContaining(`/c/config.json: ${warning}`)]);
    expect(settings.baseUrl).toBe(fileUrl);
    expect(resolve({ file: settings })).toMatchObject({ queryVersion: 'v2.1', lang: null, timeoutMs: 10_000 });
  });

  it('does not repeat private values of an invalid setting', async () => {
    const { settings, warnings } = await parse({
      couriers: { 'post.nl': { postalCode: '$secret$', phoneSuffix: '1234' } },
    });
    expect(warnings).toEqual([expect.stringContaining('"couriers.post.nl.postalCode" cannot be used')]);
    expect(warnings.join()).not.toContain('secret');
    expect(settings.couriers).toEqual({ 'post.nl': { phoneSuffix: '1234' } });
  });

  it('throws nothing but usage errors for any object', () =>
    forAllAsync(
      rounds(100),
      fc.object({ key: fc.constantFrom('budget', 'service', 'couriers', 'lang', 'operations', 'query') }),
      async (value) => {
        const failure = await parse(value).then(
          () => null,
          (error: unknown) => error,
        );
        expect(failure === null || failure instanceof UsageError).toBe(true);
      },
    ));

  it('never repeats the content in a message, because it may contain the key', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ minLength: 8 }), async (rest) => {
        const content = `{"apiKey": "very-secret-key", ${rest}`;
        const message = await parseConfigFile(content, '/c/config.json').then(
          ({ warnings }) => warnings.map(({ sentence }) => sentence).join('\n'),
          (error: unknown) => String(error),
        );
        expect(message).not.toContain('very-secret-key');
      }),
    );
  });
});
