import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { SignatureMethod } from './signature-methods.ts';

/** The signature of a callback whose timestamp is this text. */
export function signatureOf(method: SignatureMethod, apiKey: string, timestamp: string): string {
  return digestOf(method, apiKey, timestamp).toString(encodingOf(method));
}

/** Whether the signature is right. Takes as long for one that is nearly right as for any other. */
export function isSigned(method: SignatureMethod, apiKey: string, timestamp: string, signature: string): boolean {
  const encoding = encodingOf(method);
  if (!forms[encoding].test(signature)) return false;
  return timingSafeEqual(Buffer.from(signature, encoding), digestOf(method, apiKey, timestamp));
}

/** 32 bytes as text. Capitals mean the same in hexadecimal; base64 may lack its end, and be written for addresses. */
const forms = { hex: /^[\da-f]{64}$/i, base64: /^[\w+/-]{43}=?$/ } as const;

const encodingOf = (method: SignatureMethod): 'hex' | 'base64' => (method.endsWith('-base64') ? 'base64' : 'hex');

function digestOf(method: SignatureMethod, apiKey: string, timestamp: string): Buffer {
  const digest = method.startsWith('hmac') ? createHmac('sha256', apiKey) : createHash('sha256').update(apiKey);
  return digest.update(timestamp).digest();
}
