import { sql } from 'kysely';
import { Refusal, fillText } from '#kernel/contract/errors.ts';
import { daysBetween, dayOf, type Day } from '#kernel/contract/time.ts';
import type { Acting } from '#kernel/server/command/acting.ts';
import type { Db, Tx } from '#kernel/server/context.ts';
import { updatedColumns } from '#kernel/server/command/stampedColumns.ts';
import type { Secrets } from '#kernel/server/sensitive/secrets.ts';
import { moveState } from '#kernel/server/audit/transition.ts';
import { policyErrors } from '../../contract/errors.ts';
import { policyMachine } from '../../contract/states.ts';
import type { EndorsementRecord, PolicyRecord } from '../access.ts';
import { json, own } from '../database.ts';
import { requireNotRenewed } from '../policies/renewals.ts';
import { withdrawOrders } from '../premium/withdraw.ts';
import { refreshAfter, stateByDays, suspensionsNow, type Restore } from './carryOut.ts';
import type { PolicyFacts } from './prepared.ts';
import { publishInsured, publishPolicyState } from './publish.ts';

/** Days within which something is taken back as a whole. */
export const UNDO_DAYS = 90;
const FACT_KINDS = ['HOLDER', 'EXTEND', 'SURRENDER', 'CANCEL', 'SUSPEND', 'REINSTATE'] as const;

type Handle = Db | Tx;
type Undone = Pick<EndorsementRecord, 'id' | 'visibleAt'>;

export interface Hindrance {
  code: string;
  message: string;
}
const hindrance = (error: { code: string; text: string }, params: Record<string, string | number> = {}): Hindrance => ({
  code: error.code,
  message: fillText(error.text, params),
});

/** Endorsements behind these that replace what they wrote, that overlap what would come back, or that changed the same facts. */
async function laterEndorsements(tx: Handle, endorsements: readonly Undone[]): Promise<string[]> {
  const ids = endorsements.map(({ id }) => id);
  const { rows } = await sql<{ no: string }>`
    select distinct e.endorsement_no as no from policy_endorsement e
    where e.visible_at is not null and e.undone_at is null and not (e.id = any(${ids}::bigint[]))
      and e.policy_id in (select o.policy_id from policy_endorsement o where o.id = any(${ids}::bigint[])) and (
      exists (select from policy_cover_supersede u join policy_cover_slice s on s.id = u.slice_id
        where u.endorsement_id = e.id and s.created_by_endorsement_id = any(${ids}::bigint[]))
      or exists (select from policy_cover_supersede u join policy_cover_slice back on back.id = u.slice_id
        join policy_cover_slice s on s.insured_item_id = back.insured_item_id and s.created_by_endorsement_id = e.id
          and s.coverage_start <= back.coverage_end and s.coverage_end >= back.coverage_start
        where u.endorsement_id = any(${ids}::bigint[])
          and e.seq > (select min(o.seq) from policy_endorsement o where o.id = any(${ids}::bigint[]) and o.policy_id = e.policy_id))
      or exists (select from policy_endorsement o where o.id = any(${ids}::bigint[]) and o.policy_id = e.policy_id and e.seq > o.seq
        and ((o.kind = any(${[...FACT_KINDS]}::text[]) and e.kind = any(${[...FACT_KINDS]}::text[]))
          or (o.kind = 'EXTEND' and exists (select from policy_cover_slice s
            where s.created_by_endorsement_id = e.id and s.coverage_end > (o.before ->> 'coverageEnd')::date))
          or (o.kind = 'CORRECT' and e.kind = 'CORRECT' and o.before ->> 'insuredItemId' = e.before ->> 'insuredItemId'))))
    order by 1`.execute(tx);
  return rows.map(({ no }) => no);
}

/** Persons who signed or claimed on cover that would vanish. */
export async function usedPersons(tx: Handle, ids: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ insuredItemId: string }>`
    select distinct u.insured_item_id from policy_cover_use u
    where ((u.ref_type = 'CONTRACT' and u.state = 'LIVE') or (u.ref_type = 'CLAIM' and u.state in ('OPEN', 'PAID')))
      and u.policy_id in (select o.policy_id from policy_endorsement o where o.id = any(${[...ids]}::bigint[]))
      and exists (select from policy_cover_slice s where s.insured_item_id = u.insured_item_id
        and s.created_by_endorsement_id = any(${[...ids]}::bigint[]) and s.coverage_start <= u.use_from and s.coverage_end >= u.use_from)
      and not exists (select from policy_cover_slice back join policy_cover_supersede p on p.slice_id = back.id
        where back.insured_item_id = u.insured_item_id and p.endorsement_id = any(${[...ids]}::bigint[])
          and back.coverage_start <= u.use_from and back.coverage_end >= u.use_from)`.execute(tx);
  return rows.map((row) => row.insuredItemId);
}

/** All that stands against taking endorsements back, together. */
export async function undoHindrances(
  acting: { tx: Handle; today: Day },
  endorsements: readonly Undone[],
  laterNos: readonly string[] = [],
): Promise<Hindrance[]> {
  const ids = endorsements.map(({ id }) => id);
  const found: Hindrance[] = [];
  const later = [...new Set([...(await laterEndorsements(acting.tx, endorsements)), ...laterNos])];
  if (later.length > 0) found.push(hindrance(policyErrors.LATER_ENDORSEMENTS, { nos: later.slice(0, 10).join('、') }));
  const used = await usedPersons(acting.tx, ids);
  if (used.length > 0) found.push(hindrance(policyErrors.PERSONS_USED, { n: used.length }));
  const money = await own(acting.tx)
    .selectFrom('policyPremiumOrder')
    .select('id')
    .where('sourceEndorsementId', 'in', ids)
    .where('settledFen', '>', '0')
    .where('state', '<>', 'REVERSED')
    .limit(1)
    .executeTakeFirst();
  if (money) found.push(hindrance(policyErrors.MONEY_ALLOCATED));
  if (endorsements.some(({ visibleAt }) => visibleAt !== null && daysBetween(dayOf(visibleAt), acting.today) > UNDO_DAYS))
    found.push(hindrance(policyErrors.TOO_LATE));
  return found;
}

/** @throws Refusal of the first hindrance, all of them in its text and data */
export function refuseHindered(found: readonly Hindrance[]): void {
  const [first] = found;
  if (first) throw new Refusal(first.code, found.map(({ message }) => message).join('；'), { data: { hindrances: found } });
}

const factsBack = (policy: PolicyRecord, { policyFacts }: Restore, today: string): PolicyFacts => {
  const { state, ...facts } = policyFacts;
  if (state === undefined) return facts;
  // Days went on meanwhile: what was not suspended stands where they say.
  const after = { ...policy, ...facts };
  return { ...facts, state: state === 'SUSPENDED' && today <= after.coverageEnd ? state : stateByDays(after, today) };
};

/** Covers that came with an endorsement and went with it, as events tell them. */
export async function changesOf(tx: Acting['tx'], endorsementId: string) {
  const slices = await own(tx)
    .selectFrom('policyCoverSlice as s')
    .select(['s.id', 's.insuredItemId', 's.planCode', 's.coverageStart as from', 's.coverageEnd as to', 's.annualPremiumFen'])
    .where('s.createdByEndorsementId', '=', endorsementId)
    .execute();
  const replaced = await own(tx)
    .selectFrom('policyCoverSupersede as u')
    .innerJoin('policyCoverSlice as s', 's.id', 'u.sliceId')
    .select(['s.id', 's.insuredItemId', 's.planCode', 's.coverageStart as from', 's.coverageEnd as to', 's.annualPremiumFen'])
    .where('u.endorsementId', '=', endorsementId)
    .execute();
  const read = ({ annualPremiumFen, ...slice }: (typeof slices)[number]) => ({ ...slice, annualFen: BigInt(annualPremiumFen) });
  const ids = [...new Set([...slices, ...replaced].map(({ insuredItemId }) => insuredItemId))];
  const written = Map.groupBy(slices.map(read), ({ insuredItemId }) => insuredItemId);
  const gone = Map.groupBy(replaced.map(read), ({ insuredItemId }) => insuredItemId);
  return ids.map((insuredItemId) => ({
    insuredItemId,
    change: { write: written.get(insuredItemId) ?? [], supersede: gone.get(insuredItemId) ?? [], lines: [] },
  }));
}

/**
 * Takes one visible endorsement back: what was live before it is live again, facts of policy and person return, its premium orders go.
 * The caller holds the policy's lock, has looked for hindrances and moved the endorsement's history.
 */
export async function takeBack(
  acting: Acting,
  secrets: Secrets,
  policy: PolicyRecord,
  endorsement: EndorsementRecord,
  batchNo: string | null,
): Promise<void> {
  const restore: Restore | null =
    endorsement.restoreCipher === null ? null : (JSON.parse(secrets.decrypt(endorsement.restoreCipher)) as Restore);
  const persons = await changesOf(acting.tx, endorsement.id);
  await own(acting.tx)
    .updateTable('policyEndorsement')
    .set((eb) => ({
      state: 'UNDONE',
      undoneAt: acting.now,
      undoneBy: acting.staffOrNull?.userId ?? null,
      ...updatedColumns(acting),
      version: eb('version', '+', 1),
    }))
    .where('id', '=', endorsement.id)
    .execute();
  if (restore?.person) {
    const { insuredItemId, ...columns } = restore.person;
    await own(acting.tx)
      .updateTable('policyInsuredItem')
      .set((eb) => ({ ...columns, ...updatedColumns(acting), version: eb('version', '+', 1) }))
      .where('id', '=', insuredItemId)
      .execute();
  }
  // What never held may have been renewed by another policy meanwhile.
  if (policy.state === 'CANCELLED' && policy.renewalOfPolicyId !== null)
    await requireNotRenewed(acting, policy.renewalOfPolicyId, policy.id);
  const facts: PolicyFacts = restore ? factsBack(policy, restore, acting.today) : {};
  await own(acting.tx)
    .updateTable('policyPolicy')
    .set((eb) => ({
      ...facts,
      ...updatedColumns(acting),
      version: eb('version', '+', 1),
    }))
    .where('id', '=', policy.id)
    .execute();
  await own(acting.tx)
    .updateTable('policyPolicy')
    .set({ suspensions: json(await suspensionsNow(acting.tx, policy.id)) })
    .where('id', '=', policy.id)
    .execute();
  if (facts.state && facts.state !== policy.state) {
    await moveState({ ...acting, requirePermission: () => {} }, policyMachine, {
      targetType: 'policy.policy',
      targetId: policy.id,
      targetNo: policy.policyNo,
      action: 'restore',
      from: policy.state,
      opinion: `撤销批单${endorsement.endorsementNo}，恢复为${policyMachine.states[facts.state].label}`,
    });
    await publishPolicyState(acting, policy, facts.state, acting.today, '撤销批单');
  }
  await withdrawOrders(acting, endorsement.id);
  if (batchNo === null) await refreshAfter(acting, policy, true);
  await publishInsured(acting, persons, {
    policy,
    batchNo,
    backdated: endorsement.effectiveOn < acting.today,
    undo: true,
  });
}
