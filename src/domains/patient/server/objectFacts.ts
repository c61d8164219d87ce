import { sql } from 'kysely';
import { dayOf } from '#kernel/contract/time.ts';
import { factsBy, numberVariable, optionVariable, yesOrNo, type FactStatement, type ObjectRules } from '#kernel/server/objectTypes.ts';
import { factCodes, factsFor } from './facts.ts';

const record = ['patient.record.changed'];
const realName = ['patient.realName.changed'];

const own: Readonly<Record<string, FactStatement>> = {
  'patient.recordDays': (ids, now) =>
    sql`
      select p.id::text as id,
          floor(extract(epoch from greatest(${now}::timestamptz - p.created_at, interval '0')) / 86400)::int::text as value,
          p.created_at as at
        from patient_patient p
        where p.id = any(${[...ids]}::bigint[])`,
  'patient.realName': (ids) =>
    sql`select p.id::text as id, case when p.real_name_state = 'VERIFIED' then '1' else '0' end as value, p.real_name_at as at
      from patient_patient p where p.id = any(${[...ids]}::bigint[])`,
  'patient.marketingConsent': (ids) =>
    sql`
      select p.id::text as id, case when s.state = 'VALID' then '1' else '0' end as value, s.at
        from patient_patient p
        left join patient_consent_state s on s.patient_id = p.id and s.consent_type = 'MARKETING'
        where p.id = any(${[...ids]}::bigint[])`,
};
const readOwn = factsBy(own);

/** What mark rules may ask of a person: who he is and how he uses the service, nothing of his diseases. */
export const patientRules: ObjectRules = {
  variables: [
    numberVariable({ code: 'patient.age', name: '年龄', source: '实名信息', refreshOn: realName }, '岁'),
    optionVariable({ code: 'patient.sex', name: '性别', source: '实名信息', refreshOn: realName }, [
      { value: '1', label: '男' },
      { value: '2', label: '女' },
    ]),
    numberVariable({ code: 'patient.recordDays', name: '建档天数', source: '患者档案', refreshOn: [] }, '天'),
    optionVariable({ code: 'patient.realName', name: '已实名', source: '实名信息', refreshOn: realName }, yesOrNo),
    optionVariable(
      { code: 'patient.marketingConsent', name: '同意营销触达', source: '授权记录', refreshOn: ['patient.consent.changed'] },
      yesOrNo,
    ),
    numberVariable({ code: 'patient.purchaseCount', name: '累计购药次数', source: '购药订单', refreshOn: record }, '次'),
    numberVariable({ code: 'patient.daysSincePurchase', name: '距上次购药天数', source: '购药订单', refreshOn: record }, '天'),
  ],
  async facts(db, ids, codes, now) {
    const known = await factsFor(
      db,
      ids,
      codes.filter((code) => factCodes.includes(code)),
      dayOf(now),
    );
    return [
      ...known.map(({ patientId, code, value, at }) => ({ id: patientId, code, value, at })),
      ...(await readOwn(db, ids, codes, now)),
    ];
  },
};
