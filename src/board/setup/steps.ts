import { lineWidth } from '../text/cells.ts';
import type { Line, Segment } from '../text/line.ts';

/** The steps of setting up, in their order. */
export const setupSteps = ['service', 'key', 'check', 'save', 'zone', 'notify', 'numbers'] as const;

/** One question of the conversation: which service, its key, whether both work, where the key is kept, … */
export type SetupStep = (typeof setupSteps)[number];

/** What a step is called on the screen: by its name. */
export const setupStepTitle = (step: SetupStep): string => step.charAt(0).toUpperCase() + step.slice(1);

/** Where a step stands among all, such as "2 of 7". */
export const setupPosition = (step: SetupStep): string => `${setupSteps.indexOf(step) + 1} of ${setupSteps.length}`;

/** What has been settled of service and key: it decides which steps there is anything to do in. */
export interface Settled {
  /** Whether a service was chosen, or one is set already. */
  readonly hasService: boolean;
  /** Whether a key was entered, or one is set already. */
  readonly hasKey: boolean;
  /** Whether either is another one than is set already. */
  readonly hasNews: boolean;
}

/** Whether a step has anything to do: without a service and a key there is nothing to check. */
export function hasSense(step: SetupStep, { hasKey, hasNews, hasService }: Settled): boolean {
  if (step === 'key') return hasService;
  if (step === 'save') return hasService && hasNews;
  return step !== 'check' || (hasService && hasKey);
}

/** The step behind this one; null behind the last. */
export function stepAfter(step: SetupStep, settled: Settled): SetupStep | null {
  return setupSteps.slice(setupSteps.indexOf(step) + 1).find((next) => hasSense(next, settled)) ?? null;
}

/** The step before this one; null before the first. A check begins by itself, so the way back leads past it. */
export function stepBefore(step: SetupStep, settled: Settled): SetupStep | null {
  const before = setupSteps.slice(0, setupSteps.indexOf(step));
  return before.findLast((one) => one !== 'check' && hasSense(one, settled)) ?? null;
}

/** All steps in a line, with those that are done and the one that is open; empty where they do not fit `width` cells. */
export function progressLine(open: SetupStep, done: readonly SetupStep[], width: number): Line {
  const line = setupSteps.flatMap((step, index): readonly Segment[] => {
    const title = setupStepTitle(step);
    const gap = { text: index === 0 ? ' ' : '  ' };
    if (step === open) return [gap, { text: `● ${title}`, tone: 'accent', bold: true }];
    if (done.includes(step)) return [gap, { text: '✓', tone: 'done' }, { text: ` ${title}` }];
    return [gap, { text: `○ ${title}`, tone: 'quiet' }];
  });
  return lineWidth(line) > width ? [] : line;
}
