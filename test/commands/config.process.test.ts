import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type CliRun, createCliUser } from '../support/cli-user.ts';

async function createConfigUser(content?: string) {
  const user = await createCliUser();
  onTestFinished(() => user.remove());
  const file = user.configFile;
  if (content !== undefined) await user.configure(content);
  return {
    user,
    file,
    config: (args: readonly string[], run?: CliRun) => user.run(['config', ...args], run),
    settings: async () => JSON.parse(await readFile(file, 'utf8')) as unknown,
    text: () => readFile(file, 'utf8'),
  };
}

describe('config set', () => {
  it.each([
    [['zone', 'Europe/Berlin'], { zone: 'Europe/Berlin' }],
    [['title', 'false'], { title: false }],
    [['budget.queriesPerDay', '2000'], { budget: { queriesPerDay: 2000 } }],
    [['notify.channels', 'desktop,bell'], { notify: { channels: ['desktop', 'bell'] } }],
    [['notify.channels', 'desktop', 'bell'], { notify: { channels: ['desktop', 'bell'] } }],
    [['notify.channels', '["bell"]'], { notify: { channels: ['bell'] } }],
    [['notify.command', 'notify-send', 'My parcels'], { notify: { command: ['notify-send', 'My parcels'] } }],
    [['notify.command', 'notify-send "My parcels"'], { notify: { command: ['notify-send', 'My parcels'] } }],
    [['apiKeyCommand', 'pass', 'show', 'parcels'], { apiKeyCommand: ['pass', 'show', 'parcels'] }],
    [['apiKeyCommand', 'pass show parcels'], { apiKeyCommand: 'pass show parcels' }],
    [['couriers.dhl.postalCode', '12345'], { couriers: { dhl: { postalCode: '12345' } } }],
    [['budget', '{"queriesPerDay": 5}'], { budget: { queriesPerDay: 5 } }],
    [['service.operations.query.batchLimit', '40'], { service: { operations: { query: { batchLimit: 40 } } } }],
  ])('writes %j', async (args, settings) => {
    const { config, ...user } = await createConfigUser('{}');
    const { exitCode, stdout, stderr } = await config(['set', ...args]);
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: '' });
    expect(stderr).toContain(`"${args[0]}" is `);
    expect(await user.settings()).toEqual(settings);
  });

  it.each([
    [['zone', 'Berlin'], 'did you mean Europe/Berlin?'],
    [['title', 'yes'], 'did you mean true?'],
    [['service.queryVersion', 'v21'], 'must be "v2.1" or "v2".'],
    [['notify.channels', 'desktop,bel'], 'the closest match is "bell".'],
    [['notify.stages', 'delivred'], 'the closest match is "delivered".'],
    [['profile', 'track132'], 'did you mean track123?'],
    [['budget.queriesPerDay', '0'], 'the nearest valid value is 1.'],
    [['service.timeoutSeconds', '9999'], 'the nearest valid value is 600.'],
    [['service.timeoutSeconds', '10s'], 'did you mean 10?'],
    [['budget.queriesADay', '5'], 'did you mean budget.queriesPerDay?'],
    [['TITLE', 'true'], 'did you mean title?'],
    [['couriers.dhl.postcode', '12345'], 'did you mean couriers.dhl.postalCode?'],
    [['baseUrl', 'http://example.com'], '"baseUrl" cannot be used'],
    [['zone', 'UTC', 'local'], 'takes one value, not 2'],
    [['zone'], 'No value is given for "zone".'],
    [[], 'No setting given.'],
    [['a..b', '1'], '"a..b" is not a setting name'],
    [['budget', '{queriesPerDay}'], 'must be JSON, quoted for the shell'],
  ])('refuses %j with advice and writes nothing', async (args, message) => {
    const { config, text } = await createConfigUser('{} // mine\n');
    const { exitCode, stderr } = await config(['set', ...args]);
    expect(exitCode).toBe(2);
    expect(stderr).toContain(message);
    expect(await text()).toBe('{} // mine\n');
  });

  it('keeps comments, and names the schema in a new file', async () => {
    const { config, file, settings } = await createConfigUser();
    expect((await config(['set', 'lang', 'de'])).stderr).toContain('a new file');
    expect(await settings()).toEqual({ $schema: './config.schema.json', lang: 'de' });
    const schema = JSON.parse(await readFile(join(dirname(file), 'config.schema.json'), 'utf8')) as unknown;
    expect(schema).toMatchObject({ properties: { zone: { description: 'Your time zone.' } } });
    const commented = await createConfigUser('{\n  // at home\n  "zone": "UTC"\n}\n');
    await commented.config(['set', 'zone', 'local']);
    expect(await commented.text()).toBe('{\n  // at home\n  "zone": "local"\n}\n');
  });

  it('reads the key from standard input only and never prints it', async () => {
    const { config, settings } = await createConfigUser('{}');
    const refused = await config(['set', 'apiKey', 'secret-key']);
    expect(refused.exitCode).toBe(2);
    expect(refused.stderr).toContain('Do not pass the API key as an argument');
    const { stderr } = await config(['set', 'apiKey', '-'], { input: 'secret-key\n' });
    expect(await settings()).toEqual({ apiKey: 'secret-key' });
    expect(refused.stderr + stderr).not.toContain('secret-key');
    expect((await config(['set', 'apiKey', '-'], { answer: '' })).stderr).toContain('would be visible');
  });

  it('reports what overrides the setting', async () => {
    const { config } = await createConfigUser('{"baseUrl": "https://host/path", "apiKey": "k"}');
    const { stderr } = await config(['set', 'zone', 'utc'], { environment: { PARCEL_MONITOR_ZONE: 'Asia/Tokyo' } });
    expect(stderr).toContain('PARCEL_MONITOR_ZONE overrides it, so Asia/Tokyo is used.');
    const same = { PARCEL_MONITOR_BASE_URL: 'https://HOST:443/path/' };
    const sameUrl = await config(['set', 'baseUrl', 'https://host/path'], { environment: same });
    expect(sameUrl.stderr).not.toContain('overrides');
    expect((await config(['set', 'profile', 'track123'])).stderr).toContain('config unset baseUrl');
    expect((await config(['set', 'apiKeyCommand', 'pass'])).stderr).toContain('config unset apiKey\n');
  });

  it('repairs a file that other commands cannot use', async () => {
    const { config, settings } = await createConfigUser('{"zone": "Nowhere", "profile": 5}');
    expect((await config(['list'])).exitCode).toBe(2);
    expect((await config(['set', 'zone', 'utc'])).exitCode).toBe(0);
    expect((await config(['unset', 'profile'])).exitCode).toBe(0);
    expect(await settings()).toEqual({ zone: 'utc' });
  });
});

describe('config unset', () => {
  it('removes known and unknown settings and says what applies now', async () => {
    const { config, text } = await createConfigUser(
      '{\n  // mine\n  "title": false,\n  "odd": 1,\n  "lang": "de"\n}\n',
    );
    const { exitCode, stderr } = await config(['unset', 'title', 'odd', 'zone']);
    expect(exitCode).toBe(0);
    expect(stderr).toMatch(/"title" was removed from .*; it is now true \(default\)\./);
    expect(stderr).toMatch(/"zone" was not set in .*; it is now the machine's\./);
    expect(await text()).toBe('{\n  // mine\n  "lang": "de"\n}\n');
  });

  it('does not create a file', async () => {
    const { config, text } = await createConfigUser();
    expect((await config(['unset', 'title'])).exitCode).toBe(0);
    await expect(text()).rejects.toThrow(/ENOENT/);
    expect((await config(['unset', 'titel'])).stderr).toContain('did you mean title?');
  });
});

describe('config list and get', () => {
  const content = JSON.stringify({
    profile: 'track123',
    apiKey: 'secret-key',
    apiKeyCommand: ['pass', 'show', 'secret-entry'],
    zone: 'Europe/Berlin',
    couriers: { dhl: { postalCode: '98765', phoneSuffix: '4321' } },
    apikey: 'secret-key-too',
  });

  it('list prints every setting with its value and origin, but no secrets', async () => {
    const { config } = await createConfigUser(content);
    const { exitCode, stdout, stderr } = await config(['list', '--base-url', 'https://host/path'], {
      environment: { PARCEL_MONITOR_ZONE: 'Asia/Tokyo' },
    });
    expect(exitCode).toBe(0);
    const line = (name: string) =>
      stdout
        .split('\n')
        .find((row) => row.startsWith(`${name} `))
        ?.replace(/ {2,}/g, ' | ');
    expect(line('baseUrl')).toBe('baseUrl | https://host/path | --base-url');
    expect(line('zone')).toBe('zone | Asia/Tokyo | PARCEL_MONITOR_ZONE, overrides config.json');
    expect(line('service.header')).toBe('service.header | Track123-Api-Secret | profile track123');
    expect(line('apiKeyCommand')).toBe('apiKeyCommand | pass, ******** | config.json');
    expect(line('archive.deliveredAfterDays')).toBe('archive.deliveredAfterDays | 30 | default');
    expect(line('apikey')).toBe('apikey | ******** | config.json, invalid');
    expect(stderr).toContain('the closest match is "apiKey"');
    expect(stdout + stderr).not.toMatch(/secret|98765|4321/);
  });

  it("list reports a list setting with an invalid item, and doctor's command fixes it", async () => {
    const { config, settings, user } = await createConfigUser('{"notify": {"channels": ["bell", "pigeon"]}}');
    const { exitCode, stdout } = await config(['list', 'notify.channels']);
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: expect.stringMatching(/config\.json, invalid\n$/) });
    const advice = 'parcel-monitor config unset notify.channels';
    expect((await user.run(['doctor', '--offline'])).stdout).toContain(`Run: ${advice}\n`);
    await user.run(advice.split(' ').slice(1));
    expect(await settings()).toEqual({});
  });

  it('list accepts part of a path and prints JSON', async () => {
    const { config, file } = await createConfigUser(content);
    const { exitCode, stdout } = await config(['list', 'couriers', '--json']);
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      version: 1,
      file,
      settings: [
        { name: 'couriers.dhl.postalCode', value: '********', origin: 'config.json', hidden: true },
        { name: 'couriers.dhl.phoneSuffix' },
      ],
    });
  });

  it.each([
    [['zone'], 0, 'Europe/Berlin\n'],
    [['baseUrl'], 0, 'https://api.track123.com/gateway/open-api\n'],
    [['notify.channels'], 0, '[]\n'],
    [['couriers.dhl'], 0, '{\n  "postalCode": "98765",\n  "phoneSuffix": "4321"\n}\n'],
    [['service.clock'], 1, ''],
    [['apiKey'], 2, ''],
    [['zon'], 2, ''],
    [[], 2, ''],
  ])('get %j exits with %i', async (args, exitCode, stdout) => {
    const { config } = await createConfigUser(content);
    const result = await config(['get', ...args]);
    expect({ exitCode: result.exitCode, stdout: result.stdout }).toEqual({ exitCode, stdout });
    expect(result.stderr).not.toContain('secret-key');
  });

  it('get prints JSON', async () => {
    const { config } = await createConfigUser(content);
    expect(JSON.parse((await config(['get', 'zone', '--json'])).stdout)).toMatchObject({
      version: 1,
      name: 'zone',
      value: 'Europe/Berlin',
      origin: 'config.json',
    });
    expect((await config(['get', 'apiKey', '--json'])).stdout).not.toContain('secret');
  });

  it.each([
    [['lst'], 'Did you mean list?'],
    [['remove'], '"remove" is not a valid action. Use: get, set, unset, list, schema, edit.'],
    [['schema', 'zone'], 'Unexpected argument "zone" after "config schema"'],
    [['set', 'zone', 'utc', '--json'], '--json works with "get" and "list"'],
  ])('%j is refused', async (args, message) => {
    const { config } = await createConfigUser();
    const { exitCode, stderr } = await config(args);
    expect(exitCode).toBe(2);
    expect(stderr).toContain(message);
  });
});

describe('config edit', () => {
  /** Runs `config edit` with an editor that writes these strings, one per call. */
  async function runEditor(before: string | undefined, versions: readonly string[], answer = '') {
    const user = await createConfigUser(before);
    const folder = dirname(dirname(dirname(user.file)));
    await mkdir(folder, { recursive: true });
    const editor = join(folder, 'my editor.mjs');
    const script = `import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
const calls = new URL('calls', import.meta.url);
const versions = ${JSON.stringify(versions)};
const call = existsSync(calls) ? readFileSync(calls, 'utf8').length : 0;
appendFileSync(calls, '.');
if (process.env.PARCEL_MONITOR_API_KEY) process.exit(9);
if (versions[call] === 'fail') process.exit(3);
if (versions[call] !== undefined) writeFileSync(process.argv[3], versions[call]);
`;
    await writeFile(editor, script);
    const environment = { EDITOR: `"${process.execPath}" '${editor}' --wait`, PARCEL_MONITOR_API_KEY: 'k' };
    const result = await user.config(['edit'], { environment, answer });
    const drafts = (await readdir(dirname(user.file))).filter((name) => name.startsWith('config.edit-'));
    return {
      ...user,
      ...result,
      drafts,
      readDraft: async () => await readFile(join(dirname(user.file), drafts[0] ?? ''), 'utf8'),
    };
  }

  it('saves a valid edit', async () => {
    const { exitCode, stderr, text, drafts } = await runEditor('{}', ['{ /* mine */ "zone": "utc" }']);
    expect({ exitCode, drafts }).toEqual({ exitCode: 0, drafts: [] });
    expect(stderr).toContain('is saved.');
    expect(await text()).toBe('{ /* mine */ "zone": "utc" }');
  });

  it('starts a new file with a hint, and removes it if it is unchanged', async () => {
    const { exitCode, stderr, text, drafts } = await runEditor(undefined, []);
    expect({ exitCode, drafts }).toEqual({ exitCode: 0, drafts: [] });
    expect(stderr).toContain('Nothing was changed');
    await expect(text()).rejects.toThrow(/ENOENT/);
  });

  it.each([
    ['changes nothing', [], ''],
    ['gives up', ['{"title": 5}'], 'q'],
    ['has an editor that does not start', ['fail'], ''],
  ])('removes the schema from a folder without a file if the user %s', async (_what, versions, answer) => {
    const { file } = await runEditor(undefined, versions, answer);
    expect(await readdir(dirname(file))).toEqual([]);
  });

  it('keeps the schema next to the file that names it', async () => {
    const { file } = await runEditor(undefined, ['{"$schema": "./config.schema.json", "zone": "utc"}']);
    expect((await readdir(dirname(file))).toSorted()).toEqual(['config.json', 'config.schema.json']);
    expect((await runEditor('{"$schema": "./config.schema.json"}', [])).exitCode).toBe(0);
  });

  it('reports errors and offers to edit again', async () => {
    const { exitCode, stderr, text } = await runEditor(
      '{}',
      ['{"title": 5}', '{"zone" "utc"}', '{"title": false}'],
      'e',
    );
    expect(stderr).toMatch(
      /"title" must be true or false[\s\S]*e to edit again, s to save[\s\S]*:1:9: .*a colon is missing/,
    );
    expect({ exitCode, text: await text() }).toEqual({ exitCode: 0, text: '{"title": false}' });
  });

  it('saves an invalid setting if the user insists', async () => {
    const { exitCode, text } = await runEditor('{}', ['{"later": 5}'], 's');
    expect({ exitCode, text: await text() }).toEqual({ exitCode: 0, text: '{"later": 5}' });
  });

  it('never saves invalid JSON', async () => {
    const { exitCode, readDraft, text } = await runEditor('{}', ['{"later": 5'], 's');
    expect({ exitCode, text: await text(), draft: await readDraft() }).toEqual({
      exitCode: 1,
      text: '{}',
      draft: '{"later": 5',
    });
  });

  it('leaves the file unchanged if the user gives up', async () => {
    const { exitCode, drafts, text } = await runEditor('{}', ['{"title": 5}'], 'q');
    expect({ exitCode, drafts, text: await text() }).toEqual({ exitCode: 0, drafts: [], text: '{}' });
  });

  it('reports that the editor failed', async () => {
    const { exitCode, drafts, stderr } = await runEditor('{}', ['fail']);
    expect({ exitCode, drafts }).toEqual({ exitCode: 1, drafts: [] });
    expect(stderr).toContain('exited with code 3. Nothing was changed.');
  });

  it('requires a terminal', async () => {
    const { config, file } = await createConfigUser('{}');
    const { exitCode, stderr } = await config(['edit']);
    expect(exitCode).toBe(2);
    expect(stderr).toContain(`The file is ${file}`);
  });
});

it('only config and doctor report an invalid board setting, not other commands', async () => {
  const { config, user } = await createConfigUser('{"theme": "blue", "lang": "english"}');
  const { exitCode, stderr } = await user.run(['list']);
  expect(exitCode).toBe(0);
  expect(stderr).toContain('"lang"');
  expect(stderr).not.toContain('"theme"');
  expect(await config(['list'])).toMatchObject({ stderr: expect.stringContaining('"theme"') });
  expect(await user.run(['doctor', '--offline'])).toMatchObject({ stdout: expect.stringContaining('"theme"') });
});
