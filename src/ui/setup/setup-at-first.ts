import type { BoardServices } from '../services.ts';
import { openedSetup, type SettingUp } from './state.ts';

/** The conversation with which a board opens: where nothing is set up or watched, or where it was asked for; null for none. */
export function setupAtFirst({
  monitor,
  opensSetup,
  setup,
  setupEffects,
}: Pick<BoardServices, 'monitor' | 'opensSetup' | 'setup' | 'setupEffects'>): SettingUp | null {
  if (setupEffects === null) return null;
  const isEmpty = setup.kind === 'not-set-up' && monitor.getState().parcels.length === 0;
  if (opensSetup !== true && !isEmpty) return null;
  // Who has set the address has answered the first question.
  return openedSetup(setup.kind === 'not-set-up' && setup.baseUrl !== null ? 'key' : 'service');
}
