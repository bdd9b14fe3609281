import { useCallback, useSyncExternalStore } from 'react';
import type { Monitor, MonitorState } from '../polling/core/state.ts';

/** The core's newest snapshot: the one place where React reads it. */
export function useMonitor(monitor: Monitor): MonitorState {
  const subscribe = useCallback((listener: () => void) => monitor.subscribe(listener), [monitor]);
  const snapshot = useCallback(() => monitor.getState(), [monitor]);
  return useSyncExternalStore(subscribe, snapshot, snapshot);
}
