import { describe, expect, it } from 'vitest';
import { configJsonSchema } from '../../src/settings/config-json-schema.ts';
import { settingNames } from '../../src/settings/config-schema.ts';
import { resolveConfiguration } from '../../src/settings/configuration.ts';
import { settingTable } from '../../src/settings/setting-table.ts';
import { settingProblems } from '../../src/settings/settled-settings.ts';

const names = Object.keys(settingTable).filter((name) => !name.includes('*'));

describe('the table of settings', () => {
  it('describes every setting, and no other', () => {
    expect([...names, 'couriers'].sort()).toEqual([...settingNames()].sort());
  });

  it('has the defaults that hold', () => {
    const usual = (name: string) => settingTable[name]?.usual;
    const configuration = resolveConfiguration({ options: {}, environment: {}, file: {}, systemZone: () => 'UTC' });
    expect(usual('title')).toBe(configuration.title);
    expect(usual('keepScreen')).toBe(configuration.keepScreen);
    expect(usual('service.header')).toBe(configuration.header);
    expect(usual('service.queryVersion')).toBe(configuration.queryVersion);
    expect(usual('service.registerVersion')).toBe(configuration.registerVersion);
    expect(usual('service.timeoutSeconds')).toBe(configuration.timeoutMs / 1000);
    expect(usual('polling.leastMinutes')).toBe(configuration.leastMs / 60_000);
    expect(usual('archive.deliveredAfterDays')).toBe(configuration.archiveAfterDays.delivered);
    expect(usual('archive.closedAfterDays')).toBe(configuration.archiveAfterDays.closed);
    expect(usual('webhook.maxAgeMinutes')).toBe(configuration.webhookMaxAgeMs / 60_000);
    expect(usual('webhook.signature')).toBe(configuration.webhookSignature);
    expect(usual('notify.stages')).toEqual(configuration.notify.stages);
    expect(usual('notify.channels')).toEqual(configuration.notify.channels);
  });

  it.each(names)('has defaults and examples of %s that are right', (name) => {
    const { examples = [], usual } = settingTable[name] ?? {};
    for (const value of usual === undefined ? examples : [...examples, usual]) {
      const settings = name.split('.').reduceRight<unknown>((inner, part) => ({ [part]: inner }), value);
      expect(settingProblems(settings as Parameters<typeof settingProblems>[0])).toEqual([]);
    }
  });

  it('is in the schema for editors, which takes nothing else', () => {
    const schema = JSON.stringify(configJsonSchema());
    for (const { about } of Object.values(settingTable))
      expect(schema).toContain(JSON.stringify(`${about}.`).slice(1, -1));
    expect(configJsonSchema()).toMatchObject({ additionalProperties: false });
    expect(schema).not.toContain('"required"');
  });
});
