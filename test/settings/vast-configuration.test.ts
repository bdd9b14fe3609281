import { expect, it } from 'vitest';
import { parseConfigFile } from '../../src/settings/check-settings.ts';
import { UsageError } from '../../src/settings/errors.ts';
import { userForEachTest } from '../support/cli-user.ts';

const user = userForEachTest();

const deep = (levels: number): string => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;
const unknownNames = (count: number): string =>
  `{${Array.from({ length: count }, (_, at) => `"baseUr${at}": ${at}`).join(',')}}`;

it.each([
  ['5,000 levels', deep(5_000), /config\.json: the content is nested too deeply/],
  ['5,000 nested levels with a comment', `// mine\n${deep(5_000)}`, /config\.json: the content is nested too deeply/],
  ['5,000 nested lists', `{"notify": {"stages": ${'['.repeat(5_000)}${']'.repeat(5_000)}}}`, /nested too deeply/],
  ['2 MB', unknownNames(100_000), /config\.json: the content is longer than 1 MiB/],
])('every command refuses a configuration of %s with a message', async (_name, text, sentence) => {
  await user.configure(text);
  for (const words of [['list'], ['config', 'list'], ['config', 'set', 'zone', 'UTC'], ['couriers']]) {
    const { exitCode, stderr } = await user.run(words);
    expect([words[0], exitCode, stderr]).toEqual([words[0], 2, expect.stringMatching(sentence)]);
  }
  expect((await user.run(['doctor', '--offline'])).stdout).toMatch(sentence);
});

it('lists some of many unknown settings and counts the rest', async () => {
  await user.configure(unknownNames(3_000));
  const { exitCode, stderr } = await user.run(['list']);
  expect(exitCode).toBe(0);
  expect(stderr.split('\n').filter((line) => line.includes('is unknown and ignored'))).toHaveLength(10);
  expect(stderr).toContain('the setting "baseUr0" is unknown and ignored; the closest match is "baseUrl".');
  expect(stderr).toContain('2990 more unknown settings are ignored');
  const listed = await user.run(['config', 'list']);
  expect(listed).toMatchObject({ exitCode: 0, stderr: expect.stringContaining('2980 more settings') });
  expect((await user.run(['doctor', '--offline'])).stdout).toContain('Run: parcel-monitor config edit');
});

it('suggests nothing for a name that is too long', async () => {
  const { warnings } = await parseConfigFile(`{"${'zone'.repeat(200_000)}": 1}`, 'config.json');
  expect(warnings).toEqual([
    { name: expect.any(String), sentence: expect.stringMatching(/^.{0,200}… ?" is unknown and ignored/) },
  ]);
  const couriers = Object.fromEntries(Array.from({ length: 9_000 }, (_, at) => [`c${at}`, { postalCode: 7 }]));
  const wrong = await parseConfigFile(JSON.stringify({ couriers }), 'config.json');
  expect(wrong.warnings).toHaveLength(11);
  expect(wrong.settings.couriers).toBeDefined();
  await expect(parseConfigFile(`{"baseUrl": 7, ${unknownNames(20).slice(1)}`, 'c')).rejects.toThrow(UsageError);
});
