/** Whether notifications are sent, for all boards of the user: what changed is notified once, whoever notices it. */
export interface NotificationSwitch {
  /** Whether nothing is sent because the user said so. */
  isSilent(): boolean;
  /** Calls the listener when that has changed, here or on another board; answers how to stop. */
  subscribe(listener: () => void): () => void;
  /** Silences or un-silences, over restarts. Rejects with a `StoreError`. */
  setSilent(isSilent: boolean): Promise<void>;
}
