import { sql } from 'kysely';
import { objectType, factsBy, numberVariable, optionVariable, yesOrNo, type ObjectRules } from '#kernel/server/objectTypes.ts';
import { seesDoctor } from '../../access.ts';
import { titles } from '../../../contract/dictionaries.ts';

const changed = ['doctor.doctor.approved', 'doctor.doctor.changed'];
const source = '医生档案';

/** What mark rules may ask of a doctor. */
const doctorRules: ObjectRules = {
  variables: [
    optionVariable(
      { code: 'doctor.title', name: '职称', source, refreshOn: changed },
      titles.options.map(({ value, label }) => ({ value, label })),
    ),
    optionVariable({ code: 'doctor.practiceOk', name: '可执业', source, refreshOn: changed }, yesOrNo),
    numberVariable({ code: 'doctor.patientCount', name: '在管患者数', source: '医患关系', refreshOn: [] }, '人'),
    numberVariable({ code: 'doctor.servedCount', name: '累计服务人次', source: '咨询订单', refreshOn: [] }, '次'),
    numberVariable({ code: 'doctor.recordDays', name: '入驻天数', source, refreshOn: [] }, '天'),
  ],
  facts: factsBy({
    'doctor.title': (ids) =>
      sql`
        select id::text as id, title_code as value, updated_at as at
          from doctor_doctor
          where id = any(${[...ids]}::bigint[]) and title_code is not null`,
    'doctor.practiceOk': (ids) =>
      sql`
        select id::text as id, case when practice_ok then '1' else '0' end as value, updated_at as at
          from doctor_doctor
          where id = any(${[...ids]}::bigint[])`,
    'doctor.patientCount': (ids) =>
      sql`
        select d.id::text as id, count(p.id)::text as value, max(p.last_at) as at
          from doctor_doctor d
          left join doctor_patient p on p.doctor_id = d.id and p.state = 'FOLLOWING'
          where d.id = any(${[...ids]}::bigint[])
          group by d.id`,
    'doctor.servedCount': (ids) =>
      sql`select id::text as id, served_count::text as value, updated_at as at from doctor_doctor where id = any(${[...ids]}::bigint[])`,
    'doctor.recordDays': (ids, now) =>
      sql`
        select id::text as id,
            floor(extract(epoch from greatest(${now}::timestamptz - created_at, interval '0')) / 86400)::int::text as value,
            created_at as at
          from doctor_doctor
          where id = any(${[...ids]}::bigint[])`,
  }),
};

/** Doctors that carry marks. */
export const doctorObjects = objectType({
  code: 'DOCTOR',
  seen: (viewer) => sql`select d.id, d.doctor_no as no, d.name from doctor_doctor d where ${seesDoctor(viewer)}`,
  link: ({ id }) => ({ path: '/doctorManagement', search: { doctorId: id } }),
  rules: doctorRules,
  offeredFact: 'doctor.practiceOk',
});
