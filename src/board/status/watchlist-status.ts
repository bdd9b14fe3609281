import { NamedError } from '../../lib/error-text.ts';
import type { Line } from '../../lib/paint.ts';
import { didYouMean } from '../../lib/text.ts';
import { type ShownStage, shownStages, stageTable } from '../../parcels/stages.ts';

const stagePlaceholders = {
  attention: 'attention',
  out: 'out-for-delivery',
  pickup: 'pickup',
  transit: 'in-transit',
  announced: 'announced',
  norecord: 'no-record',
  delivered: 'delivered',
  closed: 'closed',
} as const satisfies Readonly<Record<string, ShownStage>>;

const otherPlaceholders = ['total', 'next', 'age', 'queriesToday'] as const;

/** The name of a placeholder. */
export type Placeholder = keyof typeof stagePlaceholders | (typeof otherPlaceholders)[number];

export const placeholderStages: Readonly<Partial<Record<Placeholder, ShownStage>>> = stagePlaceholders;

export const placeholders = [...Object.keys(stagePlaceholders), ...otherPlaceholders] as readonly Placeholder[];

export class TemplateError extends NamedError {
  readonly kind = 'template';
}

/** Closed and expired parcels are left out. */
const lineStages = shownStages.filter((stage) => stage !== 'expired' && stage !== 'closed');

interface StatusLinePolling {
  /** Number of queries today, by all processes together. */
  readonly queriesToday: number;
  /** Whether the user has paused automatic checks. */
  readonly isPaused: boolean;
}

/**
 * Returns the default status line, such as `! 2 ▲ 2 ▸ 6 ✓ 4 38 today`, without zero counts and with `paused` at the
 * end.
 */
export function statusLine(
  counts: ReadonlyMap<ShownStage, number>,
  { queriesToday, isPaused }: StatusLinePolling,
): Line {
  const parts = lineStages.flatMap((stage) => {
    const count = counts.get(stage) ?? 0;
    const { symbol, tone } = stageTable[stage];
    return count === 0 ? [] : [{ text: `${symbol} ${count}`, tone }];
  });
  const countParts: Line = parts.length === 0 ? [{ text: 'no parcels', tone: 'quiet' }] : parts;
  const allParts: Line = [
    ...countParts,
    ...(queriesToday === 0 ? [] : [{ text: `${queriesToday} today`, dim: true }]),
    ...(isPaused ? [{ text: 'paused', tone: 'attention' } as const] : []),
  ];
  return allParts.flatMap((part, index) => (index === 0 ? [part] : [{ text: '  ' }, part]));
}

/**
 * Replaces `{name}` with the result of `textFor`. `{{` and `}}` stand for literal braces. Throws a
 * {@link TemplateError} for an unknown name or a single brace.
 */
export function fillTemplate(template: string, textFor: (name: Placeholder) => string): string {
  return template.replace(/\{\{|\}\}|\{([^{}]*)\}|[{}]/g, (found, name: string | undefined) => {
    if (found === '{{' || found === '}}') return found.charAt(0);
    if (name === undefined) {
      throw new TemplateError(`The template has a single "${found}". Write "${found}${found}" for a literal brace.`);
    }
    const match = placeholders.find((placeholder) => placeholder === name);
    if (match !== undefined) return textFor(match);
    throw new TemplateError(
      `The template has an unknown placeholder "{${name}}". Use: ${placeholders.join(', ')}.${didYouMean(name, placeholders)}`,
    );
  });
}

export const maxParcelsInFile = 10_000;

/** Returns advice if the list, including archived parcels, is too long for one file, or null. */
export function largeWatchlistAdvice(parcels: number): string | null {
  if (parcels <= maxParcelsInFile) return null;
  const [count, max] = [parcels, maxParcelsInFile].map((number) => (number ?? 0).toLocaleString('en'));
  return `The list has ${count} parcels, including archived ones, and saving the JSON file gets slow above ${max}. Move the list to a PostgreSQL database with "parcel-monitor store copy postgres://user@host/database", or remove old parcels.`;
}
