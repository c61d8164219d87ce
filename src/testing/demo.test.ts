import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findFaults } from '#domains/pharma/server/invariants.ts';
import { dayOf, days, hours, minutes } from '#kernel/contract/time.ts';
import { writeDemo } from '#kernel/server/start/demonstration.ts';
import { exportFaults, listFaults, regionReaders, unknownExceptions } from './regions.ts';
import { startTestApp, type TestApp } from './testApp.ts';

/** All domains write theirs; on a busy machine that takes its time. */
const PATIENCE = 400_000;
/** 05:30 in Shanghai: nobody is on duty. */
const NIGHT = '2026-11-20T21:30:00.000Z';
const TO_NIGHTLY = hours(21) + minutes(38);

let app: TestApp;
let overSla: number;
beforeAll(async () => {
  app = await startTestApp({ now: NIGHT });
  await writeDemo(app.kernel);
  overSla = await number(`select count(*) from consultation_medical_group where sla_due_at < '${app.clock.now()}'`);
  await app.runDue();
}, PATIENCE);
afterAll(() => app.close());

const number = async (query: string) => (await sql<{ n: number }>`select (${sql.raw(query)})::int as n`.execute(app.db)).rows[0]!.n;

describe('demonstration data of all domains together', () => {
  it.each([
    [
      'diseases with pharma',
      `
        select count(*)
          from corpus_disease d
          where not exists (select from pharma_disease_copy c where c.disease_id = d.id and c.disease_name = d.disease_name)`,
    ],
    [
      'scenes with channel',
      `
        select count(*)
          from corpus_scene s
          where not exists (select from channel_ref_copy c where c.kind = 'SCENE' and c.ref_id = s.id and c.name = s.name and c.usable)`,
    ],
    [
      'representatives with channel',
      `
        select count(*)
          from pharma_agent a
          where not exists (select from channel_ref_copy c where c.kind = 'AGENT' and c.ref_id = a.id and c.name = a.name)`,
    ],
    [
      'enabled hospitals with channel',
      `
        select count(*)
          from institution_hospital h
          where not exists (
            select from channel_ref_copy c where c.kind = 'HOSPITAL' and c.ref_id = h.id and c.usable = (h.state = 'ENABLED')
          )`,
    ],
    [
      'goods with institution',
      `
        select count(*)
          from pharma_sku s
          join pharma_medicine m on m.id = s.medicine_id
          where m.state in ('ON', 'OFF')
            and not exists (select from institution_goods_copy g where g.goods_code = s.goods_code and g.spec = s.pack_spec)`,
    ],
    [
      'goods of drugstores that nobody sells',
      `
        select count(*)
          from institution_store_goods g
          where not exists (select from pharma_sku s where s.goods_code = g.goods_code and s.medicine_id::text = g.medicine_id)`,
    ],
    [
      'scene codes with the doctors and scenes that they name',
      `
        select count(*)
          from channel_scene_code x
          join channel_qr_code q on q.id = x.code_id
          left join doctor_doctor d on d.id = x.doctor_id
          left join corpus_scene s on s.id = x.scene_id
          where q.name is distinct from left(s.name || '-' || d.name, 40)`,
    ],
    [
      'budgets that no order used',
      `
        select count(*)
          from channel_vip_usage u
          where not exists (
            select from doctor_consult_order o join doctor_doctor d on d.id = o.doctor_id where o.id = u.order_id and d.name = u.doctor_name
          )`,
    ],
    [
      'doctors of suggestions with doctor',
      `
        select count(*)
          from patient_medicine_suggested s
          where not exists (select from doctor_doctor d where d.id = s.doctor_id and d.name = s.doctor_name)`,
    ],
    [
      'channels of representatives with pharma',
      `
        select count(*)
          from channel_channel k
          where k.agent_id is not null
            and not exists (select from pharma_agent_channel c where c.channel_id = k.id and c.agent_id = k.agent_id)`,
    ],
    [
      'marks of doctors with doctor',
      `
        select count(*)
          from content_mark_binding b
          where b.object_type = 'DOCTOR'
            and b.ended_at is null
            and not exists (select from doctor_doctor d where d.id = b.object_id and b.mark_id = any(d.mark_ids))`,
    ],
    [
      'promotion tags with pharma',
      `
        select count(*)
          from content_promotion_tag p
          join content_mark m on m.id = p.mark_id
          where not exists (select from pharma_promotion_tag t where t.tag_id = m.id and t.name = m.mark_name and t.state = m.state)`,
    ],
    [
      'tags of medicines with pharma',
      `
        select count(*)
          from content_mark_binding b
          where b.object_type = 'MEDICINE'
            and b.ended_at is null
            and not exists (select from pharma_medicine_tag t where t.medicine_id = b.object_id and t.tag_id = b.mark_id)`,
    ],
  ])('leaves nothing without its copy: %s', async (_what, query) => {
    expect(await number(query)).toBe(0);
  });

  it.each([
    [
      'the doctors who made them',
      `
        select count(*)
          from patient_medicine_suggested s
          left join doctor_doctor d on d.id = s.doctor_id
          where d.name is distinct from s.doctor_name`,
    ],
    [
      'medicines of the catalogue',
      `
        select count(*)
          from patient_medicine_suggested s, jsonb_array_elements(s.medicines) t
          left join pharma_medicine m on m.id = (t->>'medicineId')::bigint
          where m.generic_name is distinct from t->>'medicineName'`,
    ],
    [
      'a package that is sold',
      `
        select count(*)
          from patient_medicine_suggested s, jsonb_array_elements(s.medicines) t
          where not exists (select from pharma_sku k where k.medicine_id = (t->>'medicineId')::bigint and k.pack_spec = t->>'spec')`,
    ],
  ])('suggestions name %s', async (_what, query) => {
    expect(await number(query)).toBe(0);
  });

  it.each([
    ['companies', 14, 'select count(*) from pharma_company'],
    [
      'product lines that end within sixty days',
      2,
      `select count(*) from pharma_product_line where state = 'ACTIVE' and end_date <= current_date + 60`,
    ],
    ['medicines', 180, 'select count(*) from pharma_medicine'],
    ['kinds of goods', 5, 'select count(distinct medicine_kind) from pharma_medicine'],
    ['dosage forms', 16, 'select count(distinct dosage_form) from pharma_medicine'],
    ['kinds of approvals', 5, 'select count(distinct approval_kind) from pharma_medicine'],
    ['medicines that are kept cold', 25, 'select count(*) from pharma_medicine where cold_chain'],
    ['controlled medicines', 6, `select count(*) from pharma_medicine where control_class <> 'NONE' and state = 'OFF'`],
    ['prices to come', 10, 'select count(*) from pharma_sku_price where effective_from > current_date'],
    ['prices that wait', 4, `select count(*) from pharma_medicine_apply where apply_type = 'PRICE' and state = 'PENDING'`],
    ['reimbursed medicines', 40, 'select count(distinct medicine_id) from pharma_reimburse'],
    ['categories', 120, 'select count(*) from pharma_category'],
    ['representatives', 95, 'select count(*) from pharma_agent'],
    ['representatives who left', 6, `select count(*) from pharma_agent where state = 'LEFT'`],
    ['states of hand-overs', 7, 'select count(distinct state) from pharma_agent_handover'],
    ['representatives with hospitals of their province', 33, `select count(*) from pharma_agent where hospital_ids <> '{}'`],
    [
      'doctors whom 周敏 left to colleagues',
      40,
      `
        select count(*)
          from pharma_agent_doctor d
          join pharma_agent a on a.id = d.agent_id
          where a.name = '周敏' and a.state = 'LEFT' and d.until is not null`,
    ],
    ['promotion tags', 18, 'select count(*) from content_promotion_tag'],
    [
      'medicines with promotion tags',
      120,
      `
        select count(distinct b.object_id)
          from content_mark_binding b
          join content_promotion_tag p on p.mark_id = b.mark_id
          where b.ended_at is null`,
    ],
    ['rules of marks', 12, 'select count(*) from content_mark_rule'],
    ['runs of rules', 90, 'select count(*) from content_mark_rule_run'],
    [
      'people whom the rule of 高复购 marked and kept: 412, next night 38 fewer, then a few',
      386,
      `
        select count(*)
          from content_mark_binding b
          join content_mark m on m.id = b.mark_id
          where m.mark_name = '高复购' and b.source = 'RULE' and b.ended_at is null`,
    ],
    ['runs of rules that were aborted or failed', 2, `select count(*) from content_mark_rule_run where state in ('ABORTED', 'FAILED')`],
    ['reactions', 12, 'select count(*) from pharma_adverse_report'],
    ['tasks', 160, 'select count(*) from corpus_follow_task'],
    ['campaigns', 14, `select count(*) from corpus_campaign`],
    ['greetings', 22, `select count(*) from corpus_auto_message where kind = 'WELCOME'`],
    ['notices', 12, `select count(*) from corpus_auto_message where kind = 'NOTICE'`],
    [
      'events that a notice in use answers',
      10,
      `select count(distinct trigger_type) from corpus_auto_message where kind = 'NOTICE' and state = 'ENABLED'`,
    ],
    ['kinds of tasks', 6, 'select count(distinct task_type) from corpus_follow_task'],
    [
      'tasks that were overdue when the day began',
      12,
      `select count(*) from corpus_follow_task where state in ('TODO', 'DOING') and due_at < '${NIGHT}'`,
    ],
    ['tasks about reactions', 4, `select count(*) from corpus_follow_task where task_type = 'AE'`],
    ['cities', 12, 'select count(distinct city_adcode) from institution_hospital'],
    ['campuses', 24, 'select count(*) from institution_hospital where parent_id is not null'],
    ['levels', 10, 'select count(distinct level) from institution_hospital'],
    ['finished merges', 4, `select count(*) from institution_hospital_merge where state in ('DONE', 'UNDONE')`],
    ['states of applications', 6, 'select count(distinct state) from institution_hospital_apply'],
    ['drugstores', 140, 'select count(*) from institution_drugstore'],
    ['DTP drugstores', 40, `select count(*) from institution_drugstore where 'DTP' = any(store_tags)`],
    ['dual-channel drugstores', 30, `select count(*) from institution_drugstore where 'DUAL' = any(store_tags)`],
    ['drugstores that bill directly', 35, `select count(*) from institution_drugstore where 'DIRECT' = any(store_tags)`],
    ['suspended drugstores', 6, `select count(*) from institution_drugstore where state = 'SUSPENDED'`],
  ])('shows as many %s as designed: %i', async (_what, many, query) => {
    expect(await number(query.replaceAll('current_date', `date '${dayOf(app.clock.now())}'`))).toBe(many);
  });

  it('somebody of one region sees of every list, and exports, what lies inside it and no more', { timeout: PATIENCE }, async () => {
    const readers = await regionReaders(app);
    const { faults, placed } = await listFaults(app, readers);
    expect([...faults, ...(await exportFaults(app, readers)), ...unknownExceptions(app)]).toEqual([]);
    expect(placed).toBeGreaterThan(20);
  });

  it('six groups wait too long, at night as by day', () => {
    expect(overSla).toBe(6);
  });

  it('breaks none of the nightly checks', async () => {
    // What falls due every minute runs at the end of each step: once shortly before the nightly look.
    await app.advance(TO_NIGHTLY);
    await app.advance(days(1) - TO_NIGHTLY);
    const { rows } = await sql<{
      title: string;
      body: string;
    }>`select title, body from identity_notice where title like '%核对发现%' or title like '%数据核对%'`.execute(app.db);
    expect(rows).toEqual([]);
    expect(await findFaults(app.db, dayOf(app.clock.now()))).toEqual([]);
  });
});
