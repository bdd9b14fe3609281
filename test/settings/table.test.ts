import { describe, expect, it } from 'vitest';
import { configJsonSchema } from '../../src/settings/change-config-file.ts';
import { settingProblems } from '../../src/settings/check-settings.ts';
import { settingTable } from '../../src/settings/table.ts';

const names = Object.keys(settingTable).filter((name) => !name.includes('*'));

describe('the settings table', () => {
  it.each(names)('has valid defaults and examples for %s', (name) => {
    const { examples = [], defaultValue } = settingTable[name] ?? {};
    for (const value of defaultValue === undefined ? examples : [...examples, defaultValue]) {
      const settings = name.split('.').reduceRight<unknown>((inner, part) => ({ [part]: inner }), value);
      expect(settingProblems(settings as Parameters<typeof settingProblems>[0])).toEqual([]);
    }
  });

  it('is in the schema for editors, which accepts nothing else', () => {
    const schema = JSON.stringify(configJsonSchema());
    for (const { about } of Object.values(settingTable))
      expect(schema).toContain(JSON.stringify(`${about}.`).slice(1, -1));
    expect(configJsonSchema()).toMatchObject({ additionalProperties: false });
    expect(schema).not.toContain('"required"');
  });
});
