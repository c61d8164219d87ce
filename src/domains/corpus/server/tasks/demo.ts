import { sql } from 'kysely';
import { dayOf, days, hours, minutes, plusMs, type Instant } from '#kernel/contract/time.ts';
import type { Tx } from '#kernel/server/context.ts';
import { bulk, reserve, seeded, type Random } from '#kernel/server/demo/bulk.ts';
import type { DemoContext } from '#kernel/server/module.ts';
import { staffUsersOf } from '#domains/doctor/server/index.ts';
import { searchMedicines } from '#domains/pharma/server/index.ts';
import type { Attempt } from '../../contract/tasks/calls.ts';
import { AE_DUE_MS, type TaskLevel, type TaskResult, type TaskSource, type TaskType } from '../../contract/tasks/states.ts';

const ALL = 160;
const OVERDUE = 12;
const REACTIONS = 4;

/** What a task of each type is about. */
const subjects: Readonly<Record<TaskType, readonly string[]>> = {
  CALL: ['第14天电话随访：询问用药依从性与不适', '出院后第7天电话随访', '复诊前提醒并确认到诊时间'],
  FORM: ['问卷发出3天未填写，请电话催填', '生活质量量表未完成，请协助填写'],
  REPLY: ['患者回复30分钟内无人处理：“最近有点头晕，药还要继续吃吗”', '患者回复30分钟内无人处理：“复查报告出来了，帮我看看”'],
  ALERT: ['空腹血糖：16.2', '收缩压：182', '疼痛评分：8'],
  AE: ['皮疹分级：3级', '腹泻次数：每日7次以上'],
  SEND_FAIL: ['消息4次发送失败：消息未能保存，请重试'],
};

interface Basis {
  sourceType: TaskSource;
  sourceId: string | null;
  taskType: TaskType;
  diseaseId: string | null;
  sceneId: string | null;
  runId: string | null;
  doctorId: string | null;
  patientId: string;
  conversationId: string | null;
  groupId: string | null;
  assistantOperatorId: string | null;
}

/** Sources of each type, each named once: failed touches, touches that ask for a form, runs, and alerting answers. */
async function sourcesOf(tx: Tx): Promise<Basis[]> {
  const { rows } = await sql<Basis>`
    with run as (select * from corpus_follow_run order by id),
    picked as (
      (
        select 'SEND' as source_type, f.id as source_id, 'SEND_FAIL' as task_type, f.run_id, f.patient_id
          from corpus_follow_send f
          where f.state = 'FAILED'
          order by f.id limit 14
      )
      union all (
        select 'SEND', f.id, 'FORM', f.run_id, f.patient_id
          from corpus_follow_send f
          where f.state = 'SENT' and f.replied_at is null
          order by f.id limit 26
      )
      union all (
        select 'RUN', r.id, 'REPLY', r.id, r.patient_id
          from run r
          where r.state = 'PAUSED' and r.pause_reason = 'PATIENT_REPLY'
          order by r.id limit 50
      )
      union all (select 'RUN', r.id, 'CALL', r.id, r.patient_id from run r order by r.id desc limit ${ALL})
      union all (
        select 'ANSWER', a.id, 'AE', null, a.patient_id
          from corpus_questionnaire_answer a
          where jsonb_array_length(a.alerts) > 0
          order by a.id limit ${REACTIONS}
      )
      union all (
        select 'ANSWER', a.id, 'ALERT', null, a.patient_id
          from corpus_questionnaire_answer a
          where jsonb_array_length(a.alerts) > 0
          order by a.id desc limit 14
      ))
    select p.source_type, p.source_id, p.task_type, r.disease_id, r.scene_id, r.id as run_id, r.doctor_id, p.patient_id, r.conversation_id,
      r.group_id, r.assistant_operator_id
      from picked p left join corpus_follow_run r on r.id = p.run_id
     order by (p.task_type = 'CALL'), p.task_type, p.source_id limit ${ALL}`.execute(tx);
  return rows;
}

const levelOf = (type: TaskType, random: Random): TaskLevel =>
  type === 'AE' || type === 'ALERT' || type === 'REPLY' ? 'HIGH' : random.next() < 0.3 ? 'LOW' : 'MID';

interface Fate {
  state: 'TODO' | 'DOING' | 'DONE' | 'CLOSED';
  createdAt: Instant;
  dueAt: Instant;
  endedAt: Instant | null;
  result: TaskResult | null;
  attempts: Attempt[];
}

const miss = (at: Instant): Attempt => ({ at, result: 'NO_ANSWER', note: '无人接听' });

/** A patient who wrote this morning paused his run; whoever was told of it had an hour. */
const REPLIED_MS = minutes(90);

/** How long before now a task was made, and how long after it would be late. */
function spanOf(type: TaskType, isOpen: boolean, now: Instant, random: Random): { createdAt: Instant; dueAt: Instant } {
  if (type === 'REPLY')
    return { createdAt: plusMs(now, -REPLIED_MS), dueAt: plusMs(now, isOpen ? minutes(random.int(40, 200)) : -minutes(90)) };
  const createdAt = plusMs(now, isOpen ? -hours(type === 'AE' ? random.int(1, 6) : random.int(26, 60)) : -days(random.int(3, 40)));
  if (type === 'AE') return { createdAt, dueAt: plusMs(createdAt, AE_DUE_MS) };
  return { createdAt, dueAt: isOpen ? plusMs(now, minutes(random.int(40, 2600))) : plusMs(createdAt, hours(random.int(8, 48))) };
}

/** How far a task has come: of each five two are open, one of them waits; the first `OVERDUE` that wait are late. */
function fateOf(n: number, type: TaskType, now: Instant, random: Random): Fate {
  const slot = n % 5;
  const isOpen = type === 'AE' ? n % 2 === 0 : slot < 2;
  const { createdAt, dueAt } = spanOf(type, isOpen, now, random);
  if (isOpen) {
    const late = type !== 'AE' && slot === 0 && n < (OVERDUE + 1) * 5;
    const state = slot === 1 ? 'DOING' : 'TODO';
    const missed = state === 'DOING' && n % 3 === 0;
    return {
      state,
      createdAt,
      dueAt: late ? plusMs(now, -minutes(random.int(20, 85))) : dueAt,
      endedAt: null,
      result: missed ? 'NO_ANSWER' : null,
      attempts: missed ? [miss(plusMs(now, -hours(2)))] : [],
    };
  }
  if (type === 'CALL' && slot === 4 && n % 2 === 0) {
    const attempts = [1, 2, 3].map((day) => miss(plusMs(createdAt, hours(day * 6))));
    return { state: 'CLOSED', createdAt, dueAt, endedAt: attempts[2]!.at, result: 'LOST', attempts };
  }
  const endedAt = plusMs(createdAt, type === 'REPLY' ? minutes(random.int(5, 140)) : hours(random.int(1, 20)));
  const result: TaskResult = type === 'CALL' ? (random.next() < 0.1 ? 'REFUSED' : 'CONNECTED') : 'RESOLVED';
  return { state: 'DONE', createdAt, dueAt, endedAt, result, attempts: [{ at: endedAt, result, note: '已与患者本人沟通' }] };
}

/** Tasks of every type and state, each with its source; a dozen are overdue. */
export async function writeTaskDemo({ transaction, now }: DemoContext): Promise<void> {
  await transaction(async ({ tx }) => {
    const sources = await sourcesOf(tx);
    const { rows: operations } = await sql<{ id: string }>`
      select distinct u.id
        from identity_staff_user u
        join identity_user_role ur on ur.user_id = u.id
        join identity_role r on r.id = ur.role_id
        where r.role_code in ('CORPUS_OPS', 'ASSISTANT_LEAD')
        order by u.id`.execute(tx);
    if (sources.length === 0 || operations.length === 0) return;
    const users = await staffUsersOf(
      tx,
      sources.flatMap(({ assistantOperatorId }) => (assistantOperatorId === null ? [] : [assistantOperatorId])),
    );
    const [medicine] = await searchMedicines(tx, '', 1);
    const random = seeded(20_261_124);
    const ids = await reserve(tx, 'corpus_follow_task', sources.length);
    const rows = sources.map(({ assistantOperatorId, ...source }, n) => {
      const type = source.taskType === 'AE' && !medicine ? 'ALERT' : source.taskType;
      const fate = fateOf(n, type, now, random);
      const helper = (assistantOperatorId === null ? undefined : users.get(assistantOperatorId)) ?? operations[n % operations.length]!.id;
      return {
        id: ids[n],
        ...source,
        taskType: type,
        level: levelOf(type, random),
        subject: random.pick(subjects[type]),
        dueAt: fate.dueAt,
        assigneeId: fate.state === 'TODO' ? null : helper,
        state: fate.state,
        attempts: fate.attempts,
        result: fate.result,
        note: fate.attempts.at(-1)?.note ?? '',
        nextFollowAt: fate.state === 'DOING' && fate.attempts.length > 0 ? fate.dueAt : null,
        aeReport:
          type === 'AE' && fate.state === 'DONE' && medicine
            ? {
                medicineId: medicine.medicineId,
                medicineName: medicine.genericName,
                symptom: '3级皮疹',
                onsetOn: dayOf(fate.createdAt),
                seriousness: 'GENERAL',
                outcome: '减量后好转',
              }
            : null,
        endedAt: fate.endedAt,
        version: 1,
        createdAt: fate.createdAt,
        createdBy: null,
        updatedAt: fate.endedAt ?? fate.createdAt,
        updatedBy: fate.state === 'TODO' ? null : helper,
      };
    });
    await bulk(tx, 'corpus_follow_task', rows);
    // Who was called about a questionnaire answered it by phone.
    await sql`
      update corpus_questionnaire_answer a
        set task_id = t.id, filled_by = t.assignee_id, submitted_at = t.ended_at, seconds = 0
        from (
          select distinct on (x.id) x.id, t.id as task_id
            from corpus_follow_task t
            join corpus_questionnaire_answer x on x.patient_id = t.patient_id
            where t.task_type = 'FORM' and t.state = 'DONE'
            order by x.id, t.id
        ) m
        join corpus_follow_task t on t.id = m.task_id
        where a.id = m.id and a.id in (select max(x.id) from corpus_questionnaire_answer x group by x.patient_id)`.execute(tx);
  });
}
