import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { sql } from 'kysely';
import { platformErrors, refuse } from '#kernel/contract/errors.ts';
import { dayOf, type Instant } from '#kernel/contract/time.ts';
import { countUse } from '#kernel/server/command/rateLimit.ts';
import { needsHouse, type MachineParty } from '#kernel/contract/machine.ts';
import type { ApiClient, Db, Scope } from '#kernel/server/context.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import type { SignedCallVerifier } from '#kernel/server/ports.ts';
import { identityErrors } from '../../contract/errors.ts';
import { own } from '../database.ts';
import { scopeOfRow } from '../session/scope.ts';
import { isAllowedAddress } from './address.ts';

const SKEW_MS = 300_000;

export interface StoredKey {
  keyId: string;
  secretCipher: string;
  createdAt: Instant;
  expiresAt: Instant | null;
}

/** R11: what a caller signs; `path` with its query string. */
export const signedText = (method: string, path: string, timestamp: string, nonce: string, body: Buffer): string =>
  [method, path, timestamp, nonce, createHash('sha256').update(body).digest('hex')].join('\n');

export const signatureOf = (secret: string, text: string): string => createHmac('sha256', secret).update(text).digest('hex');

const equal = (a: string, b: string) => a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b));

/** Milliseconds of a timestamp header: epoch in seconds or milliseconds, or ISO. */
const timeOf = (text: string): number =>
  /^\d{10}$/.test(text) ? Number(text) * 1000 : /^\d{13}$/.test(text) ? Number(text) : Date.parse(text);

export const storedKeys = (value: unknown): StoredKey[] => (Array.isArray(value) ? (value as StoredKey[]) : []);
export const textList = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : []);

const NOTHING: Scope = { own: false, region: [], insurer: [], channel: [] };

/** What a client was given, narrowed to its house: an insurer's machine sees its own insurer's rows, one without a house nothing. */
export function scopeOfHouse(client: { party: MachineParty; partyId: string | null; scope: unknown }): Scope {
  const { partyId } = client;
  const scope: Scope = { ...scopeOfRow(client.scope), own: false };
  if (!needsHouse(client.party)) return scope;
  if (partyId === null) return NOTHING;
  if (client.party !== 'INSURER') return scope;
  return { ...scope, insurer: scope.insurer === null || scope.insurer.includes(partyId) ? [partyId] : [] };
}

/** R11: proves who calls before anything else of the request is looked at. */
export function signedCallVerifier(kernel: Kernel): SignedCallVerifier {
  const count = (db: Db, apiClientId: string, now: Instant, failed: boolean) =>
    sql`
      insert into identity_api_client_day (api_client_id, day, calls, failed)
        values (${apiClientId}, ${dayOf(now)}, 1, ${failed ? 1 : 0})
        on conflict (api_client_id, day) do update
        set calls = identity_api_client_day.calls + 1, failed = identity_api_client_day.failed + ${failed ? 1 : 0}`.execute(db);
  return {
    async verify(db, request) {
      const { headers, now } = request;
      const [clientId, keyId, timestamp, nonce, signature] = ['x-client-id', 'x-key-id', 'x-timestamp', 'x-nonce', 'x-signature'].map(
        (name) => headers[name] ?? '',
      ) as [string, string, string, string, string];
      const client = await own(db).selectFrom('identityApiClient').selectAll().where('clientId', '=', clientId).executeTakeFirst();
      if (!client) throw refuse(identityErrors.BAD_SIGNATURE);
      const refused = async (refusal: Error) => {
        await count(db, client.id, now, true);
        return refusal;
      };
      const key = storedKeys(client.keys).find((one) => one.keyId === keyId && (one.expiresAt === null || one.expiresAt > now));
      const expected = key
        ? signatureOf(kernel.secrets.decrypt(key.secretCipher), signedText(request.method, request.path, timestamp, nonce, request.body))
        : '';
      if (client.state !== 'ENABLED' || !key || !equal(expected, signature.toLowerCase()))
        throw await refused(refuse(identityErrors.BAD_SIGNATURE));
      const skew = Math.abs(timeOf(timestamp) - Date.parse(now));
      if (!(skew <= SKEW_MS)) throw await refused(refuse(identityErrors.CLOCK_SKEW));
      if (!isAllowedAddress(request.ip, textList(client.ipAllow))) {
        throw await refused(
          refuse(platformErrors.NO_PERMISSION, { permission: '' }, { message: `没有权限：来源地址${request.ip}不在白名单内` }),
        );
      }
      if (!/^[\w-]{8,64}$/.test(nonce)) throw await refused(refuse(identityErrors.BAD_SIGNATURE));
      const fresh = await own(db)
        .insertInto('identityApiNonce')
        .values({ clientId, nonce, at: now })
        .onConflict((conflict) => conflict.columns(['clientId', 'nonce']).doNothing())
        .returning('nonce')
        .executeTakeFirst();
      if (!fresh) throw await refused(refuse(platformErrors.DUPLICATE_REQUEST));
      const wait = await countUse(db, `client:${clientId}`, { max: client.ratePerMin, seconds: 60 }, now);
      if (wait > 0) throw await refused(refuse(platformErrors.TOO_FREQUENT, { n: wait }));
      await count(db, client.id, now, false);
      await own(db)
        .updateTable('identityApiClient')
        .set({ lastUsedAt: now })
        .where('id', '=', client.id)
        .where((eb) => eb.or([eb('lastUsedAt', 'is', null), eb('lastUsedAt', '<', new Date(Date.parse(now) - 60_000).toISOString())]))
        .execute();
      return {
        apiClientId: client.id,
        clientId,
        name: client.name,
        party: client.party,
        partyId: client.partyId,
        permissions: new Set(textList(client.permissions)),
        scope: scopeOfHouse(client),
      } satisfies ApiClient;
    },
  };
}
