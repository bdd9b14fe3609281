import type { EpochMs } from '../../../src/lib/clock.ts';
import type { Parcel } from '../../../src/parcels/parcel.ts';
import type { Account, Database } from '../../../src/store/postgres/database.ts';
import { aParcel, aRecord } from '../../board/parcels.ts';

/** The part of the number that is replaced. */
const placeholder = '7777777';
const due = '2099-01-01T00:00:00.000Z';

/** All parcels are copies of this one: in transit, with merchant details. */
const template: Parcel = aParcel({
  id: `many-${placeholder}`,
  trackNo: `RB${placeholder}CN`,
  nextPollAt: due,
  registration: 'registered',
  merchant: { orderNo: placeholder, customerEmail: 'ann@example.com' },
  record: aRecord({
    nextUpdateTime: null,
    courierTrackingLink: `https://track.example.com/?number=RB${placeholder}CN`,
  }),
});

/**
 * Inserts this many parcels into an account. The database creates them: `RB1000000CN` and so on, the first due at
 * `from`, and one every `stepMs` after it.
 */
export async function putMany(
  database: Database,
  account: Account,
  { count, from, stepMs }: { readonly count: number; readonly from: EpochMs; readonly stepMs: number },
): Promise<void> {
  const dueAt = `timestamptz 'epoch' + ($3::float8 + n * $4::float8) * interval '1 millisecond'`;
  const iso = `to_char((${dueAt}) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
  const filled = (json: string): string =>
    `replace(replace(${json}, '${placeholder}', (1000000 + n)::text), '${due}', ${iso})::json`;
  await database.transaction(
    async (transaction) => {
      const [row] = await transaction.query<{ revision: number }>(
        'update parcel_monitor.account set revision = revision + 1 where id = $1 returning revision',
        [account.id],
      );
      await transaction.query(
        `insert into parcel_monitor.parcel (account_id, id, number_key, position, revision, body)
         select $1, 'many-' || (1000000 + n), 'RB' || (1000000 + n) || 'CN', $5::bigint * 1048576 + n, $5::bigint,
           ${filled('$2::text')}
         from generate_series(0, $6::int - 1) n`,
        [account.id, JSON.stringify(template), from, stepMs, row?.revision ?? 0, count],
      );
    },
    { responseMs: 600_000 },
  );
}
