import { refuse, refuseField } from '#kernel/contract/errors.ts';
import type { Db, Tx } from '#kernel/server/context.ts';
import type { Secrets } from '#kernel/server/sensitive/secrets.ts';
import { ageOn, quoteOf } from '#domains/insurance/contract/model/quote.ts';
import type { Plan } from '#domains/insurance/contract/model/document.ts';
import { getPlans } from '#domains/insurance/server/index.ts';
import { birthOfIdNumber, genderOfIdNumber, idNumberFault } from '#domains/patient/contract/idNumber.ts';
import { policyErrors } from '../../contract/errors.ts';
import type { Person } from '../../contract/persons.ts';
import type { Slice } from '../../contract/rules/cover.ts';
import type { PolicyRecord } from '../access.ts';
import { own } from '../database.ts';
import { liveSlices } from '../cover/live.ts';
import { normalIdNo, personKeyOf } from '../sensitive.ts';
import type { Day } from '#kernel/contract/time.ts';

type Handle = Db | Tx;

/** @throws Refusal SCM90020 where certificate, birth date and gender do not agree */
export function requirePerson(person: Person, today: Day): void {
  const idNo = person.idNo ? normalIdNo(person.idNo) : '';
  if (idNo === '' && !person.employeeNo) throw refuseField('after.person.idNo', '请填写证件号；没有证件的企业员工须填写工号');
  if (person.idType !== 'ID_CARD' || idNo === '') return;
  const wrong = idNumberFault(idNo, today);
  if (wrong !== null) throw refuseField('after.person.idNo', `身份证号${wrong}`);
  if (birthOfIdNumber(idNo) !== person.birthDate) throw refuseField('after.person.birthDate', '证件号与出生日期不一致');
  if ((genderOfIdNumber(idNo) === 1 ? 'M' : 'F') !== person.gender) throw refuseField('after.person.gender', '证件号与性别不一致');
}

export interface Rated {
  birthDate: Day;
  gender: 'M' | 'F';
  hasSocial: boolean;
}

/** What a plan takes for a person a year, or why it does not take him. */
export function rateOf(plan: Plan, who: Rated, from: Day, to: Day): bigint | { refused: string } {
  const quote = quoteOf(plan, { birthDate: who.birthDate, gender: who.gender, social: who.hasSocial ? 'YES' : 'NO', from, to });
  if (quote) return BigInt(quote.annualPremiumFen);
  const age = ageOn(who.birthDate, from);
  return {
    refused:
      age < plan.ageMin || age > plan.ageMax
        ? `年龄${age}岁不在计划承保范围${plan.ageMin}-${plan.ageMax}岁`
        : '该计划不承保此人（性别或医保身份不符）',
  };
}

/** Annual premium of plans of a policy's version. */
export async function ratesOf(db: Handle, policy: Pick<PolicyRecord, 'productVersionId' | 'productVersionNo'>) {
  const plans = await getPlans(db, policy.productVersionId);
  return {
    plans,
    /** @throws Refusal SCM90020 where the version has no such plan, or it does not take the person */
    annualOf(planCode: string, who: Rated, from: Day, to: Day): bigint {
      const plan = plans.find((one) => one.planCode === planCode);
      if (!plan) throw refuseField('after.planCode', `计划“${planCode}”不在产品版本V${policy.productVersionNo}中`);
      const rate = rateOf(plan, who, from, to);
      if (typeof rate !== 'bigint') throw refuseField('after.planCode', rate.refused);
      return rate;
    },
  };
}

/** The person of a certificate in a policy; null: nobody of it was ever in it. */
export const personOfKey = (db: Handle, policyId: string, personKey: string) =>
  own(db)
    .selectFrom('policyInsuredItem')
    .select(['id', 'name'])
    .where('policyId', '=', policyId)
    .where('personKey', '=', personKey)
    .executeTakeFirst();

/** @throws Refusal SCM90020 where the main insured is not covered on that day */
export async function requireMain(db: Handle, policyId: string, person: Person, from: Day): Promise<void> {
  if (person.relation === 'SELF') return;
  if (!person.mainInsuredItemId) throw refuseField('after.person.mainInsuredItemId', '请选择主被保人');
  const main = await own(db)
    .selectFrom('policyInsuredItem')
    .select(['id', 'relation'])
    .where('id', '=', person.mainInsuredItemId)
    .where('policyId', '=', policyId)
    .executeTakeFirst();
  const live = main ? ((await liveSlices(db, [main.id])).get(main.id) ?? []) : [];
  if (main?.relation !== 'SELF' || !live.some((slice) => slice.from <= from && from <= slice.to))
    throw refuseField('after.person.mainInsuredItemId', '主被保人不在保单中');
}

export async function namesOf(db: Handle, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await own(db)
    .selectFrom('policyInsuredItem')
    .select(['id', 'name'])
    .where('id', 'in', [...ids])
    .execute();
  return new Map(rows.map(({ id, name }) => [id, name]));
}

export interface NamedPerson {
  id: string;
  name: string;
  birthDate: Day;
  gender: 'M' | 'F';
  hasSocial: boolean;
  live: Slice[];
}

/** The named persons of a policy with their live cover. @throws Refusal SCM90020 where one of them is none of it. */
export async function namedPersons(db: Handle, policyId: string, ids: readonly string[] | undefined): Promise<NamedPerson[]> {
  if (!ids || ids.length === 0) throw refuseField('after.insuredItemIds', '请选择被保人');
  const wanted = [...new Set(ids)];
  const rows = await own(db)
    .selectFrom('policyInsuredItem')
    .select(['id', 'name', 'birthDate', 'gender', 'hasSocial'])
    .where('policyId', '=', policyId)
    .where('id', 'in', wanted)
    .orderBy('id')
    .execute();
  if (rows.length !== wanted.length) throw refuseField('after.insuredItemIds', '所选被保人不在本保单中');
  const live = await liveSlices(db, wanted);
  return rows.map((row) => ({ ...row, live: live.get(row.id) ?? [] }));
}

/** @throws Refusal SCM13015 where somebody else of the policy has the certificate */
export async function keyFor(db: Handle, secrets: Secrets, policyId: string, person: Person, ownId: string | null): Promise<string> {
  const key = personKeyOf(secrets, person);
  if (key === null) throw refuseField('after.person.idNo', '请填写证件号；没有证件的企业员工须填写工号');
  const known = await personOfKey(db, policyId, key);
  if (ownId !== null && known && known.id !== ownId) throw refuse(policyErrors.CERTIFICATE_TAKEN);
  return key;
}
