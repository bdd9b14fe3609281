import { Client } from 'pg';
import type { EpochMs } from '../../src/lib/clock.ts';
import type { Account } from '../../src/store/postgres/database.ts';
import { numberKey } from '../../src/store/postgres/parcel-rows.ts';
import { type SeededParcel, seededParcels } from './seeded-parcels.ts';

/** Seeded parcels repeat after this many, except for the numbers in them. */
const period = 300;

/** A parcel that serves as a template. The server replaces its placeholders. */
interface Pattern {
  readonly key: string;
  readonly body: string;
  readonly history: string;
}

/**
 * Fills an account with the parcels of `seededParcels` and their histories, in order. The server creates them, because
 * sending so many would take minutes.
 */
export async function seedDatabase(
  address: string,
  { id: account }: Account,
  count: number,
  now: EpochMs,
  dueAt: EpochMs,
): Promise<void> {
  const patterns = seededParcels(Math.min(count, period), now, dueAt).map(patternOf);
  const client = new Client(address);
  await client.connect();
  try {
    await client.query('create temporary table pattern (n int, key text, body text, history text)');
    await client.query(
      `insert into pattern select u.n - 1, u.key, u.body, u.history
       from unnest($1::text[], $2::text[], $3::text[])
         with ordinality as u(key, body, history, n)`,
      [patterns.map(({ key }) => key), patterns.map(({ body }) => body), patterns.map(({ history }) => history)],
    );
    await client.query('analyze pattern');
    const from = 'from generate_series(0, $2::int - 1) as i join pattern p on p.n = i % $3::int';
    const values = [account, count, patterns.length];
    await client.query(
      `insert into parcel_monitor.parcel (account_id, id, number_key, position, revision, body)
       select $1, 'seeded-' || i, ${fillPlaceholders('p.key')}, i, 0, ${fillPlaceholders('p.body')}::json ${from}`,
      values,
    );
    await client.query(
      `insert into parcel_monitor.history (account_id, id, revision, body)
         select $1, 'seeded-' || i, 1, p.history::json ${from}`,
      values,
    );
    // A server in use would have done this by itself. It must not start while we measure.
    for (const table of ['parcel', 'history']) await client.query(`vacuum (analyze) parcel_monitor.${table}`);
    await client.query('checkpoint');
  } finally {
    await client.end();
  }
}

/** Returns an SQL expression that replaces the placeholders. */
const fillPlaceholders = (column: string): string => `format(${column}, i, 100000000 + i, i + 1, 10000 + i)`;

function patternOf({ checkpoints, parcel }: SeededParcel, index: number): Pattern {
  const withPlaceholders = (text: string): string =>
    text
      .replaceAll('%', '%%')
      .replaceAll(`"seeded-${index}"`, '"seeded-%1$s"')
      .replaceAll(String(100_000_000 + index), '%2$s')
      .replaceAll(`"Order ${index + 1}"`, '"Order %3$s"')
      .replaceAll(`(${index + 1})"`, '(%3$s)"')
      .replaceAll(`"id":"${10_000 + index}"`, '"id":"%4$s"');
  return {
    key: withPlaceholders(numberKey(parcel.trackNo)),
    body: withPlaceholders(JSON.stringify(parcel)),
    history: JSON.stringify({ checkpoints, received: null, version: 1 }),
  };
}
