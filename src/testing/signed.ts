import { randomBytes } from 'node:crypto';
import type { Call } from '../kernel/contract/call.ts';
import { signatureOf, signedText } from '../domains/identity/server/apiClients/verifier.ts';
import { makeClient } from '../domains/identity/server/testing/fixtures.ts';
import type { TestApp } from './testApp.ts';

/** Headers with which a machine client signs one request; the body is the JSON of exactly this input. */
export async function signer(app: TestApp): Promise<(call: Call, input: unknown) => Record<string, string>> {
  const { client, keyId, secret } = await makeClient(app);
  return (call, input) => {
    const at = app.clock.now();
    const nonce = randomBytes(8).toString('hex');
    const text = signedText(call.method, `/${call.path}`, at, nonce, Buffer.from(JSON.stringify(input ?? {})));
    return { 'x-client-id': client.clientId, 'x-key-id': keyId, 'x-timestamp': at, 'x-nonce': nonce, 'x-signature': signatureOf(secret, text) };
  };
}
