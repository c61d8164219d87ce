import { plusDays, type Day } from '#kernel/contract/time.ts';
import { moveState } from '#kernel/server/audit/transition.ts';
import { nextNumber } from '#kernel/server/command/numbers.ts';
import { createdColumns, updatedColumns } from '#kernel/server/command/stampedColumns.ts';
import { getPlans } from '#domains/insurance/server/index.ts';
import type { Change, Wish } from '../endorsements/prepared.ts';
import { POLICY_LINE_VIEW } from '../../contract/lineView.ts';
import { endorsementMachine } from '../../contract/states.ts';
import type { EndorsementRecord, PolicyRecord } from '../access.ts';
import { own } from '../database.ts';
import { carryOut, lockedPolicy } from '../endorsements/carryOut.ts';
import { impactOf, keptOf } from '../endorsements/handlers.ts';
import { prepare } from '../endorsements/prepare.ts';
import { takeBack } from '../endorsements/undo.ts';
import { anybody } from './people.ts';
import type { WrittenPolicy } from './policies.ts';
import type { OrderFate, Step } from './specs.ts';
import type { Stage } from './stage.ts';

const REASONS: Readonly<Record<Wish['kind'], string>> = {
  ADD: '新入职员工参保',
  REMOVE: '员工离职减员',
  CORRECT: '投保人申请更正被保人信息',
  PLAN: '岗位调整，变更保障计划',
  HOLDER: '投保人名称变更',
  EXTEND: '投保人申请延长保险期间',
  SURRENDER: '投保人申请退保',
  CANCEL: '投保资料有误，自始注销',
  SUSPEND: '投保人申请中止',
  REINSTATE: '欠缴保费已付清',
};

/** People of a policy with live cover: who leaves has nobody of his family left behind, who gets another plan is a main insured. */
async function persons(stage: Stage, policy: PolicyRecord, kind: Step['kind'], count: number, skip: number): Promise<string[]> {
  const dependant = own(stage.tx)
    .selectFrom('policyInsuredItem as d')
    .select('d.mainInsuredItemId')
    .where('d.policyId', '=', policy.id)
    .where('d.mainInsuredItemId', 'is not', null);
  const rows = await own(stage.tx)
    .selectFrom('policyInsuredItem')
    .select('id')
    .where('policyId', '=', policy.id)
    .where('stateCache', 'in', ['ACTIVE', 'PENDING'])
    .$if(kind !== 'REMOVE', (query) => query.where('relation', '=', 'SELF'))
    .$if(kind === 'REMOVE', (query) => query.where('id', 'not in', dependant))
    .orderBy('id', policy.policyType === 'PERSONAL' && kind === 'REMOVE' ? 'desc' : 'asc')
    .offset(skip)
    .limit(count)
    .execute();
  return rows.map(({ id }) => id);
}

async function changeOf(stage: Stage, policy: PolicyRecord, step: Step, effectiveOn: Day, at: number): Promise<Change> {
  const plans = await getPlans(stage.tx, policy.productVersionId);
  const isGroup = policy.policyType !== 'PERSONAL';
  switch (step.kind) {
    case 'ADD': {
      const { planCode, annualFen: _annual, patientId: _patient, ...person } = anybody(stage, plans[0]!, effectiveOn);
      return { person: { ...person, ...(isGroup && { employeeNo: `N${at}${stage.serial()}`, department: '研发部' }) }, planCode };
    }
    case 'REMOVE':
      return {
        insuredItemIds: step.only ? [...step.only] : await persons(stage, policy, 'REMOVE', step.persons ?? 1, isGroup ? 10 + at * 9 : 0),
      };
    case 'PLAN': {
      const ids = await persons(stage, policy, 'PLAN', step.persons ?? 1, isGroup ? 30 + at * 7 : 0);
      return { insuredItemIds: ids, planCode: (plans[1] ?? plans[0]!).planCode };
    }
    case 'CORRECT': {
      const [id] = step.only ?? (await persons(stage, policy, 'CORRECT', 1, isGroup ? 20 + at : 0));
      const row = await own(stage.tx).selectFrom('policyInsuredItem').selectAll().where('id', '=', id!).executeTakeFirstOrThrow();
      return {
        insuredItemIds: [row.id],
        person: {
          name: row.name,
          idType: row.idType,
          gender: row.gender,
          birthDate: row.birthDate,
          mobile: `138${stage.random.int(10_000_000, 99_999_999)}`,
          employeeNo: row.employeeNo ?? undefined,
          department: isGroup ? '质量部' : undefined,
          adcode: row.adcode ?? undefined,
          hasSocial: row.hasSocial,
          relation: row.relation,
          mainInsuredItemId: row.mainInsuredItemId ?? undefined,
          preExistingIcd: row.preExistingIcd,
        },
      };
    }
    case 'HOLDER':
      return {
        holder: {
          holderType: policy.holderType,
          holderName: isGroup
            ? `${policy.holderName.replace('有限公司', '')}（集团）有限公司`
            : anybody(stage, plans[0]!, effectiveOn).name,
          holderContact: `139${stage.random.int(10_000_000, 99_999_999)}`,
        },
      };
    case 'EXTEND':
      return { newEnd: plusDays(policy.coverageEnd, 30) };
    default:
      return {};
  }
}

/** Orders whose fate the specification says, and when those were paid that were paid late. */
export type Fates = Map<string, { fate: OrderFate; paidOn?: Day }>;

/** One endorsement of the demonstration, made and passed as people do it. */
export async function endorse(
  stage: Stage,
  written: Pick<WrittenPolicy, 'id' | 'coverageStart'>,
  step: Step,
  at: number,
  fates: Fates,
): Promise<void> {
  const { tx, secrets, today } = stage;
  const wanted = plusDays(today, step.day);
  const day = wanted < written.coverageStart ? written.coverageStart : wanted;
  if (day > today) return;
  const policy = await lockedPolicy(tx, written.id);
  const start = step.kind === 'REMOVE' ? plusDays(policy.coverageStart, 1) : policy.coverageStart;
  const back = plusDays(day, -(step.back ?? 0));
  const effectiveOn = back < start ? start : back > policy.coverageEnd ? policy.coverageEnd : back;
  const making = stage.at(day, `${String(9 + (at % 3)).padStart(2, '0')}:1${at % 6}`, 'product_a');
  const wish: Wish = { kind: step.kind, effectiveOn, after: await changeOf(stage, policy, step, effectiveOn, at) };
  const askedAt = { db: tx, secrets, policy, today: making.today };
  const prepared = await prepare(askedAt, wish);
  const row: EndorsementRecord = await own(tx)
    .insertInto('policyEndorsement')
    .values({
      endorsementNo: await nextNumber(tx, 'PD', making.today),
      policyId: policy.id,
      kind: step.kind,
      ...keptOf(secrets, policy, wish, prepared, impactOf(prepared, making.today)),
      reason: REASONS[step.kind],
      insurerEndorsementNo:
        at % 2 === 0 && POLICY_LINE_VIEW[policy.productLine].insurerNumbers
          ? `PG${making.today.replaceAll('-', '')}${String(100 + at)}`
          : '',
      state: 'DRAFT',
      makerId: making.staffOrNull?.userId ?? null,
      makerName: making.staffOrNull?.displayName ?? '系统',
      ...createdColumns(making),
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  const fate = step.fate ?? 'VISIBLE';
  const target = { targetType: 'policy.endorsement', targetId: row.id, targetNo: row.endorsementNo };
  const keep = (state: EndorsementRecord['state'], by = making) =>
    own(tx)
      .updateTable('policyEndorsement')
      .set((eb) => ({ state, ...updatedColumns(by), version: eb('version', '+', 1) }))
      .where('id', '=', row.id)
      .execute();
  if (fate === 'DRAFT') return;
  if (fate === 'DISCARDED') {
    await moveState(making, endorsementMachine, { ...target, action: 'discard', from: 'DRAFT', opinion: '重复录入' });
    await keep('DISCARDED');
    return;
  }
  await moveState(making, endorsementMachine, { ...target, action: 'submit', from: 'DRAFT', opinion: row.reason });
  await keep('PENDING_AUDIT');
  if (fate === 'PENDING_AUDIT') return;
  const checking = stage.at(day, '15:30', 'product_r');
  if (fate === 'REJECTED') {
    await moveState(checking, endorsementMachine, {
      ...target,
      action: 'reject',
      from: 'PENDING_AUDIT',
      opinion: '缺少投保人盖章的批改申请书',
    });
    await keep('REJECTED', checking);
    return;
  }
  await moveState(checking, endorsementMachine, { ...target, action: 'approve', from: 'PENDING_AUDIT', opinion: '资料齐全，同意批改' });
  const { order } = await carryOut(checking, secrets, policy, { ...row, state: 'PENDING_AUDIT' }, prepared, checking.staffOrNull!.userId);
  if (order && step.order) fates.set(order.id, { fate: step.order });
  if (fate !== 'UNDONE') return;
  const undoing = stage.at(plusDays(day, 2), '11:05', 'product_r');
  const visible = await own(tx).selectFrom('policyEndorsement').selectAll().where('id', '=', row.id).executeTakeFirstOrThrow();
  await moveState(undoing, endorsementMachine, { ...target, action: 'undo', from: 'VISIBLE', opinion: '投保人撤回申请' });
  await takeBack(undoing, secrets, await lockedPolicy(tx, policy.id), visible, null);
}
