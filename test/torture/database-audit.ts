import type { Change } from '../../src/parcels/change.ts';
import { counterId, moverId } from './cast.ts';
import { type OpenStore, until } from './counting.ts';
import { lookAtLines, type WantedLines } from './log-look.ts';

/** What is wrong with a watchlist; all have to be 0. */
export interface Finding {
  readonly lost: number;
  readonly doubled: number;
  readonly damaged: number;
}

/** Looks at a watchlist in a database on which nobody counts just now. `acknowledged` says by name what was written for sure. */
export interface Audit {
  /** Reads what has come to the log; as often as the log would forget some otherwise. */
  follow(): Promise<void>;
  check(acknowledged: ReadonlyMap<string, number>): Promise<Finding>;
}

/** Starts an audit at the beginning of a watchlist. */
export function startAudit({ database, recovery, store }: OpenStore): Audit {
  const lines: Change[] = [];
  const follow = async (): Promise<void> => {
    lines.push(...(await until(() => store.changeLogAfter(lines.length))));
  };
  /** What a killed client had sent may still be under way. */
  const calm = async (): Promise<void> => {
    for (;;) {
      const others = await until(() =>
        database.query(
          `select 1 as found from pg_stat_activity
           where datname = current_database() and pid <> pg_backend_pid() and state in ('active', 'idle in transaction')`,
        ),
      );
      if (others.length === 0) return;
    }
  };
  return {
    follow,
    async check(acknowledged) {
      await calm();
      await follow();
      const { parcels } = await until(() => store.read());
      const trashed = await until(() => recovery.trashed());
      const wanted = new Map<string, number>();
      let [lost, doubled, damaged] = [0, 0, 0];
      for (const [name, known] of acknowledged) {
        const [counter, mover] = [`${counterId}-${name}`, `${moverId}-${name}`];
        const counters = parcels.filter(({ id }) => id === counter);
        const movers = parcels.filter(({ id }) => id === mover).length;
        const inTrash = trashed.filter(({ parcel }) => parcel.id === mover).length;
        const count = Number(counters[0]?.label);
        const { checkpoints } = await until(() => store.readHistory(counter));
        const told = Number(checkpoints[0]?.detail ?? 0);
        const moverHistory = await until(() => store.readHistory(mover));
        lost += Number(counters.length === 0) + Number(movers + inTrash === 0) + Math.max(0, known - count);
        lost += Number(movers === 1 && moverHistory.received === null);
        doubled += Number(counters.length > 1) + Number(movers + inTrash > 1);
        // One more may have been written without anybody having heard of it; its history is written first.
        damaged += Number(count > known + 1) + Number(told !== count && told !== count + 1);
        damaged += Number((movers === 1) !== (count % 2 === 0));
        for (const [line, times] of linesAfter(name, count)) wanted.set(line, times);
      }
      const look = lookAtLines(lines, wanted);
      const notices = store.takeNotices().length;
      return { lost: lost + look.lost, doubled: doubled + look.doubled, damaged: damaged + look.damaged + notices };
    },
  };
}

/** Every odd count takes the mover away, every even one brings it back. */
function linesAfter(name: string, count: number): WantedLines {
  return new Map([
    [`added ${counterId}-${name}`, 1],
    [`added ${moverId}-${name}`, 1 + Math.floor(count / 2)],
    [`removed ${moverId}-${name}`, Math.ceil(count / 2)],
  ]);
}
