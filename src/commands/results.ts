import { formatInstant, parcelJson } from '../board/parcel-json.ts';
import { createForecasts } from '../board/status/forecast.ts';
import type { Parcel } from '../parcels/parcel.ts';
import type { NewParcel } from '../parcels/parcel-factory.ts';
import type { CommandContext } from '../settings/session/context.ts';
import type { Core } from '../settings/session/core.ts';
import { printError, printJson, printNote } from '../settings/session/output.ts';
import { type Session, zoneOf } from '../settings/session/session.ts';
import type { ResultsJson } from './published-schemas.ts';

export type Outcome = ResultsJson['results'][number]['result'];

export interface JsonOption {
  readonly json?: boolean | undefined;
}

type ParcelReference = Pick<NewParcel, 'trackNo'> & Partial<Pick<Parcel, 'id' | 'courierCode'>>;

interface Row {
  readonly reference: ParcelReference;
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
  record(reference: ParcelReference, result: Outcome, message: string): void {
    this.#rows.push({ reference, result, message });
  }

  /** @param line printed on standard output, after the name */
  add(parcel: Parcel, result: Outcome, line: string, name = parcel.trackNo): void {
    this.record(parcel, result, line);
    if (!this.isJson) this.#session.context.stdout.write(`${name}  ${line}\n`);
  }

  /**
   * Prints a sentence on standard error, even with `--json`.
   * @param about one number, or several that failed together
   */
  reportError(about: ParcelReference | readonly ParcelReference[], result: Outcome, sentence: string): void {
    for (const reference of [about].flat()) this.record(reference, result, sentence);
    printError(this.#session.context, sentence);
  }

  /** Prints the document. Does nothing without `--json`. */
  end(core: Pick<Core, 'monitor' | 'stores'> | null): void {
    if (!this.isJson) return;
    const { context } = this.#session;
    const state = core?.monitor.getState();
    const byId = new Map(state?.parcels.map((parcel) => [parcel.id, parcel]));
    const now = (core?.stores.clock ?? context.clock).now();
    const forecast = createForecasts(state?.parcels ?? [], { now, zone: zoneOf(this.#session) });
    const results: ResultsJson['results'] = this.#rows.map(({ message, reference, result }) => {
      const parcel = byId.get(reference.id ?? '');
      return {
        ...{
          trackNo: reference.trackNo,
          courierCode: parcel?.courierCode ?? reference.courierCode ?? null,
          result,
          message,
        },
        parcel:
          parcel === undefined || state === undefined
            ? null
            : parcelJson(parcel, { serviceClock: state.serviceClock, now, isPaused: state.polling.paused, forecast }),
      };
    });
    printJson<ResultsJson>(context, { version: 1, generatedAt: formatInstant(now), results });
  }
}

/** The progress of a long task: `300 of 1000 registered`. */
interface Step {
  readonly done: number;
  readonly total: number;
  /** Past participle, such as `registered`. */
  readonly action: string;
}

/** Prints the progress of a long task on standard error. `using` removes the line at the end of the block. */
export interface Progress extends Disposable {
  /**
   * At a terminal, shows a line that the next output replaces. Elsewhere, prints a line for each tenth, and none for
   * short tasks.
   */
  show(step: Step): void;
  /** Like `show`, for a task whose total is unknown. Prints nothing without a terminal. */
  showText(text: string): void;
  clear(): void;
}

const minTotal = 10;
/** Shorter tasks print no progress without a terminal, where lines cannot be erased. */
const minLoggedTotal = 100;
const tenths = 10;

/** An interrupt also removes the line. */
export async function openProgress({ context }: Pick<Session, 'context'>): Promise<Progress> {
  const { showLine, signal, stderr } = context;
  if (showLine === undefined) return loggedProgress(context);
  const { fitText } = await import('../lib/cells.ts');
  // A line as wide as the terminal would wrap and could not be removed.
  const width = Math.max(1, (stderr.columns ?? 80) - 1);
  const show = (text: string): void => {
    if (!signal.aborted) showLine(fitText(` ${text}  Ctrl+C stops`, width).trimEnd());
  };
  const clear = (): void => showLine('');
  signal.addEventListener('abort', clear, { once: true });
  return {
    show: (step) => {
      if (step.total > minTotal) show(stepText(step));
    },
    showText: show,
    clear,
    [Symbol.dispose]() {
      clear();
      signal.removeEventListener('abort', clear);
    },
  };
}

const stepText = ({ action, done, total }: Step): string => `${done} of ${total} ${action}`;

function loggedProgress(context: CommandContext): Progress {
  let lastMark = '';
  return {
    show: (step) => {
      const tenth = Math.floor((step.done / step.total) * tenths);
      const mark = `${step.action} ${tenth}`;
      if (step.total <= minLoggedTotal || tenth === 0 || mark === lastMark) return;
      lastMark = mark;
      printNote(context, `${stepText(step)}.`);
    },
    showText: () => undefined,
    clear: () => undefined,
    [Symbol.dispose]: () => undefined,
  };
}
