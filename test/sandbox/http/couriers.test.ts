import { expect, it } from 'vitest';
import { importPath, runSandbox } from '../support.ts';

it('contains rows without a code, like the public list', async () => {
  const sandbox = await runSandbox();
  const response = await sandbox.get('/tk/v2.1/courier/list');
  const codes = response.body.data.map((row: { courierCode: string | null }) => row.courierCode);
  expect(codes).toContain(null);
  expect(codes).toContain('');
});

it('can be as long as the public list, with the same gaps, and accepts every listed code', async () => {
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
  const response = await sandbox.post(importPath, [{ trackNo: 'ANY1234567', courierCode: last }]);
  expect(response.body.data.accepted).toEqual([{ trackNo: 'ANY1234567', courierCode: last }]);
});
