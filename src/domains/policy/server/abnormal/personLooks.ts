import { sql } from 'kysely';
import { birthOfIdNumber, genderOfIdNumber, isIdNumber } from '#domains/patient/contract/idNumber.ts';
import type { CheckCode } from '../../contract/abnormal/checks.ts';
import { genders } from '../../contract/dictionaries.ts';
import { coveredOn, ofPerson, rows, type Found, type Look, type Looking } from './look.ts';

interface Carded extends Found {
  idNoCipher: string;
  gender: 'M' | 'F';
  birthDate: string;
}
/** Persons of one statement; their certificates are kept encrypted. */
const AT_ONCE = 5_000;

/** Covered persons with an identity card, judged one by one. */
const ofCards =
  (judge: (idNo: string, person: Carded) => Pick<Found, 'expected' | 'actual'> | null): Look =>
  async ({ db, secrets, today }: Looking) => {
    const found: Found[] = [];
    for (let after = '0'; ;) {
      const { rows: persons } = await sql<Carded>`
        select ${ofPerson}, '' as fingerprint, '' as expected, '' as actual, i.id_no_cipher, i.gender, i.birth_date
        from policy_insured_item i join policy_policy p on p.id = i.policy_id
        where i.id > ${after} and i.id_type = 'ID_CARD' and i.id_no_cipher is not null and ${coveredOn('i.id', sql`${today}`)}
        order by i.id limit ${AT_ONCE}`.execute(db);
      for (const person of persons) {
        const wrong = judge(secrets.decrypt(person.idNoCipher), person);
        const { idNoCipher: _cipher, gender: _gender, birthDate: _birth, ...named } = person;
        if (wrong) found.push({ ...named, ...wrong });
      }
      const last = persons.at(-1);
      if (!last || persons.length < AT_ONCE) return found;
      after = last.subjectId;
    }
  };

export const personLooks = {
  AB08: ofCards((idNo) => (isIdNumber(idNo) ? null : { expected: '校验位正确', actual: '身份证号校验位不正确' })),
  AB09: ofCards((idNo, { birthDate, gender }) => {
    if (!isIdNumber(idNo)) return null;
    const birth = birthOfIdNumber(idNo);
    const genderInNumber = genderOfIdNumber(idNo) === 1 ? 'M' : 'F';
    if (birth === birthDate && genderInNumber === gender) return null;
    const text = (day: string | null, code: 'M' | 'F') => `${day ?? '无出生日期'} ${genders.label(code)}`;
    return { expected: `证件为${text(birth, genderInNumber)}`, actual: `登记为${text(birthDate, gender)}` };
  }),
  AB10: rows(
    ({ today }) => sql<Found>`
    with live as (select i.id, i.id_no_hash, i.name from policy_insured_item i
      where i.id_no_hash is not null and ${coveredOn('i.id', sql`${today}`)}),
    named as (select l.id, l.name, first_value(l.name) over (partition by l.id_no_hash order by l.id) as first_name from live l)
    select ${ofPerson}, '' as fingerprint, '与同证件的' || n.first_name || '同名' as expected, n.name as actual
    from named n join policy_insured_item i on i.id = n.id join policy_policy p on p.id = i.policy_id where n.name <> n.first_name`,
  ),
  AB17: rows(
    ({ today }) => sql<Found>`
    select ${ofPerson}, '' as fingerprint, '有手机号或已关联用户' as expected, '无手机号，未关联用户' as actual
    from policy_insured_item i join policy_policy p on p.id = i.policy_id
    where i.mobile_hash is null and i.patient_id is null and ${coveredOn('i.id', sql`${today}`)}`,
  ),
  AB18: rows(
    ({ today }) => sql<Found>`
    with shared as (select min(i.id) as id, count(distinct i.id_no_hash) as persons, min(i.mobile_masked) as mobile
      from policy_insured_item i where i.mobile_hash is not null and ${coveredOn('i.id', sql`${today}`)}
      group by i.mobile_hash
      having count(distinct coalesce(i.main_insured_item_id, i.id)) >= 5 and count(distinct i.id_no_hash) >= 5)
    select ${ofPerson}, '' as fingerprint, '不足5人共用' as expected, h.persons || '人共用' || coalesce(h.mobile, '') as actual
    from shared h join policy_insured_item i on i.id = h.id join policy_policy p on p.id = i.policy_id`,
  ),
} satisfies Partial<Record<CheckCode, Look>>;
