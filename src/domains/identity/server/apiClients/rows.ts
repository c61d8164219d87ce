import { sql } from 'kysely';
import { containsPattern } from '#kernel/server/database/search.ts';
import type { AnswerOf } from '#kernel/contract/call.ts';
import { platformErrors, refuse } from '#kernel/contract/errors.ts';
import type { Day, Instant } from '#kernel/contract/time.ts';
import type { MachineParty } from '#kernel/contract/machine.ts';
import type { Db, Tx } from '#kernel/server/context.ts';
import type { queryApiClientList } from '../../contract/calls/apiClients.ts';
import { namesOf, type IdentityHooks, type NamedKind } from '../hooks.ts';
import { scopeOfRow } from '../session/scope.ts';
import { storedKeys, textList } from './verifier.ts';

export type ApiClientView = AnswerOf<typeof queryApiClientList>['rows'][number];

interface StoredClient {
  id: string;
  clientId: string;
  name: string;
  party: ApiClientView['party'];
  partyId: string | null;
  keys: unknown;
  permissions: unknown;
  scope: unknown;
  ipAllow: unknown;
  ratePerMin: number;
  state: ApiClientView['state'];
  version: number;
  lastUsedAt: Instant | null;
  createdAt: Instant;
  todayCalls: number;
  todayFailed: number;
  updatedByName: string | null;
}

/** All clients with what they did today and who changed them last. */
export const selectClients = (today: Day) => sql`
  select c.id, c.client_id, c.name, c.party, c.party_id, c.keys, c.permissions, c.scope, c.ip_allow, c.rate_per_min, c.state, c.version,
    c.last_used_at, c.created_at, coalesce(d.calls, 0) as today_calls, coalesce(d.failed, 0) as today_failed,
    u.display_name as updated_by_name
  from identity_api_client c
  left join identity_api_client_day d on d.api_client_id = c.id and d.day = ${today}::date
  left join identity_staff_user u on u.id = c.updated_by`;

const HOUSES = [
  ['INSURER', 'insurer'],
  ['CHAIN', 'chain'],
] as const satisfies readonly [MachineParty, NamedKind][];

/** Name of the house that a client belongs to; undefined: there is no such house. */
export async function houseName(
  hooks: IdentityHooks,
  db: Db | Tx,
  { party, partyId }: { party: MachineParty; partyId: string },
): Promise<string | undefined> {
  const house = HOUSES.find(([of]) => of === party);
  return house && (await namesOf(hooks, db, house[1], [partyId])).get(partyId);
}

/** What leaves of clients: never the secrets of their keys. */
export async function presentAll(hooks: IdentityHooks, db: Db | Tx, rows: readonly StoredClient[], now: Instant): Promise<ApiClientView[]> {
  const names = new Map<MachineParty, ReadonlyMap<string, string>>();
  for (const [party, kind] of HOUSES) {
    const ids = rows.flatMap((row) => (row.party === party && row.partyId !== null ? [row.partyId] : []));
    names.set(party, await namesOf(hooks, db, kind, ids));
  }
  return rows.map((row) => present(row, (row.partyId !== null && names.get(row.party)?.get(row.partyId)) || null, now));
}

function present(row: StoredClient, partyName: string | null, now: Instant): ApiClientView {
  const { updatedByName: _, keys, permissions, scope, ipAllow, ...rest } = row;
  return {
    ...rest,
    partyName,
    keys: storedKeys(keys).map(({ keyId, expiresAt, createdAt }) => ({
      keyId,
      expiresAt,
      createdAt,
      state: expiresAt !== null && expiresAt <= now ? ('EXPIRED' as const) : ('ACTIVE' as const),
    })),
    permissions: textList(permissions),
    scope: scopeOfRow(scope),
    ipAllow: textList(ipAllow),
  };
}

export async function listClients(
  hooks: IdentityHooks,
  db: Db,
  filter: { name?: string | undefined; party?: string | undefined; state?: string | undefined },
  page: { limit: number; offset: number },
  today: Day,
  now: Instant,
): Promise<{ rows: ApiClientView[]; total: number }> {
  const { rows } = await sql<StoredClient & { total: number }>`
    select x.*, least(count(*) over (), 10001)::int as total from (${selectClients(today)}) x
    where (${filter.name ?? ''} = '' or x.name like ${containsPattern(filter.name ?? '')})
      and (${filter.party ?? null}::text is null or x.party = ${filter.party ?? null})
      and (${filter.state ?? null}::text is null or x.state = ${filter.state ?? null})
    order by x.id desc limit ${page.limit} offset ${page.offset}`.execute(db);
  const found = rows.map(({ total: _, ...row }) => row);
  return { rows: await presentAll(hooks, db, found, now), total: rows[0]?.total ?? 0 };
}

/** Loads one client and locks it; no `recordOf`: it is read with what it did today. @throws SCM90040 when there is none. */
export async function lockClient(db: Db, id: string, today: Day): Promise<StoredClient> {
  await sql`select 1 from identity_api_client where id = ${id} for update`.execute(db);
  const { rows } = await sql<StoredClient>`select x.* from (${selectClients(today)}) x where x.id = ${id}`.execute(db);
  if (!rows[0]) throw refuse(platformErrors.NOT_FOUND);
  return rows[0];
}
