import { platformErrors, refuse, refuseField } from '#kernel/contract/errors.ts';
import { daysBetween, plusDays, type Day } from '#kernel/contract/time.ts';
import type { Db, Tx } from '#kernel/server/context.ts';
import type { Secrets } from '#kernel/server/sensitive/secrets.ts';
import { genders, holderTypes, idTypes } from '../../contract/dictionaries.ts';
import { policyErrors } from '../../contract/errors.ts';
import {
  addCover,
  changePlan,
  extendCover,
  NO_CHANGE,
  overlapping,
  removeCover,
  type CoverChange,
  type Slice,
} from '../../contract/rules/cover.ts';
import { isTerminal, policyMachine, type PolicyState } from '../../contract/states.ts';
import type { PolicyRecord } from '../access.ts';
import { own } from '../database.ts';
import { liveOfPolicy, liveSlices } from '../cover/live.ts';
import { linesOf, termsOf } from '../premium/lines.ts';
import { overdueOrders } from '../premium/makeOrder.ts';
import { holderColumns } from '../sensitive.ts';
import { isLiveContract, isOpenClaim, isPaidClaim, usesOf, type CoverUse } from '../uses/uses.ts';
import { keyFor, namedPersons, namesOf, personOfKey, ratesOf, requireMain, requirePerson } from './persons.ts';
import type { PersonWork, Prepared, Wish } from './prepared.ts';

interface Asked {
  /** A transaction where the endorsement takes effect. */
  db: Db | Tx;
  secrets: Secrets;
  policy: PolicyRecord;
  today: Day;
}
type Part = Partial<Prepared>;

const FIVE_YEARS = 1827;

const personWork = (policy: PolicyRecord, insuredItemId: string | null, name: string, change: CoverChange): PersonWork => ({
  insuredItemId,
  name,
  change,
  lines: linesOf(termsOf(policy), insuredItemId ?? '', change),
});

/** Whether the policy returns nothing for somebody who was paid. */
const keepsPremium = (policy: PolicyRecord, uses: readonly CoverUse[], insuredItemId: string): boolean =>
  !policy.refundIfClaimed && uses.some((use) => isPaidClaim(use) && use.insuredItemId === insuredItemId);

/** Ends the cover of everybody who has some behind a day. */
async function endAll({ db, policy }: Asked, lastDay: Day, uses: readonly CoverUse[], withFee: boolean): Promise<PersonWork[]> {
  const live = await liveOfPolicy(db, policy.id, lastDay);
  const names = await namesOf(db, [...live.keys()]);
  return [...live].map(([id, slices]) =>
    personWork(policy, id, names.get(id) ?? '', removeCover(slices, lastDay, withFee && keepsPremium(policy, uses, id), withFee)),
  );
}

const lastPaidDay = (uses: readonly CoverUse[]): Day | null =>
  uses.filter(isPaidClaim).reduce<Day | null>((last, { useFrom }) => (last === null || useFrom > last ? useFrom : last), null);
const coveredDays = (slices: readonly Slice[]) =>
  slices.map(({ planCode, from, to }) => `${from}至${to}（${planCode}）`).join('，') || '无保障';
const shownState = (state: PolicyState) => policyMachine.states[state].label;

const preparers: Record<Wish['kind'], (asked: Asked, wish: Wish) => Promise<Part>> = {
  async ADD({ db, secrets, policy, today }, { effectiveOn, after }) {
    const { person, planCode } = after;
    if (!person) throw refuseField('after.person', '请填写被保人信息');
    if (!planCode) throw refuseField('after.planCode', '请选择计划');
    requirePerson(person, today);
    await requireMain(db, policy.id, person, effectiveOn);
    const known = await personOfKey(db, policy.id, await keyFor(db, secrets, policy.id, person, null));
    const live = known ? ((await liveSlices(db, [known.id])).get(known.id) ?? []) : [];
    const there = overlapping(live, effectiveOn, policy.coverageEnd);
    if (there) throw refuseField('after.person.idNo', `该被保人在${there.from}至${there.to}已有保障`);
    const { annualOf } = await ratesOf(db, policy);
    const annualFen = annualOf(planCode, person, effectiveOn, policy.coverageEnd);
    const change = addCover({ planCode, from: effectiveOn, to: policy.coverageEnd, annualFen });
    return {
      person,
      persons: [personWork(policy, known?.id ?? null, person.name, change)],
      differences: [{ label: `被保人 ${person.name}`, before: '', after: `${effectiveOn}至${policy.coverageEnd}（${planCode}）` }],
    };
  },

  async REMOVE({ db, policy }, { effectiveOn, after }) {
    const persons = await namedPersons(db, policy.id, after.insuredItemIds);
    const uses = await usesOf(db, { itemIds: persons.map(({ id }) => id) });
    const works = persons.map(({ id, name, live }) => {
      const paid = uses.find((use) => use.insuredItemId === id && isPaidClaim(use) && use.useFrom > effectiveOn);
      if (paid) throw refuseField('effectiveOn', `${name}在${paid.useFrom}有已赔付案件${paid.refNo}，减员日不能早于该日`);
      const change = removeCover(live, effectiveOn, keepsPremium(policy, uses, id));
      if (change.supersede.length === 0) throw refuseField('after.insuredItemIds', `${name}在该日之后没有保障`);
      return { live, name, work: personWork(policy, id, name, change) };
    });
    return {
      persons: works.map((one) => one.work),
      differences: works.map((one) => ({
        label: `被保人 ${one.name}`,
        before: coveredDays(one.live),
        after: coveredAfter(one.live, one.work.change),
      })),
    };
  },

  async PLAN({ db, policy }, { effectiveOn, after }) {
    const { planCode } = after;
    if (!planCode) throw refuseField('after.planCode', '请选择计划');
    const persons = await namedPersons(db, policy.id, after.insuredItemIds);
    const { annualOf } = await ratesOf(db, policy);
    const works = persons.map((person) => {
      const { live, name, id } = person;
      if (!live.some(({ to }) => to >= effectiveOn)) throw refuseField('after.insuredItemIds', `${name}在该日之后没有保障`);
      const change = changePlan(live, effectiveOn, planCode, annualOf(planCode, person, effectiveOn, policy.coverageEnd));
      if (change.supersede.length === 0) throw refuseField('after.planCode', `${name}已是该计划`);
      return { live, name, work: personWork(policy, id, name, change) };
    });
    return {
      persons: works.map((one) => one.work),
      differences: works.map((one) => ({
        label: `被保人 ${one.name}`,
        before: coveredDays(one.live),
        after: coveredAfter(one.live, one.work.change),
      })),
    };
  },

  async CORRECT({ db, secrets, policy, today }, { after }) {
    const { person, insuredItemIds } = after;
    if (!person) throw refuseField('after.person', '请填写更正后的信息');
    if (insuredItemIds?.length !== 1) throw refuseField('after.insuredItemIds', '请选择一名被保人');
    const [known] = await namedPersons(db, policy.id, insuredItemIds);
    const row = await own(db).selectFrom('policyInsuredItem').selectAll().where('id', '=', known!.id).executeTakeFirstOrThrow();
    const idNo = person.idNo ?? (row.idNoCipher === null ? null : secrets.decrypt(row.idNoCipher));
    const corrected = {
      ...person,
      idNo,
      // a number that was not entered again stays, and so does where he lives and is insured
      mobile: person.mobile === undefined && row.mobileCipher !== null ? secrets.decrypt(row.mobileCipher) : person.mobile,
      adcode: person.adcode === undefined ? row.adcode : person.adcode,
      socialAdcode: person.socialAdcode === undefined ? row.socialAdcode : person.socialAdcode,
    };
    requirePerson(corrected, today);
    await keyFor(db, secrets, policy.id, corrected, row.id);
    if (corrected.relation !== 'SELF') await requireMain(db, policy.id, corrected, known!.live[0]?.from ?? policy.coverageStart);
    const differences = [
      { label: '姓名', before: row.name, after: corrected.name },
      { label: '证件类型', before: idTypes.label(row.idType), after: idTypes.label(corrected.idType) },
      { label: '性别', before: genders.label(row.gender), after: genders.label(corrected.gender) },
      { label: '出生日期', before: row.birthDate, after: corrected.birthDate },
      { label: '工号', before: row.employeeNo ?? '', after: corrected.employeeNo ?? '' },
      { label: '部门', before: row.department ?? '', after: corrected.department ?? '' },
      { label: '有医保', before: row.hasSocial ? '是' : '否', after: corrected.hasSocial ? '是' : '否' },
    ].filter(({ before, after: then }) => before !== then);
    if (person.idNo) differences.push({ label: '证件号', before: row.idNoMasked ?? '', after: '已更正' });
    if (person.mobile) differences.push({ label: '手机号', before: row.mobileMasked ?? '', after: '已更正' });
    if (differences.length === 0) throw refuseField('after.person', '没有需要更正的内容');
    return { person: corrected, persons: [personWork(policy, row.id, row.name, NO_CHANGE)], differences };
  },

  async HOLDER({ secrets, policy }, { after }) {
    const { holder } = after;
    if (!holder) throw refuseField('after.holder', '请填写新的投保人');
    return {
      policyFacts: { holderType: holder.holderType, holderName: holder.holderName, ...holderColumns(secrets, holder) },
      differences: [
        { label: '投保人类型', before: holderTypes.label(policy.holderType), after: holderTypes.label(holder.holderType) },
        { label: '投保人', before: policy.holderName, after: holder.holderName },
      ].filter(({ before, after: then }, at) => at === 1 || before !== then),
    };
  },

  async EXTEND({ db, policy }, { after }) {
    const { newEnd } = after;
    if (!newEnd) throw refuseField('after.newEnd', '请选择新终保日期');
    if (newEnd <= policy.coverageEnd) throw refuseField('after.newEnd', '新终保日期须晚于原终保日期');
    if (daysBetween(policy.coverageStart, newEnd) + 1 > FIVE_YEARS) throw refuseField('after.newEnd', '保险期间最长5年');
    const live = await liveOfPolicy(db, policy.id, plusDays(policy.coverageEnd, -1));
    const names = await namesOf(db, [...live.keys()]);
    return {
      persons: [...live].map(([id, slices]) =>
        personWork(policy, id, names.get(id) ?? '', extendCover(slices, policy.coverageEnd, newEnd)),
      ),
      policyFacts: { coverageEnd: newEnd },
      differences: [{ label: '终保日期', before: policy.coverageEnd, after: newEnd }],
    };
  },

  async SURRENDER(asked, { effectiveOn }) {
    const { policy, db } = asked;
    const uses = await usesOf(db, { policyId: policy.id });
    const open = uses.filter(isOpenClaim).length;
    if (open > 0) throw refuse(policyErrors.CLAIMS_OPEN, { n: open });
    const last = lastPaidDay(uses);
    if (last !== null && effectiveOn < last) throw refuse(policyErrors.BEFORE_LAST_PAYMENT);
    return {
      persons: await endAll(asked, effectiveOn, uses, true),
      policyFacts: { state: 'SURRENDERED' },
      differences: [{ label: '保单状态', before: shownState(policy.state), after: `已退保，保障至${effectiveOn}` }],
    };
  },

  async CANCEL(asked) {
    const { policy, db } = asked;
    if (policy.state === 'SUSPENDED') throw refuse(platformErrors.WRONG_STATE, { state: shownState(policy.state) });
    const uses = await usesOf(db, { policyId: policy.id });
    if (uses.some((use) => isPaidClaim(use) || isLiveContract(use))) throw refuse(policyErrors.COVER_USED);
    return {
      persons: await endAll(asked, plusDays(policy.coverageStart, -1), uses, false),
      policyFacts: { state: 'CANCELLED' },
      differences: [{ label: '保单状态', before: shownState(policy.state), after: '已注销（自始无效）' }],
    };
  },

  async SUSPEND({ policy }, { effectiveOn }) {
    if (policy.state !== 'IN_FORCE') throw refuse(platformErrors.WRONG_STATE, { state: shownState(policy.state) });
    return {
      policyFacts: { state: 'SUSPENDED' },
      differences: [{ label: '保单状态', before: '有效', after: `中止，自${effectiveOn}起无保障` }],
    };
  },

  async REINSTATE({ policy, db, today }, { effectiveOn }) {
    if (policy.state !== 'SUSPENDED') throw refuse(platformErrors.WRONG_STATE, { state: shownState(policy.state) });
    const open = await overdueOrders(db, policy.id, today);
    if (open > 0) throw refuse(policyErrors.PREMIUM_OPEN, { n: open });
    return {
      policyFacts: { state: 'IN_FORCE' },
      differences: [{ label: '保单状态', before: '中止', after: `有效，自${effectiveOn}起恢复保障` }],
    };
  },
};

function coveredAfter(live: readonly Slice[], change: CoverChange): string {
  const kept = live.filter((slice) => !change.supersede.includes(slice));
  return coveredDays([...kept, ...change.write.map((slice) => ({ ...slice, id: '' }))].toSorted((a, b) => (a.from < b.from ? -1 : 1)));
}

/** Kinds whose day is the last covered one, so that it may lie a day before the policy begins. */
const ENDS: ReadonlySet<Wish['kind']> = new Set(['REMOVE', 'SURRENDER']);

/**
 * What an endorsement does to cover, facts and premium of a policy, from how all of it stands now.
 * @throws Refusal SCM13004–07, SCM13012, SCM13013, SCM13015, SCM90020
 */
export async function prepare(asked: Asked, wish: Wish): Promise<Prepared> {
  const { policy } = asked;
  if (isTerminal(policy.state)) throw refuse(policyErrors.POLICY_OVER, { state: shownState(policy.state).replace(/^已/, '') });
  const earliest = ENDS.has(wish.kind) ? plusDays(policy.coverageStart, -1) : policy.coverageStart;
  if (wish.kind !== 'CANCEL' && (wish.effectiveOn < earliest || wish.effectiveOn > policy.coverageEnd))
    throw refuse(policyErrors.OUTSIDE_POLICY);
  const part = await preparers[wish.kind](asked, wish);
  const persons = part.persons ?? [];
  const touched = persons.flatMap(({ insuredItemId, change }) =>
    insuredItemId !== null && change.supersede.length > 0 ? [insuredItemId] : [],
  );
  return {
    persons,
    person: part.person ?? null,
    policyFacts: part.policyFacts ?? {},
    differences: part.differences ?? [],
    uses: (await usesOf(asked.db, { itemIds: touched })).filter((use) => isLiveContract(use) || isOpenClaim(use)),
    firstDay: wish.kind === 'CANCEL' ? policy.coverageStart : ENDS.has(wish.kind) ? plusDays(wish.effectiveOn, 1) : wish.effectiveOn,
  };
}
