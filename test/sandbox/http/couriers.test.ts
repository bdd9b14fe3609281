import { expect, it } from 'vitest';
import { runSandbox } from '../support.ts';

it.each(['/tk/v2/courier/list', '/tk/v2.1/courier/list'])('lists the couriers as a flat array at %s', async (path) => {
  const sandbox = await runSandbox();
  const answer = await sandbox.get(path);
  expect(answer.status).toBe(200);
  expect(answer.body).toMatchObject({
    code: '00000',
    msg: 'Success',
    traceId: expect.stringMatching(/^[0-9a-f]{32}$/),
  });
  expect(answer.body.data).toContainEqual({
    courierCode: 'japan-post',
    courierNameCN: '日本邮政',
    courierNameEN: 'Japan Post',
    courierHomePage: 'https://www.post.japanpost.jp',
  });
  expect(
    answer.body.data.filter((row: { courierCode: string | null }) => row.courierCode).length,
  ).toBeGreaterThanOrEqual(80);
});

it('holds rows without a code, as the public list does', async () => {
  const sandbox = await runSandbox();
  const answer = await sandbox.get('/tk/v2.1/courier/list');
  const codes = answer.body.data.map((row: { courierCode: string | null }) => row.courierCode);
  expect(codes).toContain(null);
  expect(codes).toContain('');
});

it('answers the wrong method with a format error and no trace identifier', async () => {
  const sandbox = await runSandbox();
  const answer = await sandbox.post('/tk/v2.1/courier/list', {});
  expect(answer.status).toBe(400);
  expect(answer.body).toEqual({ code: 'A0400', msg: 'params format error', traceId: 'N/A' });
});
