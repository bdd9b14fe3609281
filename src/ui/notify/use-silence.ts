import { useCallback, useSyncExternalStore } from 'react';
import type { NotificationSwitch } from '../../process/notifications/notification-switch.ts';

const ignore = (): void => undefined;

/** Whether notifications are silenced, here or by another board. */
export function useSilence(notificationSwitch: NotificationSwitch | null): boolean {
  const subscribe = useCallback(
    (listener: () => void) => notificationSwitch?.subscribe(listener) ?? ignore,
    [notificationSwitch],
  );
  const isSilent = (): boolean => notificationSwitch?.isSilent() ?? false;
  return useSyncExternalStore(subscribe, isSilent, isSilent);
}
