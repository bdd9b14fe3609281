import { chmod, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { userForEachTest } from '../support/cli-user.ts';

const user = userForEachTest();

interface SeenRequest {
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

let seen: SeenRequest[] = [];
let status = 200;
const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    seen.push({ path: request.url ?? '', headers: request.headers, body: Buffer.concat(chunks).toString() });
    response.writeHead(status).end('s3cret is wrong');
  });
});
let base = '';
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => void server.close());
beforeEach(() => {
  seen = [];
  status = 200;
});

const folder = (): string => join(user.home, '.config', 'parcel-monitor');
const configure = (notify: object): Promise<void> => user.configure({ notify });

const text = 'This is a test notification.';
const token = 's3cret';

describe('notify --test', () => {
  it.each([
    ['slack', { url: '/services/s3cret' }, '/services/s3cret', { text: `parcel-monitor\n${text}` }],
    ['discord', { url: '/hook' }, '/hook', { content: `parcel-monitor\n${text}`, allowed_mentions: { parse: [] } }],
    [
      'telegram',
      { url: '', token, chat: '42' },
      '/bots3cret/sendMessage',
      { chat_id: '42', text: `parcel-monitor\n${text}` },
    ],
    ['gotify', { url: '', token }, '/message', { title: 'parcel-monitor', message: text }],
    ['webhook', { url: '/api/webhook/1' }, '/api/webhook/1', { version: 1, trackNo: 'TEST', message: text }],
  ])('sends to %s as documented', async (name, { url, ...others }, path, body) => {
    await configure({ channels: [name], [name]: { ...others, url: base + url } });
    expect(await user.run(['notify', '--test'])).toMatchObject({ exitCode: 0 });
    expect(seen).toMatchObject([{ path }]);
    expect(JSON.parse(seen[0]?.body ?? '')).toMatchObject(body);
    if (name === 'gotify') expect(seen[0]?.headers).toMatchObject({ 'x-gotify-key': token });
  });

  it('sends to ntfy and Pushover as documented', async () => {
    const [ntfy, pushover] = [
      { url: `${base}/topic`, token },
      { url: base, token, user: 'me' },
    ];
    await configure({ channels: ['ntfy', 'pushover'], ntfy, pushover });
    expect(await user.run(['notify', '--test'])).toMatchObject({ exitCode: 0 });
    expect(seen).toMatchObject([
      { path: '/topic', body: text, headers: { title: 'parcel-monitor', authorization: 'Bearer s3cret' } },
      { path: '/1/messages.json' },
    ]);
    expect(Object.fromEntries(new URLSearchParams(seen[1]?.body))).toEqual({
      ...{ token, user: 'me', title: 'parcel-monitor', message: text },
    });
  });

  it('reads a secret from a file, does not repeat it when reporting a failure, and continues with the other channels', async () => {
    status = 401;
    const gotify = { url: base, tokenFile: 'token' };
    await configure({ channels: ['gotify', 'slack', 'webhook'], gotify, webhook: { url: 'http://host.example/x' } });
    await writeFile(join(folder(), 'token'), `${token}\n`, { mode: 0o600 });
    const { exitCode, stderr, stdout } = await user.run(['notify', '--test']);
    expect(exitCode).toBe(1);
    expect(stdout).toMatch(/^fail +gotify +127\.0\.0\.1:\d+ rejected the message \(HTTP 401\)/m);
    expect(stdout).toMatch(/^fail +slack +"notify\.slack\.url" is not set/m);
    expect(stdout).toMatch(/^fail +webhook +"notify\.webhook\.url" must start with https/m);
    expect(stdout + stderr).not.toContain(token);
    expect(seen[0]?.headers).toMatchObject({ 'x-gotify-key': token });
  });

  it('sends nothing while other users can change the settings', async () => {
    await configure({ channels: ['slack'], slack: { url: `${base}/x` } });
    await chmod(join(folder(), 'config.json'), 0o666);
    expect((await user.run(['notify', '--test'])).stdout).toContain('"notify.slack" is not used while another user');
    expect(seen).toEqual([]);
  });
});

it('hides the secrets in "config list" and "doctor", which checks them without sending', async () => {
  await configure({ channels: ['slack', 'gotify'], slack: { url: `${base}/s3cret` }, gotify: { token } });
  const [listed, checked] = [await user.run(['config', 'list']), await user.run(['doctor', '--verbose', '--offline'])];
  expect(checked.stdout).toContain('slack: a message to Slack');
  expect(checked.stdout).toMatch(/gotify: "notify\.gotify\.url" is not set/);
  expect(listed.stdout).toContain('notify.slack.url');
  expect(listed.stdout + checked.stdout + checked.stderr).not.toContain('s3cret');
  expect(seen).toEqual([]);
});

it('reports an unknown template placeholder with the closest match', async () => {
  await configure({ template: '{label} {plase}' });
  expect((await user.run(['list'])).stderr).toMatch(
    /"notify\.template" has an unknown placeholder \{plase\}; the closest match is \{place\}/,
  );
});

it('reports a placeholder that is a property of all JavaScript objects', async () => {
  await configure({ template: '{label} {toString}' });
  expect((await user.run(['list'])).stderr).toMatch(
    /"notify\.template" has an unknown placeholder \{toString\}; use \{label\} /,
  );
});
