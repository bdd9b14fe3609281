import { formatInstant, parcelJson } from '../board/parcel-json.ts';
import { forecastsOf } from '../board/status/forecast.ts';
import type { Parcel } from '../parcels/parcel.ts';
import type { NewParcel } from '../parcels/parcel-factory.ts';
import type { Core } from '../settings/session/core.ts';
import { printError, printJson, type Session, zoneOf } from '../settings/session/session.ts';
import type { ResultsJson } from './published-schemas.ts';

/** Result for one number. */
export type Outcome = ResultsJson['results'][number]['result'];

export interface JsonOption {
  readonly json?: boolean | undefined;
}

type Named = Pick<NewParcel, 'trackNo'> & Partial<Pick<Parcel, 'id' | 'courierCode'>>;

interface Row {
  readonly named: Named;
  readonly result: Outcome;
  readonly message: string;
}

/** Collects a command's results and prints a line per number, or with `--json` one document at the end. */
export class Results {
  readonly isJson: boolean;
  readonly #session: Session;
  readonly #rows: Row[] = [];

  constructor(session: Session, { json = false }: JsonOption = {}) {
    this.#session = session;
    this.isJson = json;
  }

  /** Records a result without printing a line. */
  note(named: Named, result: Outcome, message: string): void {
    this.#rows.push({ named, result, message });
  }

  /** @param line printed on standard output, after the name */
  add(parcel: Parcel, result: Outcome, line: string, name = parcel.trackNo): void {
    this.note(parcel, result, line);
    if (!this.isJson) this.#session.context.stdout.write(`${name}  ${line}\n`);
  }

  /**
   * Prints a sentence on standard error, even with `--json`.
   * @param about one number, or several that failed together
   */
  reportError(about: Named | readonly Named[], result: Outcome, sentence: string): void {
    for (const named of [about].flat()) this.note(named, result, sentence);
    printError(this.#session.context, sentence);
  }

  /** Prints the document. Does nothing without `--json`. */
  end(core: Pick<Core, 'monitor' | 'stores'> | null): void {
    if (!this.isJson) return;
    const { context } = this.#session;
    const state = core?.monitor.getState();
    const byId = new Map(state?.parcels.map((parcel) => [parcel.id, parcel]));
    const now = (core?.stores.clock ?? context.clock).now();
    const forecast = forecastsOf(state?.parcels ?? [], { now, zone: zoneOf(this.#session) });
    const results: ResultsJson['results'] = this.#rows.map(({ message, named, result }) => {
      const parcel = byId.get(named.id ?? '');
      return {
        ...{ trackNo: named.trackNo, courierCode: parcel?.courierCode ?? named.courierCode ?? null, result, message },
        parcel:
          parcel === undefined || state === undefined
            ? null
            : parcelJson(parcel, { serviceClock: state.serviceClock, now, isPaused: state.polling.paused, forecast }),
      };
    });
    printJson<ResultsJson>(context, { version: 1, generatedAt: formatInstant(now), results });
  }
}
