import { plusDays, type Day } from '#kernel/contract/time.ts';
import { usccOf } from '#kernel/contract/uscc.ts';
import { moveState } from '#kernel/server/audit/transition.ts';
import { analyzeTables } from '#kernel/server/database/analyze.ts';
import { nextNumber } from '#kernel/server/command/numbers.ts';
import type { Acting } from '#kernel/server/command/acting.ts';
import { bulk, reserve } from '#kernel/server/demo/bulk.ts';
import { createdColumns, updatedColumns } from '#kernel/server/command/stampedColumns.ts';
import { plusYears } from '#domains/insurance/contract/model/quote.ts';
import { getPlans, resolveVersion } from '#domains/insurance/server/index.ts';
import { addCover } from '../../contract/rules/cover.ts';
import { endorsementMachine, policyMachine } from '../../contract/states.ts';
import { lockPolicies, type EndorsementRecord, type PolicyRecord } from '../access.ts';
import { json, own } from '../database.ts';
import { refreshPersons, refreshPolicy } from '../cover/cache.ts';
import { writeCover } from '../cover/write.ts';
import { lockedPolicy, stateByDays } from '../endorsements/carryOut.ts';
import { createPolicy } from '../policies/write.ts';
import { orderKindOf } from '../premium/firstOrder.ts';
import { linesOf, termsOf } from '../premium/lines.ts';
import { makeOrder } from '../premium/makeOrder.ts';
import { mobileColumns } from '#domains/patient/server/index.ts';
import { idNoColumns, personKeyOf } from '../sensitive.ts';
import { firstList, type Insured } from './people.ts';
import type { PolicySpec } from './specs.ts';
import type { Stage } from './stage.ts';

export interface WrittenPolicy {
  id: string;
  spec: PolicySpec;
  coverageStart: Day;
  coverageEnd: Day;
  firstOrderId: string | null;
}

/** The day on which a policy of a product may begin, next to the one that is wished for. */
async function startOf(stage: Stage, productId: string, wanted: Day): Promise<Day> {
  if (await resolveVersion(stage.tx, productId, wanted)) return wanted;
  const lastYear = `${stage.year - 1}-01-01`;
  return wanted < `${stage.year}-01-01` && (await resolveVersion(stage.tx, productId, lastYear)) && wanted < lastYear
    ? lastYear
    : `${stage.year}-01-01`;
}

/** Patients of the stories; they are the first ones. */
const TOLD = 20;

const policyNoOf = (at: number, start: Day) => `${['ZA', 'PH', 'RB', 'TB'][at % 4]}${start.slice(0, 4)}${String(880_100 + at * 37)}`;

async function writePersons(
  stage: Stage,
  acting: Acting,
  policyId: string,
  endorsementId: string,
  list: readonly Insured[],
): Promise<string[]> {
  const { tx, secrets } = stage;
  const ids = await reserve(tx, 'policy_insured_item', list.length);
  await bulk(
    tx,
    'policy_insured_item',
    list.map((one, at) => ({
      id: ids[at]!,
      policyId,
      personKey: personKeyOf(secrets, one) ?? '',
      name: one.name,
      idType: one.idType,
      ...idNoColumns(secrets, one.idNo),
      gender: one.gender,
      birthDate: one.birthDate,
      ...mobileColumns(secrets, one.mobile),
      employeeNo: one.employeeNo ?? null,
      department: one.department ?? null,
      adcode: one.adcode ?? null,
      hasSocial: one.hasSocial,
      relation: one.relation,
      mainInsuredItemId: one.main === null ? null : ids[one.main]!,
      preExistingIcd: one.preExistingIcd,
      patientId: one.patientId,
      realNameState: one.patientId === null ? 'NONE' : 'PASSED',
      createdByEndorsementId: endorsementId,
      stateCache: 'VOID',
      version: 1,
      ...createdColumns(acting),
    })),
  );
  return ids;
}

/** An endorsement that takes in the first list of a policy: as one that was read from a file, in few statements. */
async function writeFirstList(
  stage: Stage,
  policy: PolicyRecord,
  spec: PolicySpec,
  list: readonly Insured[],
  day: Day,
): Promise<string | null> {
  const { tx, secrets } = stage;
  const made = stage.at(day, '10:20', 'product_a');
  const passed = stage.at(day, '15:40', 'product_r');
  const terms = termsOf(policy);
  const row: EndorsementRecord = await own(tx)
    .insertInto('policyEndorsement')
    .values({
      endorsementNo: await nextNumber(tx, 'PD', made.today),
      policyId: policy.id,
      kind: 'MIXED',
      effectiveOn: policy.coverageStart,
      reason: '首次承保清单',
      before: json({ coverageEnd: policy.coverageEnd }),
      after: json({ differences: [{ label: '被保人', before: '', after: `${list.length}人` }] }),
      state: 'DRAFT',
      makerId: made.staffOrNull!.userId,
      makerName: made.staffOrNull!.displayName,
      ...createdColumns(made),
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  const move = { targetType: 'policy.endorsement', targetId: row.id, targetNo: row.endorsementNo };
  await moveState(made, endorsementMachine, { ...move, action: 'submit', from: 'DRAFT', opinion: '首次承保清单' });
  await moveState(passed, endorsementMachine, { ...move, action: 'approve', from: 'PENDING_AUDIT', opinion: '与保司清单核对一致' });
  const ids = await writePersons(stage, made, policy.id, row.id, list);
  const works = list.map((one, at) => {
    const change = addCover({
      planCode: spec.planCode ?? one.planCode,
      from: policy.coverageStart,
      to: policy.coverageEnd,
      annualFen: one.annualFen,
    });
    return { insuredItemId: ids[at]!, change, lines: linesOf(terms, ids[at]!, change) };
  });
  await writeCover(tx, policy.id, row.id, works);
  const lines = works.flatMap((one) => one.lines);
  await own(tx)
    .updateTable('policyEndorsement')
    .set({
      state: 'VISIBLE',
      seq: policy.endorsementSeq + 1,
      visibleAt: passed.now,
      premiumDeltaFen: String(lines.reduce((sum, { amountFen }) => sum + amountFen, 0n)),
      restoreCipher: secrets.encrypt(JSON.stringify({ policyFacts: {}, person: null })),
      checkerId: passed.staffOrNull!.userId,
      version: 3,
      ...updatedColumns(passed),
    })
    .where('id', '=', row.id)
    .execute();
  await own(tx)
    .updateTable('policyPolicy')
    .set({ endorsementSeq: policy.endorsementSeq + 1 })
    .where('id', '=', policy.id)
    .execute();
  const order = await makeOrder(passed, policy, lines, {
    ...(await orderKindOf(passed, policy, { firstCover: true, period: { from: policy.coverageStart, to: policy.coverageEnd } })),
    sourceEndorsementId: row.id,
    maker: { id: made.staffOrNull!.userId, name: made.staffOrNull!.displayName },
    state: 'PENDING_AUDIT',
  });
  return order?.id ?? null;
}

/** A policy with its first list; where its days have begun, it is in force. */
export async function writePolicy(stage: Stage, spec: PolicySpec, at: number, before: readonly WrittenPolicy[]): Promise<WrittenPolicy> {
  const { tx, secrets, today } = stage;
  const productId = stage.productId(spec.product);
  const earlier = spec.renews ? before[spec.renews.of]! : null;
  const wanted = earlier ? plusDays(earlier.coverageEnd, 1 + spec.renews!.gap) : plusDays(today, spec.starts);
  const coverageStart = await startOf(stage, productId, wanted);
  const coverageEnd = spec.days ? plusDays(coverageStart, spec.days - 1) : plusDays(plusYears(coverageStart, 1), -1);
  const made = stage.at(plusDays(coverageStart, -9), '09:30', 'product_a');
  const version = await resolveVersion(tx, productId, coverageStart);
  const plans = await getPlans(tx, version!.productVersionId);
  const isGroup = spec.type !== 'PERSONAL';
  const list = firstList(stage, plans, coverageStart, {
    count: spec.persons,
    group: isGroup,
    heads: spec.heads ?? [],
    // Whom stories tell of is covered where they say.
    known: spec.policyNo ? null : TOLD + ((at * 7) % 150),
  });
  const [head] = list;
  const { id } = await createPolicy(
    made,
    secrets,
    null,
    {
      policyNo: spec.policyNo ?? policyNoOf(at, coverageStart),
      productId,
      policyType: spec.type,
      holderType: isGroup ? 'ORG' : 'PERSON',
      holderName: isGroup ? spec.holder : head!.name,
      holderIdNo: isGroup ? usccOf(`9133010${at % 10}MA2K${String(at).padStart(3, '0')}`.padEnd(17, '0').slice(0, 17)) : head!.idNo,
      holderContact: head?.mobile,
      coverageStart,
      coverageEnd,
      payMode: spec.pay ?? 'LUMP',
      graceDays: spec.graceDays ?? 30,
      prorate: spec.monthly ? 'MONTH' : 'DAY',
      refundFeeBp: spec.feeBp ?? 0,
      refundIfClaimed: true,
      declaredCount: spec.persons + (spec.declaredMore ?? 0),
      maxBackdateDays: 30,
      adcode: spec.adcode,
      channelName: spec.channel ?? '',
    },
    { renewalOfPolicyId: earlier?.id ?? null },
  );
  await lockPolicies(tx, [id]);
  const policy = await lockedPolicy(tx, id);
  const firstOrderId = list.length === 0 ? null : await writeFirstList(stage, policy, spec, list, plusDays(coverageStart, -4));
  // Everything after a city looks through its thousands of persons.
  if (list.length > 500) await analyzeTables(tx, 'policy');
  await refreshPersons(tx, { policyId: id }, coverageStart);
  if (coverageStart <= today && !spec.unstarted) await changePolicyState(stage, id, 'start', coverageStart);
  return { id, spec, coverageStart, coverageEnd, firstOrderId };
}

/** A night in which a policy began or ended. */
export async function changePolicyState(stage: Stage, policyId: string, action: 'start' | 'expire', day: Day): Promise<void> {
  const acting = stage.at(day, '00:05', null);
  const policy = await lockedPolicy(stage.tx, policyId);
  if (!policyMachine.canStart(action, policy.state)) return;
  const state = await moveState(acting, policyMachine, {
    targetType: 'policy.policy',
    targetId: policyId,
    targetNo: policy.policyNo,
    action,
    from: policy.state,
  });
  await own(stage.tx)
    .updateTable('policyPolicy')
    .set((eb) => ({ state, updatedAt: acting.now, version: eb('version', '+', 1) }))
    .where('id', '=', policyId)
    .execute();
}

/** Where the policy stands today, and what lists say of it. */
export async function endPolicy(stage: Stage, { id, spec }: WrittenPolicy): Promise<void> {
  const policy = await lockedPolicy(stage.tx, id);
  if (stateByDays(policy, stage.today) === 'EXPIRED') await changePolicyState(stage, id, 'expire', plusDays(policy.coverageEnd, 1));
  await refreshPersons(stage.tx, { policyId: id }, stage.today);
  await refreshPolicy(stage.tx, id, stage.today);
  // Holders declare after each change how many there are now.
  await own(stage.tx)
    .updateTable('policyPolicy')
    .set((eb) => ({ declaredCount: eb('insuredCount', '+', spec.declaredMore ?? 0) }))
    .where('id', '=', id)
    .where('insuredCount', '>', 0)
    .execute();
}
