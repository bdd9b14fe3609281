import { performance } from 'node:perf_hooks';
import { Client } from 'pg';
import { systemClock } from '../../src/system/clock.ts';
import { startPostgresServer } from '../support/postgres/postgres-server.ts';
import { type OpenStore, openStore } from '../support/postgres/open-store.ts';
import type { BenchOptions } from './bench-options.ts';
import { measureDatabaseBoards } from './database-boards.ts';
import { seedDatabase } from './database-seed.ts';
import { recordsAtOnce, StoreWriter } from './database-writer.ts';
import { compare, spreadOf } from './figures.ts';
import { besideFinding, type Finding, missingFinding, plainFinding } from './finding.ts';
import { measureInTurn } from './in-turn.ts';
import type { Workshop } from './workshop.ts';

const hourMs = 60 * 60_000;
const account = 'bench';
/** A board of more is nobody's; who only checks them holds those that are due. */
const mostOnBoard = 100_000;
/** As many as who checks parcels reads ahead. */
const dueAtOnce = 1_000;

/** What is measured of one database. */
interface Place {
  readonly address: string;
  readonly count: number;
  readonly client: Client;
}

/**
 * Watchlists in databases on a server that waits for the disk, one size after the other: what a write takes beside a bare
 * commit, boards on it, from a commit of one host to the frame of another, and what it takes on the disk.
 */
export async function measureDatabases(
  workshop: Workshop,
  options: BenchOptions,
  note: (text: string) => void,
): Promise<readonly Finding[]> {
  // As much as somebody gives a server who keeps so many; what is made for it must not be tidied up while it is measured.
  const settings = { shared_buffers: '512MB', max_wal_size: '4GB', checkpoint_timeout: '1h', autovacuum: 'off' };
  const server = await startPostgresServer({ isDurable: true, settings });
  try {
    const findings: Finding[] = [];
    for (const count of options.databaseParcels) {
      const administrator = new Client(server.address());
      await administrator.connect();
      await administrator.query(`create database bench_${count}`);
      await administrator.end();
      const place = { address: server.address(`bench_${count}`), count };
      findings.push(...(await measureDatabase(place, workshop, options, note)));
    }
    return findings;
  } finally {
    await server.stop();
  }
}

async function measureDatabase(
  { address, count }: Pick<Place, 'address' | 'count'>,
  workshop: Workshop,
  options: BenchOptions,
  note: (text: string) => void,
): Promise<readonly Finding[]> {
  const counted = count.toLocaleString('en');
  const [writing, reading] = [await openStore({ address, account }), await openStore({ address, account })];
  const client = new Client(address);
  await client.connect();
  try {
    const startedAt = performance.now();
    const now = systemClock.now();
    await seedDatabase(address, writing.account, {
      ...{ count, now, dueAt: now + 6.5 * hourMs },
      hasHistories: count <= mostOnBoard,
    });
    const seconds = (performance.now() - startedAt) / 1000;
    note(`  ${counted} parcels, made in ${seconds.toFixed(0)} s …`);
    const place: Place = { address, count, client };
    const group = `PostgreSQL, ${counted} parcels`;
    const size = await sizeFindings(place, group);
    const writes = await writeFindings(place, { writing, reading }, group, options);
    const user = workshop.userOfDatabase(`database ${count}`, { address, account });
    const boards = async (): Promise<readonly Finding[]> => {
      if (count > mostOnBoard) return [];
      try {
        return await measureDatabaseBoards({ group, user, writing, workshop, count }, options);
      } catch (error) {
        // What else was measured took minutes.
        note(String(error));
        process.exitCode = 1;
        return [missingFinding({ group, name: 'boards', note: String(error).slice(0, 80) }, 'ms')];
      }
    };
    return [...writes, ...(await boards()), ...size];
  } finally {
    await Promise.all([writing.database.close(), reading.database.close(), client.end()]);
  }
}

async function writeFindings(
  { client, count }: Place,
  { reading, writing }: { readonly writing: OpenStore; readonly reading: OpenStore },
  group: string,
  { databaseRounds }: BenchOptions,
): Promise<readonly Finding[]> {
  await client.query('create table public.bare (n int)');
  await client.query('insert into public.bare values (0)');
  const writer = await StoreWriter.open(writing.store, count);
  let followed = (await reading.store.soonest(dueAtOnce)).revision;
  const round = async (): Promise<number> => await timed(async () => await writer.round());
  const results = await measureInTurn(databaseRounds, {
    bare: async () => await timed(async () => await client.query('update public.bare set n = n + 1')),
    one: async () => await timed(async () => await writer.label(`Order ${performance.now()}`)),
    round,
    follow: async () => {
      await round();
      return await timed(async () => {
        followed = (await reading.store.changesSince(followed))?.revision ?? followed;
      });
    },
    due: async () => await timed(async () => await reading.store.soonest(dueAtOnce)),
    wal: async () => {
      const before = await walPosition(client);
      await round();
      return ((await walPosition(client)) - before) / 1000;
    },
  });
  const beside = (name: string, ours: readonly number[]): Finding =>
    besideFinding({ group, name }, 'bare commit', compare(ours, results.bare));
  return [
    beside('one change written', results.one),
    beside(`round of ${recordsAtOnce} records written`, results.round),
    plainFinding({ group, name: `round of ${recordsAtOnce}: log ahead` }, 'kB', spreadOf(results.wal)),
    plainFinding({ group, name: "others' rounds read" }, 'ms', spreadOf(results.follow)),
    plainFinding({ group, name: `${dueAtOnce.toLocaleString('en')} due first read` }, 'ms', spreadOf(results.due)),
  ];
}

/** Before anything was written into it but what it was made with. */
async function sizeFindings({ client, count }: Place, group: string): Promise<readonly Finding[]> {
  const { rows } = await client.query<{ all: string; parcels: string; histories: string }>(
    `select pg_database_size(current_database()) as all,
       pg_total_relation_size('parcel_monitor.parcel') as parcels,
       pg_total_relation_size('parcel_monitor.history') as histories`,
  );
  const [size] = rows;
  if (size === undefined) throw new Error('The server does not say how large a database is.');
  return [
    plainFinding({ group, name: 'database on disk' }, 'MB', spreadOf([Number(size.all) / 1e6])),
    plainFinding({ group, name: 'a parcel, with its indexes' }, 'bytes', spreadOf([Number(size.parcels) / count])),
    ...(count > mostOnBoard
      ? []
      : [plainFinding({ group, name: 'its history' }, 'bytes', spreadOf([Number(size.histories) / count]))]),
  ];
}

/** How many bytes the server has logged ahead. */
async function walPosition(client: Client): Promise<number> {
  const { rows } = await client.query<{ bytes: string }>(
    "select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0') as bytes",
  );
  return Number(rows[0]?.bytes);
}

async function timed(act: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await act();
  return performance.now() - startedAt;
}
