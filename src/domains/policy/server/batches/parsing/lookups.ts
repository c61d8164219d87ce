import { sql } from 'kysely';
import type { Day } from '#kernel/contract/time.ts';
import type { Tx } from '#kernel/server/context.ts';
import type { Plan } from '#domains/insurance/contract/model/document.ts';
import { getLinks, getPlans } from '#domains/insurance/server/index.ts';
import type { ListTarget } from '../../../contract/batchDictionaries.ts';
import { normalPolicyNo } from '../../../contract/rules/policyNo.ts';
import { isTerminal } from '../../../contract/states.ts';
import type { PolicyRecord } from '../../access.ts';
import { isLive } from '../../cover/live.ts';
import { own } from '../../database.ts';
import type { BatchRecord } from '../records.ts';

/** Why a policy cannot be made of what a row says of it. */
export interface PolicyFault {
  column: ListTarget;
  message: string;
}

/** What rows of a list ask again and again: policies, plans of their versions, products that exclude each other. */
export interface Lookups {
  /** Reads the policies that rows name, or the one that the list is for. */
  load(tx: Tx, policyNos: readonly (string | null)[]): Promise<void>;
  /** Null: there is none of that number that takes endorsements. */
  policyOf(policyNo: string | null): PolicyRecord | null;
  /** Why there is none, where one was to be made. */
  faultOf(policyNo: string | null): PolicyFault | null;
  /** A policy that was made for the list, or why it could not be. */
  note(policyNo: string, made: PolicyRecord | PolicyFault): void;
  /** How many endorsements the policies of some rows have. */
  seqsOf(policyNos: readonly (string | null)[]): Record<string, number>;
  plansOf(tx: Tx, policy: PolicyRecord): Promise<readonly Plan[]>;
  excludedBy(tx: Tx, policy: PolicyRecord): Promise<readonly string[]>;
}

export function makeLookups(batch: BatchRecord, hasPolicyColumn: boolean, today: Day): Lookups {
  const policies = new Map<string, PolicyRecord | null>();
  const faults = new Map<string, PolicyFault>();
  const plans = new Map<string, readonly Plan[]>();
  const excluded = new Map<string, readonly string[]>();
  const chosen = batch.chosenPolicyIds.map(String);
  const only = chosen.length === 1 ? chosen[0]! : null;
  const keyOf = (policyNo: string | null) => (policyNo === null || !hasPolicyColumn ? '' : normalPolicyNo(policyNo));
  return {
    async load(tx, policyNos) {
      const wanted = [...new Set(policyNos.map(keyOf))].filter((key) => !policies.has(key));
      for (const key of wanted) policies.set(key, null);
      const rows = await own(tx)
        .selectFrom('policyPolicy')
        .selectAll()
        .where((eb) =>
          eb.or([
            eb.and([
              eb('insurerKey', '=', batch.insurerKey),
              eb('policyNoNorm', 'in', ['', ...wanted]),
              ...(chosen.length > 0 ? [eb('id', 'in', chosen)] : []),
            ]),
            ...(only !== null && wanted.includes('') ? [eb('id', '=', only)] : []),
          ]),
        )
        .execute();
      for (const row of rows) {
        if (isTerminal(row.state)) continue;
        if (wanted.includes(row.policyNoNorm)) policies.set(row.policyNoNorm, row);
        if (row.id === only && wanted.includes('')) policies.set('', row);
      }
    },
    policyOf: (policyNo) => policies.get(keyOf(policyNo)) ?? null,
    faultOf: (policyNo) => faults.get(keyOf(policyNo)) ?? null,
    note(policyNo, made) {
      if ('message' in made) faults.set(keyOf(policyNo), made);
      else policies.set(keyOf(policyNo), made);
    },
    seqsOf: (policyNos) =>
      Object.fromEntries(policyNos.flatMap((no) => policies.get(keyOf(no)) ?? []).map(({ id, endorsementSeq }) => [id, endorsementSeq])),
    async plansOf(tx, { productVersionId }) {
      const known = plans.get(productVersionId) ?? (await getPlans(tx, productVersionId));
      plans.set(productVersionId, known);
      return known;
    },
    async excludedBy(tx, { productId }) {
      const known =
        excluded.get(productId) ??
        (await getLinks(tx, productId, today))
          .filter(({ linkType }) => linkType === 'EXCLUSIVE')
          .map(({ mainProductId, otherProductId }) => (mainProductId === productId ? otherProductId : mainProductId));
      excluded.set(productId, known);
      return known;
    },
  };
}

export interface KnownPerson {
  id: string;
  policyId: string;
  personKey: string;
  name: string;
  gender: 'M' | 'F';
  birthDate: Day;
  idNoHash: string | null;
  mobileHash: string | null;
  employeeNo: string | null;
  department: string | null;
  adcode: string | null;
  hasSocial: boolean;
  socialAdcode: string | null;
  relation: 'SELF' | 'SPOUSE' | 'CHILD' | 'PARENT';
  preExistingIcd: string[];
  mainInsuredItemId: string | null;
  mainIdNoHash: string | null;
}
const KNOWN = [
  'id',
  'policyId',
  'personKey',
  'name',
  'gender',
  'birthDate',
  'idNoHash',
  'mobileHash',
  'employeeNo',
  'department',
  'adcode',
  'hasSocial',
  'socialAdcode',
  'relation',
  'preExistingIcd',
  'mainInsuredItemId',
] as const;
const mainIdNoHash = sql<
  string | null
>`(select m.id_no_hash from policy_insured_item m where m.id = policy_insured_item.main_insured_item_id)`;

export const personPlace = (policyId: string, key: string): string => `${policyId}/${key}`;

/** Persons of policies by what the template knows them by. */
export async function knownPersons(
  tx: Tx,
  by: 'personKey' | 'employeeNo',
  asked: readonly { policyId: string; key: string }[],
): Promise<Map<string, KnownPerson>> {
  if (asked.length === 0) return new Map();
  const column = sql.ref(by);
  const rows = await own(tx)
    .selectFrom('policyInsuredItem')
    .select(KNOWN)
    .select(mainIdNoHash.as('mainIdNoHash'))
    .where(
      sql<boolean>`(policy_id, ${column}) in (select * from unnest(${asked.map(({ policyId }) => policyId)}::bigint[],
        ${asked.map(({ key }) => key)}::text[]))`,
    )
    .execute();
  return new Map(rows.map((row) => [personPlace(row.policyId, row[by] ?? ''), row]));
}

/** Covered dependants of persons behind a day that is their own. */
export async function dependantsOf(tx: Tx, mains: readonly { id: string; lastDay: Day }[]): Promise<Map<string, number>> {
  if (mains.length === 0) return new Map();
  const { rows } = await sql<{ id: string; n: number }>`
    select m.id::text as id, count(distinct d.id)::int as n
    from unnest(${mains.map(({ id }) => id)}::bigint[], ${mains.map(({ lastDay }) => lastDay)}::date[]) as m (id, last_day)
    join policy_insured_item d on d.main_insured_item_id = m.id
    join policy_cover_slice s on s.insured_item_id = d.id and s.coverage_end > m.last_day
    where ${isLive('s', null)} group by m.id`.execute(tx);
  return new Map(rows.map(({ id, n }) => [id, n]));
}

/** How many persons, by certificate, have each mobile number. */
export async function mobileSharers(tx: Tx, hashes: readonly string[]): Promise<Map<string, string[]>> {
  if (hashes.length === 0) return new Map();
  const { rows } = await sql<{ mobileHash: string; persons: string[] }>`
    select h.mobile_hash,
        (
          select array_agg(distinct p.person)
            from (
              select coalesce(i.id_no_hash, i.person_key) as person from policy_insured_item i where i.mobile_hash = h.mobile_hash limit 50
            ) p
        ) as persons
      from unnest(${[...new Set(hashes)]}::text[]) as h (mobile_hash)`.execute(tx);
  return new Map(rows.map((row) => [row.mobileHash, row.persons ?? []]));
}

/** Other names under the certificates, in policies that anybody sees. */
export async function otherNames(tx: Tx, hashes: readonly string[]): Promise<Map<string, string[]>> {
  if (hashes.length === 0) return new Map();
  const { rows } = await sql<{ idNoHash: string; names: string[] }>`
    select i.id_no_hash, array_agg(distinct i.name) as names from policy_insured_item i
    join policy_endorsement e on e.id = i.created_by_endorsement_id
    where i.id_no_hash = any(${[...new Set(hashes)]}::text[]) and e.visible_at is not null group by i.id_no_hash`.execute(tx);
  return new Map(rows.map((row) => [row.idNoHash, row.names]));
}

/** Live covers of certificates in certain products. */
export async function coversIn(
  tx: Tx,
  hashes: readonly string[],
  productIds: readonly string[],
): Promise<Map<string, { productName: string; to: Day }[]>> {
  if (hashes.length === 0 || productIds.length === 0) return new Map();
  const { rows } = await sql<{ idNoHash: string; productName: string; to: Day }>`
    select i.id_no_hash, p.product_name, max(s.coverage_end)::text as to from policy_insured_item i
    join policy_policy p on p.id = i.policy_id and p.product_id = any(${[...productIds]}::bigint[])
    join policy_cover_slice s on s.insured_item_id = i.id
    where i.id_no_hash = any(${[...new Set(hashes)]}::text[]) and ${isLive('s', null)} group by 1, 2`.execute(tx);
  const found = new Map<string, { productName: string; to: Day }[]>();
  for (const { idNoHash, ...cover } of rows) found.set(idNoHash, [...(found.get(idNoHash) ?? []), cover]);
  return found;
}

/** Rows of the list that named persons before; for each of them the first. */
export async function earlierRows(
  tx: Tx,
  batchId: string,
  keys: readonly string[],
  besides: readonly string[],
): Promise<Map<string, number>> {
  if (keys.length === 0) return new Map();
  const { rows } = await sql<{ policyId: string; personKey: string; rowNo: number }>`
    select policy_id, person_key, min(row_no)::int as row_no from policy_insured_batch_row
    where batch_id = ${batchId} and person_key = any(${[...new Set(keys)]}::text[]) and policy_id is not null
      and result <> 'EXCLUDED' and not (id = any(${[...besides]}::bigint[]))
    group by policy_id, person_key`.execute(tx);
  return new Map(rows.map((row) => [personPlace(row.policyId, row.personKey), row.rowNo]));
}
