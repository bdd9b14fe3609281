/** How old the timestamp of a callback may be by default, in milliseconds. */
export const defaultWebhookMaxAgeMs = 5 * 60_000;

/** How far the timestamp of a callback may be ahead of our clock, in milliseconds: clocks differ, but not by more. */
export const webhookSkewMs = 5 * 60_000;
