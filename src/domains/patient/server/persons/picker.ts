import { sql } from 'kysely';
import { refuse } from '#kernel/contract/errors.ts';
import type { Db } from '#kernel/server/context.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { query } from '#kernel/server/handler.ts';
import { queryPatientPicker, type PickerRow } from '../../contract/calls/sufferer.ts';
import { patientErrors } from '../../contract/errors.ts';
import { MOBILE } from '#kernel/contract/plainText.ts';
import { hasIdForm } from '../../contract/idNumber.ts';
import { idTypes } from '../../contract/dictionaries.ts';
import { seesPatient, type Seer } from '../access.ts';
import { idNoHash, mobileHash } from '../sensitive.ts';
import { briefJson, briefOf, type BriefRow } from './brief.ts';

const MOST = 20;

const byMobile = (hash: string) =>
  sql`
    a.mobile_hash = ${hash}
    or a.id in (
      select ap.patient_id
        from patient_account_person ap
        join patient_account ac on ac.operator_id = ap.operator_id
        where ac.mobile_hash = ${hash} and ap.removed_at is null
    )`;

/** What an input is meant to be; null when it is only part of a personal number. */
function meaningOf(kernel: Kernel, input: { keyword: string; birthDate?: string | undefined; mobileTail?: string | undefined }) {
  const keyword = input.keyword.trim();
  const upper = keyword.toUpperCase();
  if (/^PT\d{8}$/.test(upper)) return { matched: 'PATIENT_NO' as const, where: sql`a.patient_no = ${upper}` };
  if (MOBILE.test(keyword)) return { matched: 'MOBILE' as const, where: byMobile(mobileHash(kernel.secrets, keyword)) };
  // The beginning of a mobile number is no number of another kind.
  if (/^1[3-9]\d{0,8}$/.test(keyword)) return null;
  if (/\d/.test(keyword) && idTypes.codes.some((type) => hasIdForm(type, upper)))
    return { matched: 'ID_NO' as const, where: sql`a.id_no_hash = ${idNoHash(kernel.secrets, upper)}` };
  if (/\d/.test(keyword)) return null;
  const name = sql`a.name = ${keyword}`;
  if (input.birthDate) return { matched: 'NAME_BIRTH' as const, where: sql`${name} and a.birth_date = ${input.birthDate}` };
  if (input.mobileTail) return { matched: 'NAME' as const, where: sql`${name} and a.mobile_masked like ${`%${input.mobileTail}`}` };
  return { matched: 'NAME' as const, where: name };
}

/** Finds persons by what identifies one completely; never by a beginning (R9). */
async function findPersons(
  db: Db,
  kernel: Kernel,
  seer: Seer,
  input: { keyword: string; birthDate?: string | undefined; mobileTail?: string | undefined },
  now: string,
  today: string,
): Promise<PickerRow[]> {
  const meaning = meaningOf(kernel, input);
  if (!meaning) throw refuse(patientErrors.KEYWORD);
  const { rows } = await sql<{ person: BriefRow }>`
    select distinct on (p.id) ${briefJson('p')} as person
      from patient_patient a
      join patient_patient p on p.id = coalesce(a.merged_into_id, a.id)
      where (${meaning.where}) and p.state <> 'CANCELLED' and ${seesPatient(seer, now)}
      order by p.id limit ${MOST + 1}`.execute(db);
  if (rows.length > MOST) throw refuse(patientErrors.KEYWORD);
  return rows.map(({ person }) => ({ ...briefOf(person, today), matched: meaning.matched }));
}

export const picker = (kernel: Kernel) =>
  query(queryPatientPicker, (input, ctx) => findPersons(ctx.db, kernel, ctx.staff, input, ctx.now, ctx.today));
