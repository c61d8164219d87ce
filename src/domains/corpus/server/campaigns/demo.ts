import { sql } from 'kysely';
import { bulk, reserve, seeded } from '#kernel/server/demo/bulk.ts';
import type { Tx } from '#kernel/server/context.ts';
import type { DemoContext } from '#kernel/server/module.ts';
import { dayOf, hours, minutes, plusDays, plusMs, startOfDay, type Instant } from '#kernel/contract/time.ts';
import { campaignErrors } from '../../contract/campaigns/errors.ts';
import { sendables } from '../engine/materials.ts';
import { audienceOf } from './audience.ts';
import { reviewersOf } from '../demo/people.ts';

type State = 'DRAFT' | 'AUDITING' | 'SCHEDULED' | 'DONE' | 'STOPPED';
type Kind = 'CARE' | 'EDUCATION' | 'MEDICATION' | 'PROMO' | 'SERVICE';

/** Name, place of its disease, kind of touch, state, days from today to its time. */
const stories: readonly (readonly [string, number, Kind, State, number])[] = [
  ['联合国糖尿病日科普', 0, 'EDUCATION', 'DONE', -9],
  ['高血压冬季用药提醒', 1, 'MEDICATION', 'DONE', -6],
  ['肺癌患者线上讲座邀请', 2, 'EDUCATION', 'DONE', -21],
  ['乳腺癌康复营报名', 3, 'CARE', 'DONE', -28],
  ['类风湿关节炎随访关怀', 6, 'CARE', 'DONE', -14],
  ['银屑病冬季护理要点', 7, 'EDUCATION', 'DONE', -3],
  ['双十一购药节通知', 1, 'PROMO', 'STOPPED', -12],
  ['门诊停诊通知（十月）', 0, 'SERVICE', 'STOPPED', -40],
  ['十二月义诊邀请', 8, 'SERVICE', 'SCHEDULED', 6],
  ['慢性肾脏病饮食指南', 9, 'EDUCATION', 'SCHEDULED', 3],
  ['世界慢阻肺日科普', 10, 'EDUCATION', 'AUDITING', 5],
  ['元旦前备药提醒', 1, 'MEDICATION', 'AUDITING', 30],
  ['流感疫苗接种提醒', 0, 'CARE', 'DRAFT', 8],
  ['年末患者满意度调查', 5, 'SERVICE', 'DRAFT', 35],
];
const PEOPLE_EACH = 18;

/** What a campaign sent: most of its people got it, some had been written to often enough. */
async function writeTouches(
  tx: Tx,
  sent: readonly { id: string; no: number; materialId: string; kind: Kind; sendAt: Instant }[],
): Promise<void> {
  const { rows: people } = await sql<{ patientId: string; conversationId: string; senderId: string | null }>`
    select distinct on (patient_id) patient_id, conversation_id, assistant_operator_id as sender_id
      from corpus_follow_run order by patient_id, id limit 400`.execute(tx);
  const materials = await sendables(tx, [...new Set(sent.map(({ materialId }) => materialId))]);
  const random = seeded(20_261_125);
  const touches = sent.flatMap(({ id, no, materialId, kind, sendAt }) =>
    people.slice((no * PEOPLE_EACH) % 200, ((no * PEOPLE_EACH) % 200) + PEOPLE_EACH).map(({ patientId, conversationId, senderId }) => {
      const dedupeKey = `FC:${id}:${patientId}`;
      const isSent = random.next() < 0.85;
      const sentAt = plusMs(sendAt, minutes(random.int(1, 20)));
      const readAt = isSent && random.next() < 0.7 ? plusMs(sentAt, minutes(random.int(2, 300))) : null;
      const material = materials.get(materialId);
      const rendered = material?.bubble({ sendId: 'demo', token: null, values: {} });
      return {
        dedupeKey,
        sourceKind: 'CAMPAIGN',
        sourceId: id,
        itemKey: `QF${id.padStart(8, '0')}`,
        occurrence: 0,
        materialIds: [materialId],
        patientId,
        target: 'AUTO',
        touchKind: kind,
        priority: 5,
        itemConditions: [],
        textValues: {},
        immediate: false,
        conversationId: isSent ? conversationId : null,
        senderId: isSent ? senderId : null,
        dueAt: sendAt,
        nextTryAt: sendAt,
        expiresAt: plusMs(sendAt, hours(24)),
        state: isSent ? 'SENT' : 'SKIPPED',
        reasonCode: isSent ? null : 'CAP',
        gateTrace: [],
        bubbles: isSent
          ? [
              {
                n: 1,
                materialId,
                materialVersionId: material?.versionId ?? '0',
                key: `${dedupeKey}#1`,
                type: rendered?.type ?? '',
                payload: rendered?.payload ?? {},
                seq: null,
              },
            ]
          : [],
        attempts: isSent ? 1 : 0,
        claimedAt: isSent ? sentAt : null,
        sentAt: isSent ? sentAt : null,
        readAt,
        repliedAt: readAt !== null && random.next() < 0.2 ? plusMs(readAt, minutes(random.int(1, 60))) : null,
        version: 2,
        createdAt: sendAt,
        updatedAt: isSent ? sentAt : plusMs(sendAt, hours(24)),
      };
    }),
  );
  const ids = await reserve(tx, 'corpus_follow_send', touches.length);
  await bulk(
    tx,
    'corpus_follow_send',
    touches.map((touch, index) => ({ id: ids[index], ...touch })),
  );
}

/** 14 campaigns in all states, and what six of them sent. */
export async function writeCampaignDemo({ transaction, now }: DemoContext): Promise<void> {
  await transaction(async ({ tx }) => {
    const { editor, auditor } = await reviewersOf(tx);
    const { rows: diseases } = await sql<{
      id: string;
      name: string;
    }>`select id, disease_name as name from corpus_disease where available = 1 order by id`.execute(tx);
    const { rows: texts } = await sql<{
      id: string;
      title: string;
    }>`select id, title from corpus_material where state = 'ENABLED' and material_type = 'TEXT' order by id`.execute(tx);
    if (diseases.length === 0 || texts.length === 0) return;
    const ids = await reserve(tx, 'corpus_campaign', stories.length);
    // Words about the disease, where there are some.
    const textAbout = (name: string, at: number) => {
      const own = texts.filter(({ title }) => title.startsWith(name));
      const among = own.length > 0 ? own : texts;
      return among[at % among.length]!.id;
    };
    // Of what is still to be sent the audience is as it stands: it would be stopped as one that grew.
    const audiences = new Map<string, number>();
    for (const { id } of diseases)
      audiences.set(
        id,
        (await audienceOf(tx, { diseaseIds: [id], rows: [], includePatientIds: [], importedPatientIds: [], excludePatientIds: [] }, now))
          .length,
      );
    const rows = stories.map(([name, disease, kind, state, inDays], at) => {
      const diseaseId = diseases[disease % diseases.length]!.id;
      const sendAt = startOfDay(plusDays(dayOf(now), inDays), at % 2 ? '10:00' : '15:30');
      const written = plusMs(inDays < 0 ? sendAt : now, -hours(30));
      const looked = state !== 'DRAFT' || at % 2 === 0;
      const judged = state === 'SCHEDULED' || state === 'DONE' || state === 'STOPPED';
      const ended = state === 'DONE' || state === 'STOPPED';
      return {
        id: ids[at]!,
        no: at,
        name,
        diseaseIds: [diseaseId],
        rows: [],
        includePatientIds: [],
        excludePatientIds: [],
        target: 'AUTO',
        touchKind: kind,
        materialIds: [textAbout(diseases[disease % diseases.length]!.name, at)],
        sendAt,
        previewCount: looked ? (ended ? PEOPLE_EACH : audiences.get(diseaseId)!) : null,
        previewAt: looked ? plusMs(written, minutes(5)) : null,
        state,
        stopReason: state === 'STOPPED' ? (at % 2 ? '内容与院方通知不一致，停止发送' : campaignErrors.GROWN.text) : '',
        submittedBy: state === 'DRAFT' ? null : editor,
        submittedAt: state === 'DRAFT' ? null : plusMs(written, hours(1)),
        auditedBy: judged ? auditor : null,
        auditedAt: judged ? plusMs(written, hours(3)) : null,
        startedAt: state === 'DONE' ? sendAt : null,
        endedAt: ended ? plusMs(sendAt, state === 'DONE' ? hours(24) : 0) : null,
        version: judged ? 4 : 1,
        createdAt: written,
        createdBy: editor,
        updatedAt: ended ? sendAt : written,
        updatedBy: editor,
      };
    });
    await bulk(
      tx,
      'corpus_campaign',
      rows.map(({ no: _, ...row }) => row),
    );
    await writeTouches(
      tx,
      rows
        .filter(({ state }) => state === 'DONE')
        .map(({ id, no, materialIds, touchKind, sendAt }) => ({ id, no, materialId: materialIds[0]!, kind: touchKind, sendAt })),
    );
  });
}
