import { sql } from 'kysely';
import { cardExpiryNeared, cardGranted } from '#events/card.ts';
import { claimSupplementRequested } from '#events/claim.ts';
import { applySupplementRequested } from '#events/enrolment.ts';
import { dayOf, days, hours, minutes, plusDays, plusMs, startOfDay, type Instant } from '#kernel/contract/time.ts';
import type { Tx, Writing } from '#kernel/server/context.ts';
import { bulk, reserve, seeded } from '#kernel/server/demo/bulk.ts';
import type { DemoContext } from '#kernel/server/module.ts';
import { autoTrigger, triggersOf, type AutoScope, type AutoTrigger } from '../../contract/welcome/dictionaries.ts';
import { reviewersOf } from '../demo/people.ts';
import { sendables } from '../engine/materials.ts';
import { autoTexts } from '../materials/demo/contents.ts';

type State = 'DRAFT' | 'AUDITING' | 'ENABLED' | 'DISABLED';
interface Named {
  id: string;
  name: string;
}
interface DemoMessage {
  triggerType: AutoTrigger;
  scopeType: AutoScope;
  scope: Named | null;
  text: string;
  state: State;
}

const named = async (tx: Tx, statement: string): Promise<Named[]> => (await sql.raw<Named>(statement).execute(tx)).rows;

/** One state for each object, the last ones not in use. */
const each = (
  objects: readonly Named[],
  states: readonly State[],
  common: Pick<DemoMessage, 'triggerType' | 'scopeType' | 'text'>,
): DemoMessage[] => objects.slice(0, states.length).map((scope, index) => ({ ...common, scope, state: states[index]! }));

async function greetings(tx: Tx): Promise<DemoMessage[]> {
  const diseases = await named(tx, 'select id, disease_name as name from corpus_disease where available = 1 order by sort_no, id limit 8');
  const doctors = await named(tx, 'select id, name from doctor_doctor where practice_ok order by id limit 4');
  const channels = await named(tx, `select id, name from channel_channel where state = 'ENABLED' order by id limit 4`);
  const items = await named(tx, `select id, name from doctor_service_item where state = 'ON' order by id limit 3`);
  const standard = (triggerType: AutoTrigger, text: string): DemoMessage => ({
    triggerType,
    scopeType: 'DEFAULT',
    scope: null,
    text,
    state: 'ENABLED',
  });
  return [
    ...each(diseases, ['ENABLED', 'ENABLED', 'ENABLED', 'ENABLED', 'ENABLED', 'AUDITING'], {
      triggerType: 'GROUP_CREATED',
      scopeType: 'DISEASE',
      text: '病种欢迎',
    }),
    ...each(doctors, ['ENABLED', 'ENABLED', 'ENABLED', 'DRAFT'], { triggerType: 'GROUP_CREATED', scopeType: 'DOCTOR', text: '欢迎入群' }),
    ...each(channels, ['ENABLED', 'ENABLED', 'ENABLED', 'DISABLED'], {
      triggerType: 'CHANNEL_SCAN',
      scopeType: 'CHANNEL',
      text: '扫码欢迎',
    }),
    ...each(items, ['ENABLED', 'ENABLED', 'DRAFT'], { triggerType: 'CHANNEL_SCAN', scopeType: 'SERVICE_ITEM', text: '扫码欢迎' }),
    ...each(diseases.slice(6), ['ENABLED', 'AUDITING'], { triggerType: 'SINGLE_OPEN', scopeType: 'DISEASE', text: '病种欢迎' }),
    // The newest stand first in the list.
    standard('GROUP_CREATED', '欢迎入群'),
    standard('SINGLE_OPEN', '欢迎咨询'),
    standard('CHANNEL_SCAN', '扫码欢迎'),
  ];
}

async function notices(tx: Tx): Promise<DemoMessage[]> {
  const [disease] = await named(tx, 'select id, disease_name as name from corpus_disease where available = 1 order by sort_no, id limit 1');
  const standard = triggersOf('NOTICE').map((triggerType): DemoMessage => ({
    triggerType,
    scopeType: 'DEFAULT',
    scope: null,
    text: autoTrigger.label(triggerType),
    state: triggerType === 'enrolment.apply.closed' ? 'AUDITING' : 'ENABLED',
  }));
  return disease
    ? [...standard, { triggerType: 'order.fulfilment.shipped', scopeType: 'DISEASE', scope: disease, text: '药品已发货', state: 'DRAFT' }]
    : standard;
}

const SMS: Partial<Record<AutoTrigger, string>> = {
  'enrolment.apply.supplementRequested': '您的入组申请需补充资料，请于{{截止日期:7日内}}前在康桥患者端提交。',
  'claim.case.supplementRequested': '您的理赔申请需补充资料，请于{{截止日期:7日内}}前在康桥患者端提交。',
  'claim.case.resultNotified': '您的理赔申请已有结果，请登录康桥患者端查看。',
  'card.card.expiryNeared': '您的权益卡将于{{到期日期:近期}}到期，请及时使用。',
};

async function writeMessages(tx: Tx, now: Instant): Promise<{ id: string; triggerType: AutoTrigger; materialId: string }[]> {
  const { editor, auditor } = await reviewersOf(tx);
  const texts = new Map(
    (await named(tx, `select id, title as name from corpus_material where state = 'ENABLED' and '自动消息' = any(tags)`)).map(
      ({ id, name }) => [name, id],
    ),
  );
  if (texts.size < autoTexts.length) return [];
  const messages = [...(await greetings(tx)), ...(await notices(tx))];
  const ids = await reserve(tx, 'corpus_auto_message', messages.length);
  const rows = messages.map(({ triggerType, scopeType, scope, text, state }, index) => {
    const at = plusMs(now, -days(40) + hours(index));
    const isNotice = triggersOf('NOTICE').includes(triggerType);
    const judged = state === 'ENABLED' || state === 'DISABLED';
    return {
      id: ids[index]!,
      kind: isNotice ? ('NOTICE' as const) : ('WELCOME' as const),
      name: (scope ? `${scope.name}-${text}` : isNotice ? text : `${text}（通用）`).slice(0, 32),
      triggerType,
      scopeType,
      scopeId: scope?.id ?? null,
      scopeName: scope?.name ?? '',
      materialIds: [texts.get(text)!],
      delaySec: isNotice ? 0 : (index % 4) * 5,
      quietMode: isNotice ? 'WINDOW' : 'IMMEDIATE',
      smsText: SMS[triggerType] ?? null,
      validFrom: scopeType === 'CHANNEL' ? dayOf(at) : null,
      validTo: scopeType === 'CHANNEL' ? plusDays(dayOf(now), 60 + index) : null,
      state,
      submittedBy: state === 'DRAFT' ? null : editor,
      submittedAt: state === 'DRAFT' ? null : at,
      auditedBy: judged ? auditor : null,
      auditedAt: judged ? plusMs(at, hours(2)) : null,
      version: judged ? 3 : 1,
      createdAt: at,
      createdBy: editor,
      updatedAt: at,
      updatedBy: editor,
    };
  });
  await bulk(tx, 'corpus_auto_message', rows);
  return rows.flatMap(({ id, triggerType, materialIds, state }) =>
    state === 'ENABLED' ? [{ id, triggerType, materialId: materialIds[0]! }] : [],
  );
}

const SENT_EACH = 24;

/** What the messages in use sent to patients of follow-ups in the last weeks, and who answered. */
async function writeSent(
  tx: Tx,
  messages: readonly { id: string; triggerType: AutoTrigger; materialId: string }[],
  now: Instant,
): Promise<void> {
  const { rows: people } = await sql<{ patientId: string; conversationId: string; senderId: string | null; single: boolean }>`
    select distinct on (patient_id) patient_id, conversation_id, assistant_operator_id as sender_id, group_id is null as single
      from corpus_follow_run order by patient_id, (group_id is null) desc, id limit 600`.execute(tx);
  const materials = await sendables(tx, [...new Set(messages.map(({ materialId }) => materialId))]);
  const random = seeded(20_261_124);
  const sends = messages.flatMap(({ id, triggerType, materialId }) => {
    const isNotice = triggersOf('NOTICE').includes(triggerType);
    // A greeting of one kind is sent once in a conversation: those of one act share its people.
    const rivals = messages.filter((other) => other.triggerType === triggerType);
    const share = rivals.findIndex((other) => other.id === id);
    const wanted = people.filter(
      ({ single }, at) => (isNotice || (triggerType === 'GROUP_CREATED' ? !single : true)) && at % rivals.length === share,
    );
    return wanted.slice(0, SENT_EACH).map(({ patientId, conversationId, senderId }, at) => {
      const sentAt = plusMs(startOfDay(plusDays(dayOf(now), -random.int(1, 29)), '09:00'), minutes(random.int(0, 540)));
      const dedupeKey = isNotice ? `FN:demo-${id}-${at}:${patientId}` : `FW:${triggerType}:${conversationId}:${patientId}`;
      const material = materials.get(materialId);
      const rendered = material?.bubble({ sendId: 'demo', token: null, values: {} });
      const readAt = random.next() < 0.8 ? plusMs(sentAt, minutes(random.int(2, 300))) : null;
      return {
        dedupeKey,
        sourceKind: isNotice ? 'NOTICE' : 'WELCOME',
        sourceId: id,
        itemKey: triggerType,
        occurrence: 0,
        materialIds: [materialId],
        patientId,
        target: isNotice ? 'SINGLE' : 'AUTO',
        touchKind: isNotice ? 'SERVICE' : 'CARE',
        priority: 9,
        itemConditions: [],
        textValues: {},
        immediate: !isNotice,
        conversationId,
        senderId,
        dueAt: sentAt,
        nextTryAt: sentAt,
        expiresAt: plusMs(sentAt, hours(24)),
        state: 'SENT',
        gateTrace: [],
        bubbles: [
          {
            n: 1,
            materialId,
            materialVersionId: material?.versionId ?? '0',
            key: `${dedupeKey}#1`,
            type: rendered?.type ?? '',
            payload: rendered?.payload ?? {},
            seq: null,
          },
        ],
        attempts: 1,
        claimedAt: sentAt,
        sentAt,
        readAt,
        repliedAt: readAt !== null && random.next() < 0.3 ? plusMs(readAt, minutes(random.int(1, 60))) : null,
        version: 2,
        createdAt: sentAt,
        updatedAt: sentAt,
      };
    });
  });
  const ids = await reserve(tx, 'corpus_follow_send', sends.length);
  await bulk(
    tx,
    'corpus_follow_send',
    sends.map((send, index) => ({ id: ids[index], ...send })),
  );
}

/** Events of today that the notices answer, as their domains tell them. */
async function publishSome(writing: Writing, now: Instant): Promise<void> {
  const { rows } = await sql<{ patientId: string }>`
    select distinct patient_id from corpus_follow_run where group_id is null and state = 'RUNNING' order by patient_id limit 4`.execute(
    writing.tx,
  );
  const [one, two, three, four] = rows.map(({ patientId }) => patientId);
  if (!one || !two || !three || !four) return;
  const soon = plusMs(now, days(7));
  await writing.publish(cardGranted, one, {
    grantId: '1',
    cardId: '1',
    patientId: one,
    cardTypeId: '1',
    cardTypeName: '用药福利卡',
    amount: 50_000,
    bonus: 0,
    expireAt: plusMs(now, days(180)),
  });
  await writing.publish(cardExpiryNeared, two, { cardId: '2', patientId: two, amount: 12_000, expireAt: soon });
  await writing.publish(claimSupplementRequested, three, {
    claimId: '1',
    claimNo: 'LP2026112300001',
    patientId: three,
    applicantWording: '请补充住院发票原件照片',
    dueAt: soon,
  });
  await writing.publish(applySupplementRequested, four, {
    applyId: '1',
    applyNo: 'RZ2026112300001',
    patientId: four,
    applicantWording: '请补充基因检测报告',
    dueAt: soon,
  });
}

/** 22 greetings and 12 notices in all states, what they sent, and some events of today. */
export async function writeWelcomeDemo({ transaction, now }: DemoContext): Promise<void> {
  await transaction(async (writing) => {
    const inUse = await writeMessages(writing.tx, now);
    if (inUse.length === 0) return;
    await writeSent(writing.tx, inUse, now);
    await publishSome(writing, now);
  });
}
