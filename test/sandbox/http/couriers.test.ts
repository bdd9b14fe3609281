import { expect, it } from 'vitest';
import { importPath, runSandbox } from '../support.ts';

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

it('contains rows without a code, like the public list', async () => {
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

it('can be as long as the public list, with the same missing names and codes, and every listed code works', async () => {
  const sandbox = await runSandbox({ couriers: 1900 });
  const { data } = (await sandbox.get('/tk/v2.1/courier/list')).body;
  const rows: Record<string, string | null>[] = data;
  expect(rows).toHaveLength(1900);
  for (const field of ['courierCode', 'courierNameEN', 'courierNameCN', 'courierHomePage']) {
    expect(rows.some((row) => row[field] === null)).toBe(true);
  }
  for (const field of ['courierCode', 'courierNameEN']) expect(rows.some((row) => row[field] === '')).toBe(true);
  const codes = rows.flatMap(({ courierCode }) => courierCode || []);
  expect(new Set(codes).size).toBe(codes.length);
  const last = codes.at(-1);
  const answer = await sandbox.post(importPath, [{ trackNo: 'ANY1234567', courierCode: last }]);
  expect(answer.body.data.accepted).toEqual([{ trackNo: 'ANY1234567', courierCode: last }]);
});
