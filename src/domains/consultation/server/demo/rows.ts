import { dayOf, hours, instantOf, minutes, type Instant } from '#kernel/contract/time.ts';
import { bulk } from '#kernel/server/demo/bulk.ts';
import type { Tx } from '#kernel/server/context.ts';
import { count, type Counted } from '../rules/hearing.ts';
import type { Consult } from './consults.ts';
import { answerDue, lastLineAt, snoozedUntil, waitingOf, type DemoGroup } from './groups.ts';
import { isPersonal, type Line } from './line.ts';
import { assistantUser, type Stage } from './stage.ts';
import { qcNotes, qcTags, rateTexts } from './talk/phrases.ts';

const CHECKED = 30;
const RATE_TAGS = ['PROMPT', 'CLEAR', 'KIND', 'EXPERT'];
const at = (ms: number | null): Instant | null => (ms === null ? null : instantOf(ms));
const HOURS_A_DAY = 24;
const SECONDS_A_MINUTE = 60;

/** What the messages of an inquiry's range come to, by the rule that counts them as they arrive. */
export function countedOf({ startSeq, endSeq }: Consult, lines: readonly Line[]): Counted {
  let counted: Counted = { used: 0, open: false, doctorReplies: 0, firstDoctorReplyAt: null, firstAssistantReplyAt: null };
  if (startSeq === null) return counted;
  for (const line of lines) {
    if (line.seq < startSeq || (endSeq !== null && line.seq > endSeq) || !isPersonal(line)) continue;
    counted = count(counted, {
      role: line.sender.startsWith('P') ? 'PATIENT' : line.sender.startsWith('D') ? 'DOCTOR' : 'ASSISTANT',
      at: instantOf(line.at),
    });
  }
  return counted;
}

/** First and last number of what belongs to each inquiry of a group whose lines are in order. */
export function mark({ consults, lines }: DemoGroup): void {
  for (const consult of consults) {
    if (consult.accepted === null) continue;
    consult.startSeq = lines.find((line) => line.at >= consult.accepted!)?.seq ?? lines.length + 1;
    const { over } = consult;
    consult.endSeq = over === null ? null : (lines.findLast((line) => line.at <= over)?.seq ?? consult.startSeq);
  }
}

const END_REASONS = ['STAFF', 'PATIENT', 'DOCTOR', 'PATIENT', 'TIMEOUT', 'STAFF', 'UNCONFIRMED'] as const;
const CLOSE_REASONS = ['C01', 'C02', 'C03', 'C04'] as const;

/** The inquiries, as their orders sold them and as their conversations went. */
export async function writeInquiries(
  tx: Tx,
  stage: Stage,
  consults: readonly Consult[],
  groupOf: ReadonlyMap<Consult, DemoGroup>,
  numbers: readonly string[],
): Promise<void> {
  const qcBy = stage.assistants.find(({ userName }) => userName === 'assist_s')?.userId ?? null;
  let checked = 0;
  const rows = consults.map((consult, index) => {
    const { order, status, paid, accepted, over, asked, expires } = consult;
    const { itemSnapshot: item } = order;
    const group = groupOf.get(consult) ?? null;
    const counted = countedOf(consult, group?.lines ?? []);
    const ended = status === '4' ? over : null;
    const settled = order.state === 'COMPLETED' ? order.completedAt : null;
    const refund = order.state === 'REFUNDED' ? 'DONE' : order.state === 'REFUNDING' ? 'PENDING' : 'NONE';
    const isChecked = status === '4' && index % 7 === 3 && checked < CHECKED;
    if (isChecked) checked += 1;
    const rated = order.stars !== null && ended !== null;
    const changes = [paid, accepted, over, asked].filter((one) => one !== null).length;
    const statusAt = instantOf(over ?? asked ?? consult.reopened?.to ?? accepted ?? paid ?? Date.parse(order.createdAt));
    return {
      id: consult.id,
      inquiryNo: numbers[index]!,
      groupId: group?.groupId ?? null,
      doctorId: order.doctorId,
      doctorOperatorId: order.doctorOperatorId,
      doctorName: order.doctorName,
      patientId: order.patientId,
      suffererOperatorId: order.operatorId,
      patientName: order.patientName,
      orderId: order.orderId,
      orderNo: order.orderNo,
      openingId: order.openingId,
      itemId: order.itemId,
      itemName: item.itemName,
      serviceType: item.serviceType,
      careKind: item.careKind,
      billing: item.billing,
      feeFen: order.payFen,
      acceptHours: item.acceptHours,
      replyHours: item.replyHours,
      validHours: item.billing === 'PERIOD' && item.periodDays !== null ? item.periodDays * HOURS_A_DAY : item.validHours,
      source: group?.source === 'DESK' && status === '2' ? 'DESK' : index % 17 === 5 ? 'STAFF' : 'PATIENT',
      chiefComplaint: consult.complaint,
      illnessDays: 3 + (index % 40),
      attachmentFileIds: [],
      allergyNote: order.allergy === '无' ? '' : order.allergy,
      serverStatus: status,
      statusAt,
      paidAt: at(paid),
      acceptDueAt: order.acceptDueAt,
      acceptedAt: at(accepted),
      replyDueAt: order.replyDueAt,
      expireAt: accepted === null ? null : expires,
      endConfirmDueAt: asked === null ? null : instantOf(asked + hours(12)),
      endedAt: at(ended),
      settleAt: ended === null ? null : instantOf(ended + hours(24)),
      settledAt: settled,
      slotAt: order.slotAt,
      slotRemindedAt: order.slotAt === null || order.slotAt > stage.now ? null : order.slotAt,
      durationMin: item.durationMin,
      roundLimit: item.billing === 'REPLIES' ? (item.quotaReplies ?? 0) : 0,
      roundUsed: counted.used,
      roundOpen: counted.open,
      videoSecLimit: item.serviceType === 'PHONE' || item.serviceType === 'VIDEO' ? (item.durationMin ?? 0) * SECONDS_A_MINUTE : 0,
      videoSecUsed: consult.videoSec,
      doctorReplyCount: counted.doctorReplies,
      firstDoctorReplyAt: counted.firstDoctorReplyAt,
      firstAssistantReplyAt: counted.firstAssistantReplyAt,
      remindedAt: null,
      endReason: ended === null ? null : END_REASONS[index % END_REASONS.length],
      closeReason:
        status === '6' ? CLOSE_REASONS[index % CLOSE_REASONS.length] : status === '5' && order.closeReason === 'PATIENT' ? 'C05' : null,
      closeNote: null,
      extendedHours: consult.extendedHours,
      extendedRounds: 0,
      extendCount: consult.extendedHours > 0 ? 1 : 0,
      refundedFen: order.refundedFen,
      refundState: refund,
      startSeq: consult.startSeq,
      endSeq: consult.endSeq,
      stars: rated ? order.stars : null,
      rateTags: rated ? [RATE_TAGS[index % 4]!, ...(index % 3 === 0 ? [RATE_TAGS[(index + 1) % 4]!] : [])] : [],
      rateText: rated ? rateTexts[index % rateTexts.length]! || null : null,
      ratedAt: rated ? instantOf(Math.min(ended + minutes(30 + (index % 300)), Date.parse(stage.now))) : null,
      qcScore: isChecked ? 72 + (index % 27) : null,
      qcTags: isChecked ? [qcTags[index % qcTags.length]!, qcTags[(index + 2) % qcTags.length]!] : [],
      qcBy: isChecked ? qcBy : null,
      qcAt: isChecked ? instantOf(Math.min(ended! + hours(30), Date.parse(stage.now))) : null,
      qcNote: isChecked ? qcNotes[index % qcNotes.length]! : null,
      version: 1 + changes,
      createdAt: order.createdAt,
      createdBy: null,
      updatedAt: statusAt,
      updatedBy: null,
    };
  });
  await bulk(tx, 'consultation_inquiry', rows);
}

/** The groups with their place in the queue. */
export async function writeGroups(tx: Tx, { now }: Stage, groups: readonly DemoGroup[]): Promise<void> {
  await bulk(
    tx,
    'consultation_medical_group',
    groups.map((group, index) => {
      const waiting = waitingOf(group);
      const { owner, last, workState } = group;
      return {
        groupId: group.groupId,
        convId: group.convId,
        kind: group.kind,
        name: group.name,
        doctorId: group.doctorId,
        doctorOperatorId: group.doctorOperatorId,
        deskId: group.deskId,
        suffererOperatorId: group.operatorId,
        patientId: group.patientId,
        currentInquiryId: null,
        ownerAssistantId: owner?.assistantId ?? null,
        lastAssistantId: owner === null && workState === 'DONE' ? last.assistantId : null,
        lastAssistantAt: owner === null && workState === 'DONE' ? instantOf(lastLineAt(group.lines)) : null,
        workState,
        queuedAt: instantOf(group.queuedAt),
        ...waiting,
        snoozeUntil: workState === 'SNOOZED' ? instantOf(snoozedUntil(index % 10, Date.parse(now))) : null,
        priority: group.priority,
        crisisAt: null,
        tags: group.tags,
        sendPolicy: group.sendPolicy,
        offHoursAt: null,
        routedGroupId: null,
        source: group.source,
        demoBot: group.bot,
        lastMessageAt: instantOf(lastLineAt(group.lines) || group.createdAt),
        archivedAt: null,
        version: 1,
        createdAt: instantOf(group.createdAt),
        createdBy: null,
        updatedAt: now,
      };
    }),
  );
}

/** How each group went through the assistants' hands. */
export async function writeBoards(tx: Tx, { now }: Stage, groups: readonly DemoGroup[]): Promise<void> {
  const rows: object[] = [];
  const note = (group: DemoGroup, consult: Consult | null, action: string, ms: number, more: object = {}) =>
    rows.push({
      groupId: group.groupId,
      inquiryId: consult?.id ?? null,
      action,
      fromAssistantId: null,
      toAssistantId: null,
      reason: null,
      seq: null,
      waitSec: 0,
      overSla: false,
      at: instantOf(ms),
      ...more,
    });
  for (const group of groups) {
    const assistantId = group.last.assistantId;
    const stays: [Consult | null, number][] =
      group.kind === 'DESK' ? [[null, group.createdAt]] : group.consults.map((consult) => [consult, consult.paid!]);
    for (const [consult, since] of stays) {
      note(group, consult, 'QUEUED', since);
      const isLast = consult === (group.kind === 'DESK' ? null : group.consults.at(-1));
      if (isLast && group.workState === 'QUEUED') continue;
      const taken = group.takenAt ?? since + 4_000;
      note(group, consult, group.kind === 'DESK' ? 'TAKEN' : 'ASSIGNED', taken, {
        toAssistantId: assistantId,
        waitSec: Math.round((taken - since) / 1000),
      });
      const first = group.lines.find((line) => line.at > since && isPersonal(line) && !line.sender.startsWith('P'));
      if (first)
        note(group, consult, 'FIRST_REPLY', first.at, {
          toAssistantId: assistantId,
          seq: first.seq,
          waitSec: Math.round((first.at - since) / 1000),
          overSla: first.at > answerDue(since, group.hours),
        });
      const until = consult === null ? lastLineAt(group.lines) : consult.over;
      if (isLast && group.workState === 'SNOOZED')
        note(group, consult, 'SNOOZED', Math.min(lastLineAt(group.lines) + minutes(2), Date.parse(now)), { fromAssistantId: assistantId });
      else if ((!isLast || group.workState === 'DONE') && until !== null)
        note(
          group,
          consult,
          'DONE',
          Math.min(first ? first.at + minutes(9 + (Number(group.groupId.slice(-3)) % 50)) : until + minutes(3), Date.parse(now)),
          { fromAssistantId: assistantId },
        );
    }
    if (group.routedTo !== null) note(group, null, 'ROUTED', lastLineAt(group.lines), { fromAssistantId: assistantId });
    for (const helper of group.helpers)
      note(group, group.current, 'TRANSFERRED', (group.current?.paid ?? group.createdAt) + minutes(14), {
        fromAssistantId: helper.assistantId,
        toAssistantId: group.owner?.assistantId ?? assistantId,
        reason: '当前接待较满，请协助处理',
      });
  }
  await bulk(
    tx,
    'consultation_group_board',
    rows.toSorted((a, b) => String((a as { at: string }).at).localeCompare((b as { at: string }).at)).map((row) => ({ ...row })),
  );
}

export const dayOfConsult = ({ order }: Consult) => dayOf(order.createdAt);
export const speakerOf = ({ last }: DemoGroup) => assistantUser(last);
