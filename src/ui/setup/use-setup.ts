import { useEffect, useRef } from 'react';
import type { SetupEffects } from '../../board/setup/setup-effects.ts';
import { messageOf } from '../../service/failures/thrown.ts';
import type { Change } from '../change.ts';
import { keyOf, provedBy, type SettingUp, type SetupState, serviceOf, withSetup } from './state.ts';

/** Does for the open step what it needs: looks what is set and what there is, and proves service and key. */
export function useSetup(effects: SetupEffects | null, setup: SettingUp | null, change: Change<SetupState>): void {
  const step = setup?.step ?? null;
  useEffect(() => {
    if (effects === null || step === null) return;
    return ifStillWanted(effects.current(), (now) => change(withSetup({ hasLooked: true, now })), change);
  }, [effects, step, change]);
  const keyedService = step === 'save' && setup !== null && keyOf(setup)?.kind === 'entered' ? serviceOf(setup) : null;
  useEffect(() => {
    if (effects === null || keyedService === null) return;
    return ifStillWanted(effects.keyStores(keyedService), (stores) => change(withSetup({ stores })), change);
  }, [effects, keyedService, change]);
  useEffect(() => {
    if (effects === null || step !== 'notify') return;
    return ifStillWanted(effects.channels(), (channels) => change(withSetup({ channels })), change);
  }, [effects, step, change]);
  const isShown = setup !== null;
  useEffect(() => {
    effects?.noteShown(isShown);
  }, [effects, isShown]);
  useProof(effects, setup, change);
}

/** Hands on what comes, or says why it does not, unless another step is open by then. */
function ifStillWanted<Value>(
  coming: Promise<Value>,
  take: (value: Value) => void,
  change: Change<SetupState>,
): () => void {
  let isWanted = true;
  coming.then(
    (value) => {
      if (isWanted) take(value);
    },
    (error: unknown) => {
      const text = messageOf(error);
      if (isWanted) change(withSetup({ hasLooked: true, notes: [{ text, tone: 'attention' }] }));
    },
  );
  return () => {
    isWanted = false;
  };
}

/** Proves service and key as long as that step is open, once for each try; leaving the step ends the call. */
function useProof(effects: SetupEffects | null, setup: SettingUp | null, change: Change<SetupState>): void {
  // What is proved is settled by then; what holds it may be replaced meanwhile.
  const newest = useRef({ effects, setup });
  newest.current = { effects, setup };
  const run = setup === null || provedBy(setup) === null ? null : setup.proof.run;
  useEffect(() => {
    const { effects: prover, setup: settled } = newest.current;
    if (run === null || prover === null || settled === null) return;
    const proved = provedBy(settled);
    if (proved === null) return;
    const leaving = new AbortController();
    const note = (found: Partial<SettingUp['proof']>): void => {
      if (leaving.signal.aborted) return;
      change(withSetup(({ proof }) => ({ proof: { ...proof, ...found } })));
    };
    const { signal } = leaving;
    const proving = prover.prove({ ...proved, signal, onProgress: (checks) => note({ checks }) });
    const forget = ifStillWanted(proving, (proof) => note({ checks: proof.checks, proof }), change);
    return () => {
      forget();
      leaving.abort();
    };
  }, [run, change]);
}
