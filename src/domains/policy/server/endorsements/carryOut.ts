import type { Day } from '#kernel/contract/time.ts';
import { moveState } from '#kernel/server/audit/transition.ts';
import type { Acting } from '#kernel/server/command/acting.ts';
import { createdColumns, updatedColumns } from '#kernel/server/command/stampedColumns.ts';
import type { Secrets } from '#kernel/server/sensitive/secrets.ts';
import type { EndorsementKind } from '../../contract/dictionaries.ts';
import type { Person } from '../../contract/persons.ts';
import { suspensionsOf } from '../../contract/rules/cover.ts';
import { policyMachine, type PolicyState } from '../../contract/states.ts';
import { lockPolicies, type EndorsementRecord, type PolicyRecord } from '../access.ts';
import { json, own } from '../database.ts';
import { refreshPersons, refreshPolicy } from '../cover/cache.ts';
import { writeCover } from '../cover/write.ts';
import { patientsOf } from '../persons/patients.ts';
import { orderKindOf } from '../premium/firstOrder.ts';
import { instalmentsUntil } from '../premium/instalmentOrders.ts';
import { makeOrder, type MadeOrder } from '../premium/makeOrder.ts';
import { mobileColumns } from '#domains/patient/server/index.ts';
import { idNoColumns, personKeyOf } from '../sensitive.ts';
import type { PolicyFacts, Prepared } from './prepared.ts';
import { publishInsured, publishPolicyState } from './publish.ts';

/** Columns of a person as entered; linked with the patient who proved the certificate. */
async function personColumns(acting: Acting, secrets: Secrets, person: Person) {
  const idNo = idNoColumns(secrets, person.idNo);
  const [patientId = null] = await patientsOf(acting.tx, [{ idType: person.idType, idNoHash: idNo.idNoHash }]);
  return {
    personKey: personKeyOf(secrets, person) ?? '',
    name: person.name,
    idType: person.idType,
    ...idNo,
    gender: person.gender,
    birthDate: person.birthDate,
    ...mobileColumns(secrets, person.mobile),
    employeeNo: person.employeeNo || null,
    department: person.department || null,
    adcode: person.adcode || null,
    hasSocial: person.hasSocial,
    socialAdcode: person.socialAdcode || null,
    relation: person.relation,
    mainInsuredItemId: person.relation === 'SELF' ? null : (person.mainInsuredItemId ?? null),
    preExistingIcd: person.preExistingIcd,
    patientId,
    realNameState: patientId === null ? ('NONE' as const) : ('PASSED' as const),
  };
}
type PersonColumns = Awaited<ReturnType<typeof personColumns>>;

/** What undoing puts back. */
export interface Restore {
  policyFacts: PolicyFacts;
  person: (PersonColumns & { insuredItemId: string }) | null;
}

async function writePerson(acting: Acting, secrets: Secrets, policy: PolicyRecord, endorsement: EndorsementRecord, prepared: Prepared) {
  const [first] = prepared.persons;
  if (!prepared.person || !first) return null;
  const columns = await personColumns(acting, secrets, prepared.person);
  if (first.insuredItemId === null) {
    const { id } = await own(acting.tx)
      .insertInto('policyInsuredItem')
      .values({ policyId: policy.id, createdByEndorsementId: endorsement.id, ...columns, ...createdColumns(acting) })
      .returning('id')
      .executeTakeFirstOrThrow();
    first.insuredItemId = id;
    for (const line of first.lines) line.insuredItemId = id;
    return null;
  }
  const before = await own(acting.tx)
    .selectFrom('policyInsuredItem')
    .select([
      'personKey',
      'name',
      'idType',
      'idNoCipher',
      'idNoHash',
      'idNoMasked',
      'gender',
      'birthDate',
      'mobileCipher',
      'mobileHash',
      'mobileMasked',
      'employeeNo',
      'department',
      'adcode',
      'hasSocial',
      'socialAdcode',
      'relation',
      'mainInsuredItemId',
      'preExistingIcd',
      'patientId',
      'realNameState',
    ])
    .where('id', '=', first.insuredItemId)
    .executeTakeFirstOrThrow();
  await own(acting.tx)
    .updateTable('policyInsuredItem')
    .set((eb) => ({ ...columns, ...updatedColumns(acting), version: eb('version', '+', 1) }))
    .where('id', '=', first.insuredItemId)
    .execute();
  return { insuredItemId: first.insuredItemId, ...before };
}

/** Suspensions of a policy as its visible endorsements say. */
export async function suspensionsNow(tx: Acting['tx'], policyId: string) {
  const rows = await own(tx)
    .selectFrom('policyEndorsement')
    .select(['kind', 'effectiveOn'])
    .where('policyId', '=', policyId)
    .where('kind', 'in', ['SUSPEND', 'REINSTATE'])
    .where('state', '=', 'VISIBLE')
    .orderBy('seq')
    .execute();
  return suspensionsOf(
    rows.map(({ kind, effectiveOn }) => ({ kind: kind === 'SUSPEND' ? ('SUSPEND' as const) : ('REINSTATE' as const), effectiveOn })),
  );
}

const ACTION_OF: Partial<Record<EndorsementKind, 'suspend' | 'reinstate' | 'surrender' | 'cancel'>> = {
  SUSPEND: 'suspend',
  REINSTATE: 'reinstate',
  SURRENDER: 'surrender',
  CANCEL: 'cancel',
};

/** The facts of the policy that an endorsement changes, and the entry in its history. */
async function writePolicyFacts(
  acting: Acting,
  policy: PolicyRecord,
  endorsement: EndorsementRecord,
  facts: PolicyFacts,
): Promise<PolicyFacts> {
  const keys = Object.keys(facts) as (keyof PolicyFacts)[];
  const before: PolicyFacts = Object.fromEntries(keys.map((key) => [key, policy[key]]));
  await own(acting.tx)
    .updateTable('policyPolicy')
    .set((eb) => ({
      ...facts,
      endorsementSeq: eb('endorsementSeq', '+', 1),
      ...updatedColumns(acting),
      version: eb('version', '+', 1),
    }))
    .where('id', '=', policy.id)
    .execute();
  const action = ACTION_OF[endorsement.kind];
  if (action)
    await moveState({ ...acting, requirePermission: () => {} }, policyMachine, {
      targetType: 'policy.policy',
      targetId: policy.id,
      targetNo: policy.policyNo,
      action,
      from: policy.state,
      opinion: `批单${endorsement.endorsementNo}`,
    });
  return before;
}

export interface CarriedOut {
  order: MadeOrder | null;
}

/**
 * An endorsement takes effect: cover, facts, its number in the policy, the one premium order, what lists show, and who is told.
 * The caller holds the policy's lock and row, and has taken the endorsement to VISIBLE in its history.
 */
export async function carryOut(
  acting: Acting,
  secrets: Secrets,
  policy: PolicyRecord,
  endorsement: EndorsementRecord,
  prepared: Prepared,
  checkerId: string | null,
): Promise<CarriedOut> {
  const person = await writePerson(acting, secrets, policy, endorsement, prepared);
  const touched = prepared.persons.flatMap(({ insuredItemId, change }) => (insuredItemId === null ? [] : [{ insuredItemId, change }]));
  await writeCover(acting.tx, policy.id, endorsement.id, touched);
  const policyFacts = await writePolicyFacts(acting, policy, endorsement, prepared.policyFacts);
  const lines = prepared.persons.flatMap((one) => one.lines);
  const delta = lines.reduce((sum, { amountFen }) => sum + amountFen, 0n);
  const restore: Restore = { policyFacts, person };
  await own(acting.tx)
    .updateTable('policyEndorsement')
    .set((eb) => ({
      state: 'VISIBLE',
      seq: policy.endorsementSeq + 1,
      visibleAt: acting.now,
      premiumDeltaFen: String(delta),
      restoreCipher: secrets.encrypt(JSON.stringify(restore)),
      checkerId,
      ...updatedColumns(acting),
      version: eb('version', '+', 1),
    }))
    .where('id', '=', endorsement.id)
    .execute();
  await own(acting.tx)
    .updateTable('policyPolicy')
    .set({ suspensions: json(await suspensionsNow(acting.tx, policy.id)) })
    .where('id', '=', policy.id)
    .execute();
  // What ends returns the rest of the whole premium: its parts that were not asked for yet are due beside that.
  if (prepared.policyFacts.state === 'SURRENDERED' || prepared.policyFacts.state === 'CANCELLED')
    await instalmentsUntil(acting, policy, policy.coverageEnd);
  const order = await makeOrder(acting, policy, lines, {
    ...(await orderKindOf(acting, policy, {
      firstCover: endorsement.kind === 'ADD',
      period: periodOf(prepared.firstDay, prepared.policyFacts.coverageEnd ?? policy.coverageEnd),
    })),
    sourceEndorsementId: endorsement.id,
    maker: { id: endorsement.makerId, name: endorsement.makerName },
    state: 'PENDING_AUDIT',
  });
  await refreshAfter(
    acting,
    policy,
    touched.length > 0 || prepared.policyFacts.state !== undefined || prepared.policyFacts.coverageEnd !== undefined,
  );
  await publishInsured(acting, touched, { policy, batchNo: null, backdated: prepared.firstDay < acting.today, undo: false });
  if (prepared.policyFacts.state)
    await publishPolicyState(acting, policy, prepared.policyFacts.state, endorsement.effectiveOn, endorsement.reason || null);
  return { order };
}

export const periodOf = (from: Day, to: Day): { from: Day; to: Day } => (from <= to ? { from, to } : { from: to, to });

/** Lists follow at once where an endorsement by hand takes effect. */
export async function refreshAfter(acting: Acting, policy: Pick<PolicyRecord, 'id'>, persons: boolean): Promise<void> {
  if (persons) await refreshPersons(acting.tx, { policyId: policy.id }, acting.today);
  await refreshPolicy(acting.tx, policy.id, acting.today);
}

/** Where a policy stands on a day, when nothing but days decides. */
export const stateByDays = (policy: Pick<PolicyRecord, 'coverageStart' | 'coverageEnd'>, today: Day): PolicyState =>
  today < policy.coverageStart ? 'PENDING' : today > policy.coverageEnd ? 'EXPIRED' : 'IN_FORCE';

/** The row as it stands under its lock. */
export async function lockedPolicy(tx: Acting['tx'], id: string): Promise<PolicyRecord> {
  await lockPolicies(tx, [id]);
  return own(tx).selectFrom('policyPolicy').selectAll().where('id', '=', id).forUpdate().executeTakeFirstOrThrow();
}
