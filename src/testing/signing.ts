import { createHash, randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { own } from '#domains/identity/server/database.ts';
import { signatureOf, signedText } from '#domains/identity/server/apiClients/verifier.ts';
import type { Call } from '#kernel/contract/call.ts';
import { needsHouse, type MachineParty } from '#kernel/contract/machine.ts';
import type { Scope } from '#kernel/server/context.ts';
import type { TestApp } from './testApp.ts';

const SECRET = 'secret-of-the-test';
const KEY = 'k1';

/** What a machine caller of a test may; by default everything that its call asks for. */
export interface MachineWish {
  party?: MachineParty;
  /** Its house; of a chain by default the chain of the tests. */
  partyId?: string | null;
  permissions?: readonly string[];
  scope?: Partial<Scope>;
  /** Beside another caller of the same rights. */
  name?: string;
}

/** A drugstore chain with one open store, for the machines of counters. */
export async function partnerStore(app: TestApp): Promise<{ chainId: string; storeId: string }> {
  const now = app.kernel.clock.now();
  await sql`
    insert into institution_chain (chain_no, name, uscc, state, created_at, updated_at)
      values ('CH-OF-TESTS', '康桥大药房连锁', '91330100TESTCHAIN0', 'ENABLED', ${now}, ${now}) on conflict do nothing`.execute(app.db);
  await sql`
    insert into institution_drugstore (
      store_no, name, norm_name, name_grams, chain_id, adcode, city_adcode, province_adcode, address_hash, lng_e6, lat_e6, state,
      created_at, updated_at
    )
    select 'DS-OF-TESTS', '康桥大药房', '康桥大药房', '{}', id, '330106', '330100', '330000', 'of the tests', 120000000, 30000000, 'OPEN',
        ${now}, ${now}
      from institution_chain
      where chain_no = 'CH-OF-TESTS'
    on conflict do nothing`.execute(app.db);
  const { rows } = await sql<{ chainId: string; storeId: string }>`
    select chain_id, id as store_id from institution_drugstore where store_no = 'DS-OF-TESTS'`.execute(app.db);
  return rows[0]!;
}

function partyOf(call: Call, wish: MachineWish): MachineParty {
  const { access } = call;
  return wish.party ?? (access.kind === 'signed' ? access.parties[0]! : 'OTHER');
}

/** The caller that a wish describes, made by its first call. */
export async function machineClient(app: TestApp, call: Call, wish: MachineWish = {}): Promise<{ id: string; clientId: string }> {
  const now = app.kernel.clock.now();
  const party = partyOf(call, wish);
  const partyId = wish.partyId === undefined ? (party === 'CHAIN' ? (await partnerStore(app)).chainId : null) : wish.partyId;
  const machine = {
    name: wish.name ?? '测试调用方',
    party,
    partyId: needsHouse(party) ? partyId : null,
    permissions: JSON.stringify(wish.permissions ?? app.kernel.registry.permissions.filter((one) => one.machine).map(({ code }) => code)),
    scope: JSON.stringify({ own: false, region: null, insurer: null, channel: null, ...wish.scope }),
  };
  const clientId = `test-${createHash('sha256').update(JSON.stringify(machine)).digest('hex').slice(0, 12)}`;
  const keys = [{ keyId: KEY, secretCipher: app.kernel.secrets.encrypt(SECRET), createdAt: now, expiresAt: null }];
  await own(app.db)
    .insertInto('identityApiClient')
    .values({
      ...machine,
      clientId,
      keys: JSON.stringify(keys),
      ipAllow: '["127.0.0.1"]',
      ratePerMin: 10_000,
      state: 'ENABLED',
      createdAt: now,
      updatedAt: now,
    })
    .onConflict((conflict) => conflict.column('clientId').doNothing())
    .execute();
  return own(app.db).selectFrom('identityApiClient').select(['id', 'clientId']).where('clientId', '=', clientId).executeTakeFirstOrThrow();
}

/** Headers with which a machine caller makes a signed call. */
export async function signedHeaders(app: TestApp, call: Call, input: unknown, wish: MachineWish = {}): Promise<Record<string, string>> {
  const { clientId } = await machineClient(app, call, wish);
  return headersOf(
    app,
    { clientId, secret: SECRET, keyId: KEY },
    { method: call.method, path: `/${call.path}`, body: JSON.stringify(input ?? {}) },
  );
}

/** Headers of a request under a client's key; `path` with its query string. */
export function headersOf(
  app: TestApp,
  { clientId, keyId, secret }: { clientId: string; keyId: string; secret: string },
  {
    method,
    path,
    body,
    at = app.kernel.clock.now(),
    nonce = randomUUID(),
  }: { method: string; path: string; body: string; at?: string; nonce?: string },
): Record<string, string> {
  return {
    'x-client-id': clientId,
    'x-key-id': keyId,
    'x-timestamp': at,
    'x-nonce': nonce,
    'x-signature': signatureOf(secret, signedText(method, path, at, nonce, Buffer.from(body))),
  };
}
