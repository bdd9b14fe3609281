import { describe, expect, test } from 'vitest';
import { createTestDatabase } from './test-server.ts';

describe('a database for tests', () => {
  test('is empty and belongs to its test', async () => {
    const [one, two] = await Promise.all([createTestDatabase(), createTestDatabase()]);
    await one.query('create table note (body text)');
    await one.query('insert into note values ($1)', ['mine']);
    expect(await one.query('select body from note')).toEqual([{ body: 'mine' }]);
    expect(await two.query(`select to_regclass('note') as name`)).toEqual([{ name: null }]);
  });

  test('can be a copy of another', async () => {
    const original = await createTestDatabase();
    await original.query('create table note as select 1 as number');
    const copy = await createTestDatabase({ template: original.name });
    expect(await copy.query('select number from note')).toEqual([{ number: 1 }]);
  });
});
