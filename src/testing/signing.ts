import { randomUUID } from 'node:crypto';
import { own } from '../domains/identity/server/database.ts';
import { signatureOf, signedText } from '../domains/identity/server/apiClients/verifier.ts';
import type { Call } from '../kernel/contract/call.ts';
import type { TestApp } from './testApp.ts';

const SECRET = 'secret-of-the-test';
const KEY = 'k1';

/** Headers with which a machine caller makes a signed call; the caller is made by its first one. */
export async function signedHeaders(app: TestApp, call: Call, input: unknown, clientId = 'test-machine'): Promise<Record<string, string>> {
  const now = app.kernel.clock.now();
  const keys = [{ keyId: KEY, secretCipher: app.kernel.secrets.encrypt(SECRET), createdAt: now, expiresAt: null }];
  await own(app.db)
    .insertInto('identityApiClient')
    .values({
      clientId,
      name: '测试调用方',
      party: 'OTHER',
      partyId: null,
      keys: JSON.stringify(keys),
      permissions: '[]',
      scope: JSON.stringify({ own: false, region: null, insurer: null, channel: null }),
      ipAllow: '["127.0.0.1"]',
      ratePerMin: 10_000,
      state: 'ENABLED',
      createdAt: now,
      updatedAt: now,
    })
    .onConflict((conflict) => conflict.column('clientId').doNothing())
    .execute();
  const nonce = randomUUID();
  const path = `${app.kernel.config.prefixes[call.host]}/${call.name}`;
  return {
    'x-client-id': clientId,
    'x-key-id': KEY,
    'x-timestamp': now,
    'x-nonce': nonce,
    'x-signature': signatureOf(SECRET, signedText(call.method, path, now, nonce, Buffer.from(JSON.stringify(input ?? {})))),
  };
}
