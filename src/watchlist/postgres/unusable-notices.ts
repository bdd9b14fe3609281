import { cleanText } from '../../service/text/clean-text.ts';

/** Most rows of which each is named: there may be as many as the list is long. */
const mostNamed = 3;

/** What is longer is no id that the program gives. */
const longestShown = 100;

/** Rows that cannot be used, since another program has written there; each is told of once. */
export class UnusableNotices {
  readonly #place: string;
  readonly #known = new Set<string>();
  readonly #untold: string[] = [];

  /** @param place the database, as it is shown */
  constructor(place: string) {
    this.#place = place;
  }

  /** Takes note of one, such as `The parcel 17`. */
  add(name: string): void {
    const row = cleanText(name).slice(0, longestShown);
    if (this.#known.has(row)) return;
    this.#known.add(row);
    this.#untold.push(row);
  }

  /** What has come since this was asked last. */
  takeNotices(): readonly string[] {
    const rows = this.#untold.splice(0);
    if (rows.length <= mostNamed) return rows.map((row) => this.#noticeOf(row, 'It was left as it is', 'it'));
    const more = (rows.length - mostNamed).toLocaleString('en');
    const named = `${rows.slice(0, mostNamed).join(', ')} and ${more} more`;
    return [this.#noticeOf(named, 'They were left as they are', 'them')];
  }

  #noticeOf(rows: string, left: string, those: string): string {
    return `${rows} in ${this.#place} cannot be used: another program has written there. ${left}; "parcel-monitor store mend" moves ${those} aside.`;
  }
}
