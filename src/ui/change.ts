/**
 * Changes what the screen remembers: the fields that change, or what they change to, from the newest state. A pane names the
 * parts of the state that it changes; the board's own takes all of them.
 */
export type Change<State> = (change: Changes<State>) => void;

/** What {@link Change} takes. */
export type Changes<State> = Partial<State> | ((state: State) => Partial<State>);

/** The one reducer of the screen; a change to what is already there keeps the state as it is. */
export function applyChange<State extends object>(state: State, changes: Changes<State>): State {
  const changed = typeof changes === 'function' ? changes(state) : changes;
  const isSame = (Object.keys(changed) as (keyof State)[]).every((name) => changed[name] === state[name]);
  return isSame ? state : { ...state, ...changed };
}
