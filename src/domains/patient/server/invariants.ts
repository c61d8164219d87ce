import { sql, type RawBuilder } from 'kysely';
import { dayOf } from '#kernel/contract/time.ts';
import { job } from '#kernel/server/jobs/declaration.ts';
import { birthOfIdNumber, genderOfIdNumber } from '../contract/idNumber.ts';
import { patientPermissions } from '../contract/permissions.ts';

const CHUNK = 2_000;

/** What must never be found, as the number of rows that break it (I1 to I7). */
const checks: Readonly<Record<string, RawBuilder<{ n: number }>>> = {
  同一证件多人实名: sql`
    select count(*)::int as n
      from (
        select 1
          from patient_patient
          where real_name_state = 'VERIFIED' and state in ('ACTIVE', 'FROZEN')
          group by id_type, id_no_hash
          having count(*) > 1
      ) x`,
  合并链过长: sql`
    select count(*)::int as n from patient_patient a join patient_patient b on b.id = a.merged_into_id where b.merged_into_id is not null`,
  账号缺少默认就诊人: sql`
    select count(*)::int as n
      from (
        select operator_id
          from patient_account_person
          where removed_at is null
          group by operator_id
          having count(*) filter (where is_default) <> 1
      ) x`,
  实名缺少一致的核验: sql`select count(*)::int as n from patient_patient p where p.real_name_state = 'VERIFIED' and p.state <> 'CANCELLED'
    and not exists (
      select from patient_real_name_check c
        where c.id = p.real_name_check_id and c.result = 'PASS' and c.name = p.name and c.id_no_hash = p.id_no_hash
    )`,
  授权状态与记录不符: sql`select count(*)::int as n from patient_consent_state s where s.state in ('VALID', 'WITHDRAWN')
    and (
      select c.act
        from patient_consent c
        where c.patient_id = s.patient_id and c.consent_type = s.consent_type
        order by c.at desc, c.id desc limit 1
    ) is distinct from case s.state when 'VALID' then 'GRANT' else 'WITHDRAW' end`,
  紧急查看缺少查看记录: sql`
    select count(*)::int as n
      from patient_break_glass g
      where not exists (
        select from patient_record_access a
          where a.patient_id = g.patient_id and a.user_id = g.user_id and a.kind = 'BREAK_GLASS' and a.at = g.at
      )`,
  指标时间与检查不符: sql`
    select count(*)::int as n
      from patient_indicator v
      join patient_inspection i on i.id = v.inspection_id
      where v.inspection_time <> i.inspection_time`,
  已购药建议缺少订单: sql`
    select count(*)::int as n
      from patient_medicine_suggested s
      where s.status = '2' and exists (select from patient_record_order o where o.order_id = s.order_id and o.dead)`,
};

/** Looks every night for what must not be; whatever is found becomes an alert. */
export const checkInvariants = job({
  name: 'patient.checkInvariants',
  label: '患者数据核对',
  cron: '20 2 * * *',
  expireSeconds: 900,
  async run(_data, ctx) {
    const found: string[] = [];
    for (const [name, check] of Object.entries(checks)) {
      const { rows } = await check.execute(ctx.db);
      if (rows[0]!.n > 0) found.push(`${name}（${rows[0]!.n}条）`);
    }
    // I8 needs the plain number, so it is read in pieces.
    let after = '0';
    let wrong = 0;
    for (;;) {
      const { rows } = await sql<{ id: string; idNoCipher: string; birthDate: string | null; gender: number }>`
        select id, id_no_cipher, birth_date, gender
          from patient_patient
          where id > ${after} and id_type = 'ID' and id_no_cipher is not null
          order by id limit ${CHUNK}`.execute(ctx.db);
      if (rows.length === 0 || ctx.signal.aborted) break;
      for (const row of rows) {
        const idNo = ctx.kernel.secrets.decrypt(row.idNoCipher);
        if (row.birthDate !== birthOfIdNumber(idNo) || row.gender !== genderOfIdNumber(idNo)) wrong += 1;
      }
      after = rows.at(-1)!.id;
    }
    if (wrong > 0) found.push(`生日或性别与证件号不符（${wrong}条）`);
    if (found.length === 0) return;
    await ctx.transaction(({ tx }) =>
      ctx.kernel.ports.notices.addAlert(
        tx,
        {
          businessKey: `patient.invariants.${dayOf(ctx.now)}`,
          title: '患者数据核对发现异常',
          body: found.join('；'),
          permission: patientPermissions['access.view'].code,
        },
        ctx.now,
      ),
    );
  },
});
