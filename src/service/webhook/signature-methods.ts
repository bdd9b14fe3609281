/** The ways in which programs that use the public service have seen callbacks signed (`service/README.md`, "Webhook"). */
export const signatureMethods = ['hmac', 'sha256', 'hmac-base64', 'sha256-base64'] as const;

/** `hmac` is HMAC-SHA256 of the timestamp under the key, `sha256` a hash of key and timestamp; hexadecimal unless in base64. */
export type SignatureMethod = (typeof signatureMethods)[number];

/** All values of `webhook.signature`. */
export const webhookSignatures = [...signatureMethods, 'none'] as const;

/** How a callback proves that it comes from the service: `none` leaves the proof to a secret path. */
export type WebhookSignature = (typeof webhookSignatures)[number];

/** Least signs of a secret path. */
export const shortestWebhookPath = 16;
