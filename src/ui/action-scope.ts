import type { Dispatch } from 'react';
import type { Monitor } from '../polling/core/state.ts';
import type { BoardContext } from './board-options.ts';
import type { Message, UiEvent, UiState } from './state.ts';

/** What the actions act on. */
export interface ActionScope {
  readonly ui: UiState;
  readonly dispatch: Dispatch<UiEvent>;
  readonly monitor: Monitor;
  readonly board: BoardContext;
}

/** A message as an event. */
export const told = (text: string, tone: Message['tone'] = 'plain'): UiEvent => ({
  kind: 'told',
  message: { text, tone },
});

/** Runs something that takes time; a failure becomes a message. */
export function inBackground(scope: ActionScope, work: () => Promise<void>): void {
  work().catch((error: unknown) =>
    scope.dispatch(told(error instanceof Error ? error.message : String(error), 'attention')),
  );
}

/** Says that something begins, runs it, and shows the sentence that it answers. */
export function tellOutcome(scope: ActionScope, beginning: string, work: () => Promise<string>): void {
  scope.dispatch(told(beginning));
  inBackground(scope, async () => scope.dispatch(told(await work())));
}

/** A number with its noun. */
export const count = (number: number, one: string, many: string): string => `${number} ${number === 1 ? one : many}`;
