import { sql } from 'kysely';
import type { Db } from '#kernel/server/context.ts';
import type { Secrets } from '#kernel/server/sensitive/secrets.ts';
import { listTargets, type ListTarget } from '../../../contract/batchDictionaries.ts';
import { layout } from '../../../contract/rules/template.ts';
import { isLive } from '../../cover/live.ts';
import type { RawCells } from '../../templates/readRow.ts';
import type { BatchRecord } from '../records.ts';

const TARGETS = [
  'name',
  'idType',
  'idNo',
  'gender',
  'birthDate',
  'mobile',
  'employeeNo',
  'department',
  'relation',
  'mainIdNo',
  'planCode',
  'effectiveOn',
  'hasSocial',
  'socialAdcode',
  'adcode',
  'preExisting',
] as const satisfies readonly ListTarget[];

/** How the list of a renewal is read: each field under its own name. */
export const renewalLayout = layout.parse({
  columns: TARGETS.map((target) => ({ target, headerAliases: [listTargets.label(target)], required: target === 'name' })),
});

interface Renewed {
  id: string;
  name: string;
  idType: string;
  idNoCipher: string | null;
  gender: string;
  birthDate: string;
  mobileCipher: string | null;
  employeeNo: string | null;
  department: string | null;
  relation: string;
  mainIdNoCipher: string | null;
  planCode: string;
  hasSocial: boolean;
  socialAdcode: string | null;
  adcode: string | null;
  preExistingIcd: string[];
}
const CHUNK = 1_000;

/**
 * Whoever was covered on the last day of the policy that is renewed, as it stood when the list was made: who begins again finds the
 * same.
 */
export async function* renewedRows(db: Db, secrets: Secrets, batch: BatchRecord): AsyncGenerator<{ rowNo: number; raw: RawCells }> {
  const open = (cipher: string | null) => (cipher === null ? '' : secrets.decrypt(cipher));
  let after = '0';
  let rowNo = 0;
  for (;;) {
    const { rows } = await sql<Renewed>`
      select i.id::text as id, i.name, i.id_type, i.id_no_cipher, i.gender, i.birth_date::text as birth_date, i.mobile_cipher,
          i.employee_no, i.department, i.relation, m.id_no_cipher as main_id_no_cipher, s.plan_code, i.has_social, i.social_adcode,
          i.adcode, i.pre_existing_icd
        from policy_insured_item i
        join policy_policy p on p.id = i.policy_id
        join policy_cover_slice s on s.insured_item_id = i.id and s.coverage_start <= p.coverage_end and s.coverage_end >= p.coverage_end
        left join policy_insured_item m on m.id = i.main_insured_item_id
        where i.policy_id = ${batch.renewsPolicyId} and i.id > ${after} and ${isLive('s', batch.createdAt)}
        order by i.id limit ${CHUNK}`.execute(db);
    const last = rows.at(-1);
    if (!last) return;
    after = last.id;
    for (const row of rows) {
      rowNo += 1;
      yield {
        rowNo,
        raw: {
          name: row.name,
          idType: row.idType,
          idNo: open(row.idNoCipher),
          gender: row.gender,
          birthDate: row.birthDate,
          mobile: open(row.mobileCipher),
          employeeNo: row.employeeNo ?? '',
          department: row.department ?? '',
          relation: row.relation,
          mainIdNo: open(row.mainIdNoCipher),
          planCode: row.planCode,
          effectiveOn: batch.defaultEffectiveOn ?? '',
          hasSocial: row.hasSocial ? '是' : '否',
          socialAdcode: row.socialAdcode ?? '',
          adcode: row.adcode ?? '',
          preExisting: row.preExistingIcd.join('、'),
        },
      };
    }
  }
}
