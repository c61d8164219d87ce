import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { days, plusMs } from '#kernel/contract/time.ts';
import { startTestApp, type TestApp } from '#testing/testApp.ts';
import { drawBatch } from '#domains/doctor/server/cards/jobs.ts';
import { checks } from '../nightly/module.ts';
import { talkOf } from '../videos/talk.ts';
import { deskTalks } from './talk/phrases.ts';

/** All domains write theirs; on a busy machine that takes its time. */
const PATIENCE = 400_000;

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ demonstration: true });
}, PATIENCE);
afterAll(() => app.close());

const rowsOf = async <R>(query: string) => (await sql<R>`${sql.raw(query)}`.execute(app.db)).rows;
const counts = async (table: string, column: string) =>
  Object.fromEntries(
    (await rowsOf<{ key: string; n: number }>(`select ${column}::text as key, count(*)::int as n from ${table} group by 1`)).map(
      ({ key, n }) => [key, n],
    ),
  );
/** What the nightly look would see if it looked back for ever. */
const everything = () => ({ kernel: app.kernel, db: app.db, now: app.clock.now(), since: '2000-01-01T00:00:00.000Z' });
const number = async (query: string) => (await rowsOf<{ n: number }>(`select (${query})::int as n`))[0]!.n;

describe('what the demonstration of the chat holds', () => {
  it('groups in every place of the queue, inquiries in every state, each with its order', async () => {
    expect(await counts('consultation_medical_group', 'kind')).toEqual({ DOCTOR: 150, DESK: 30 });
    const places = await counts('consultation_medical_group', 'work_state');
    expect(places['QUEUED']).toBe(14);
    for (const state of ['SERVING', 'SNOOZED', 'DONE']) expect(places[state], state).toBeGreaterThanOrEqual(8);
    expect(await number(`select count(*) from consultation_medical_group where sla_due_at < '${app.clock.now()}'`)).toBe(6);
    const states = await counts('consultation_inquiry', 'server_status');
    for (const state of ['0', '1', '2', '3', '4', '5', '6', '7']) expect(states[state], `state ${state}`).toBeGreaterThanOrEqual(10);
    expect(await number('select count(*) from consultation_inquiry')).toBe(420);
    expect(await counts('consultation_inquiry', 'service_type')).toEqual({ TEXT: 270, VIDEO: 60, PHONE: 20, FOLLOW_UP: 50, REPORT: 20 });
    expect(await number('select count(*) from consultation_inquiry where extend_count > 0')).toBe(6);
    expect(await number(`select count(*) from kernel_audit_trail where machine = 'consultation.inquiry' and action = 'reopen'`)).toBe(6);
    expect(await number('select count(*) from consultation_inquiry where stars is not null')).toBe(90);
    expect(await number('select count(*) from consultation_inquiry where qc_score is not null')).toBe(30);
  });

  it('messages of every type and card, recalls with what was said, one long conversation', async () => {
    expect(await number('select count(*) from consultation_im_message')).toBe(14_000);
    expect(await number('select max(last_seq) from consultation_im_conversation')).toBe(3_000);
    expect(await number(`select count(*) from consultation_im_conversation where type = 'C2C'`)).toBe(10);
    expect(Object.keys(await counts('consultation_im_message', 'type'))).toEqual(
      expect.arrayContaining([
        'TIMTextElem',
        'TIMImageElem',
        'TIMSoundElem',
        'TIMVideoFileElem',
        'TIMFileElem',
        'TIMCustomElem',
        'TIMGroupTipElem',
      ]),
    );
    const cards = await rowsOf<{ card: string }>(
      `select distinct payload->>'data' as card from consultation_im_message where type = 'TIMCustomElem' and revoked_at is null`,
    );
    expect([...new Set(cards.map(({ card }) => String(JSON.parse(card).businessID)))].toSorted()).toEqual([
      'doctor_card',
      'follow_up',
      'inquiry_status',
      'inspection_request',
      'inspection_result',
      'medicine_suggestion',
      'order_card',
      'video_call',
      'visit_summary',
    ]);
    expect(await number('select count(*) from consultation_im_message where revoked_at is not null')).toBe(60);
    expect(await number('select count(*) from consultation_im_message_original')).toBe(60);
  });

  it('rooms and records in every state, notes and words', async () => {
    expect(Object.keys(await counts('consultation_video_room', 'state')).toSorted()).toEqual([
      'CALLING',
      'CANCELLED',
      'ENDED',
      'FAILED',
      'IN_CALL',
      'MISSED',
      'REJECTED',
    ]);
    expect(await number('select count(*) from consultation_video_room')).toBe(60);
    expect(Object.keys(await counts('consultation_visit_record', 'state')).toSorted()).toEqual([
      'ARCHIVED',
      'CONFIRMED',
      'DRAFT',
      'SUPERSEDED',
      'WAIT_DOCTOR',
    ]);
    expect(await number('select count(*) from consultation_visit_record where record_version = 1')).toBe(240);
    // The job that archives finds nothing to do but what was corrected.
    expect(
      await number(
        `
          select count(*)
            from consultation_visit_record
            where state = 'CONFIRMED'
              and record_version = 1
              and confirmed_at <= '${plusMs(app.clock.now(), -days(7))}'
              and not exists (
                select from consultation_visit_record v where v.inquiry_id = consultation_visit_record.inquiry_id and v.record_version = 2
              )`,
      ),
    ).toBe(0);
    expect(
      await number(
        `
          select count(*)
            from consultation_visit_record
            where state = 'ARCHIVED' and (archived_file_id is null or sha256 is null or archived_at < confirmed_at)`,
      ),
    ).toBe(0);
    expect(await number(`select count(*) from consultation_visit_record where state = 'ARCHIVED'`)).toBeGreaterThan(100);
    expect(await number('select count(*) from consultation_visit_record where record_version = 2')).toBe(9);
    expect(await number('select count(*) from consultation_canned_reply')).toBe(80);
    expect(await number('select count(*) from consultation_group_note')).toBe(40);
    expect(await number('select count(*) from consultation_risk_word')).toBe(25);
    expect(await number('select count(*) from consultation_guidance_desk')).toBe(3);
  });

  it('has the stories', async () => {
    const story = (patient: string) =>
      rowsOf<Record<string, unknown>>(
        `
          select doctor_name, server_status, fee_fen, round_used, stars, refund_state, source, video_sec_used
            from consultation_inquiry
            where patient_id = ${patient}
            order by id desc`,
      );
    expect(await story('10016')).toContainEqual(
      expect.objectContaining({ serverStatus: '4', feeFen: '19900', roundUsed: 5, stars: 5, doctorName: '陈立' }),
    );
    expect(await story('10017')).toContainEqual(expect.objectContaining({ serverStatus: '2', source: 'DESK', doctorName: '周敏' }));
    expect(await story('10018')).toContainEqual(expect.objectContaining({ serverStatus: '7', feeFen: '19900', refundState: 'DONE' }));
    expect(await story('10019')).toContainEqual(expect.objectContaining({ serverStatus: '2', videoSecUsed: 300 }));
    expect(await number(`select count(*) from consultation_im_user where risk_mute_until is not null`)).toBe(1);
    const [routed] = await rowsOf<Record<string, unknown>>(
      `select work_state, routed_group_id from consultation_medical_group where patient_id = 10017 and kind = 'DESK'`,
    );
    expect(routed).toMatchObject({ workState: 'DONE', routedGroupId: expect.stringMatching(/^YH/) });
  });

  it('王秀英 was accepted in six minutes, suggested her medicine by 陈立 during the consultation, and bought it', async () => {
    const [told] = await rowsOf<Record<string, unknown>>(`
      select extract(epoch from i.accepted_at - i.paid_at)::int as seconds, s.doctor_name, s.doctor_id = i.doctor_id as his,
          s.group_id = i.group_id as here, s.prescription_time between i.first_doctor_reply_at and i.ended_at as meanwhile, s.status,
          o.order_time > s.prescription_time as then_bought,
          (select state from consultation_visit_record r where r.inquiry_id = i.id and r.current) as record
        from consultation_inquiry i
        join patient_medicine_suggested s on s.server_id = i.id
        join patient_record_order o on o.suggest_no = s.suggest_no
        where i.patient_id = 10016 and i.stars = 5`);
    expect(told).toEqual({
      seconds: 360,
      doctorName: '陈立',
      his: true,
      here: true,
      meanwhile: true,
      status: '2',
      thenBought: true,
      record: 'ARCHIVED',
    });
  });

  it('刘志远 wrote at night, was taken at 08:31, bought in the morning', async () => {
    const said = await rowsOf<{ time: string; mine: boolean }>(`
      select to_char(m.sent_at at time zone 'Asia/Shanghai', 'HH24:MI') as time, m.sender_id = 'P' || g.sufferer_operator_id as mine
        from consultation_medical_group g
        join consultation_im_message m on m.conv_id = g.conv_id
        where g.patient_id = 10017 and g.kind = 'DESK' and m.sender_id <> 'SYSTEM'
        order by m.seq`);
    expect(said.map(({ time, mine }) => (mine ? `P ${time}` : time))).toEqual(['P 23:18', '08:31', 'P 08:33', '08:35']);
    expect(
      await rowsOf(
        `
          select to_char(b.at at time zone 'Asia/Shanghai', 'HH24:MI') as at
            from consultation_group_board b
            join consultation_medical_group g using (group_id)
            where g.patient_id = 10017 and b.action = 'TAKEN'`,
      ),
    ).toEqual([{ at: '08:31' }]);
  });

  it('what cards in the chat point to was there, and is of who wrote', async () => {
    const cards = await rowsOf<{ data: string; at: string; doctorId: string | null; doctorName: string | null }>(`
      select m.payload->>'data' as data, m.sent_at as at, d.id as doctor_id, d.name as doctor_name
        from consultation_im_message m
        join consultation_medical_group g on g.conv_id = m.conv_id
        left join doctor_doctor d on d.id = g.doctor_id
        where m.type = 'TIMCustomElem' and m.revoked_at is null`);
    const suggestions = new Map(
      (
        await rowsOf<{ suggestNo: string; doctorId: string; status: string; at: string }>(
          'select suggest_no, doctor_id, status, prescription_time as at from patient_medicine_suggested',
        )
      ).map((row) => [row.suggestNo, row]),
    );
    const inspections = new Map(
      (
        await rowsOf<{ id: string; at: string; n: number }>(
          `
            select i.id, i.inspection_time as at,
                (select count(*)::int from patient_indicator v where v.inspection_id = i.id and v.flag <> 'N') as n
              from patient_inspection i`,
        )
      ).map((row) => [row.id, row]),
    );
    let seen = 0;
    for (const { data, at, doctorId, doctorName } of cards) {
      const card = JSON.parse(data) as {
        businessID: string;
        suggestNo: string;
        status: number;
        doctorName: string;
        inspectionId: string;
        abnormalCount: number;
      };
      if (card.businessID === 'medicine_suggestion')
        expect({ ...suggestions.get(card.suggestNo), name: card.doctorName }).toEqual({
          suggestNo: card.suggestNo,
          doctorId,
          status: String(card.status),
          at,
          name: doctorName,
        });
      else if (card.businessID === 'inspection_result') {
        expect(inspections.get(card.inspectionId)).toMatchObject({ n: card.abnormalCount });
        expect(inspections.get(card.inspectionId)!.at < at).toBe(true);
      } else continue;
      seen += 1;
    }
    expect(seen).toBeGreaterThan(40);
  });

  it('at the desks everybody answers after what he was asked', async () => {
    const talks = await rowsOf<{ words: string[] }>(`
      select jsonb_agg(m.payload->>'text' order by m.seq) as words
        from consultation_medical_group g
        join consultation_im_message m on m.conv_id = g.conv_id
        where g.kind = 'DESK' and g.work_state <> 'QUEUED' and m.sender_id <> 'SYSTEM' and m.type = 'TIMTextElem' and m.revoked_at is null
        group by g.group_id`);
    for (const { words } of talks) {
      const script = deskTalks.map((lines) => lines.map(([, text]) => text)).find((lines) => lines.includes(words[0]!));
      if (script) expect(words.filter((text) => script.includes(text))).toEqual(script.filter((text) => words.includes(text)));
    }
    expect(talks.length).toBe(22);
  });

  it('days ago people bought by day, and nobody asks the same thing twice in a row', async () => {
    expect(
      await number(
        `
          select count(*)
            from doctor_consult_order
            where created_at < '${app.clock.now()}'::timestamptz - interval '3 days'
              and (created_at at time zone 'Asia/Shanghai')::time not between '08:30' and '15:30'`,
      ),
    ).toBe(0);
    // Within one inquiry, of all that a patient and his assistant settle beside the doctor.
    expect(
      await number(`
        select count(*)
          from (
            select m.payload->>'text' as text, lag(m.payload->>'text') over (partition by i.id order by m.seq) as before
              from consultation_inquiry i
              join consultation_medical_group g on g.group_id = i.group_id
              join consultation_im_message m on m.conv_id = g.conv_id and m.seq between i.start_seq and i.end_seq
              where i.server_status = '4'
                and i.service_type <> 'FOLLOW_UP'
                and m.type = 'TIMTextElem'
                and m.revoked_at is null
                and m.sender_id = 'P' || g.sufferer_operator_id
          ) x
          where x.text = x.before`),
    ).toBe(0);
  });

  it('24 patients and 6 doctors are played', async () => {
    expect(
      await rowsOf(
        `
          select count(distinct sufferer_operator_id)::int as patients, count(distinct doctor_operator_id)::int as doctors
            from consultation_medical_group
            where demo_bot`,
      ),
    ).toEqual([{ patients: 24, doctors: 6 }]);
  });
});

describe('the rules', () => {
  it.each(checks)('hold: $name', async ({ broken }) => {
    expect(await broken(everything())).toBe(0);
  });

  it('of talk: seconds are those of who was there', async () => {
    const rooms = await rowsOf<{ talkSec: number; doctorPatientSec: number; stays: { id: string; from: string; to: string }[] }>(`
      select r.talk_sec, r.doctor_patient_sec,
          jsonb_agg(jsonb_build_object('id', p.im_user_id, 'from', p.joined_at, 'to', p.left_at)) as stays
        from consultation_video_room r
        join consultation_video_participant p on p.room_id = r.room_id
        where r.ended_at is not null
        group by r.room_id`);
    for (const { talkSec, doctorPatientSec, stays } of rooms)
      expect({ talkSec, doctorPatientSec }).toEqual(
        talkOf(stays.map(({ id, from, to }) => ({ imUserId: id, from: Date.parse(from), to: Date.parse(to) }))),
      );
  });

  it(
    'still hold when the other domains have heard of everything',
    async () => {
      // What is not about the chat is heard in the test of all demonstrations together.
      await sql`
        delete from kernel_outbox_delivery d using kernel_outbox o
          where o.id = d.outbox_id and o.name not like 'consultation.%' and o.name not like 'doctor.assistant%'`.execute(app.db);
      await sql`delete from pgboss.job where name = ${drawBatch.name} and state = 'created'`.execute(app.db);
      await app.runDue();
      for (const { name, broken } of checks) expect(await broken(everything()), name).toBe(0);
      expect(await number(`select count(*) from kernel_outbox_delivery where state <> 'DONE'`)).toBe(0);
      expect(await number('select count(*) from patient_care_group')).toBe(180);
      expect(
        await number(
          `
            select count(*)
              from consultation_inquiry i
              join doctor_consult_order o on o.id = i.order_id
              where o.inquiry_id is distinct from i.id`,
        ),
      ).toBe(0);
      expect(
        await number(
          `
            select count(*)
              from doctor_assistant a
              where a.active_count <> (select count(*) from doctor_assistant_load l where l.assistant_id = a.id and l.open)`,
        ),
      ).toBe(0);
    },
    PATIENCE,
  );
});
