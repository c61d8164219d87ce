import { conversationOpened, inquiryEnded, memberChanged, serviceStatusChanged, visitRecordCompleted } from '#events/consultation.ts';
import { instantOf } from '#kernel/contract/time.ts';
import type { Writing } from '#kernel/server/context.ts';
import type { Consult } from './consults.ts';
import type { DemoGroup } from './groups.ts';
import { diagnosesOf, type DemoRecord } from './visits.ts';

/** What other domains keep of conversations, inquiries and records: once for each, as it stands now, and nothing of messages. */
export async function publishAll(
  writing: Writing,
  groups: readonly DemoGroup[],
  groupOf: ReadonlyMap<Consult, DemoGroup>,
  consults: readonly Consult[],
  numbers: readonly string[],
  records: readonly DemoRecord[],
): Promise<void> {
  await writing.publishMany(
    conversationOpened,
    groups.map((group) => ({
      aggregateId: group.convId,
      payload: {
        conversationId: group.convId,
        groupId: group.groupId,
        kind: group.kind,
        patientId: group.patientId,
        suffererOperatorId: group.operatorId,
        doctorId: group.doctorId,
        assistantOperatorId: (group.owner ?? group.last).operatorId,
        deskId: group.deskId,
        source: group.source,
        first: true,
        at: instantOf(group.createdAt),
      },
    })),
  );
  await writing.publishMany(
    memberChanged,
    groups
      .filter(({ workState }) => workState !== 'QUEUED')
      .map(({ convId, owner, last }) => {
        const { operatorId } = owner ?? last;
        return {
          aggregateId: convId,
          payload: {
            conversationId: convId,
            imUserId: `A${operatorId}`,
            operatorId,
            userRole: 'ASSISTANT' as const,
            change: owner ? ('OWNER' as const) : ('JOIN' as const),
          },
        };
      }),
  );
  const status = consults.map((consult, index) => {
    const { order, status: to, over, id } = consult;
    const group = groupOf.get(consult);
    return {
      consult,
      to,
      aggregateId: id,
      payload: {
        serverId: id,
        inquiryNo: numbers[index]!,
        orderId: order.orderId,
        orderNo: order.orderNo,
        groupId: group?.groupId ?? null,
        doctorId: order.doctorId,
        patientId: order.patientId,
        assistantId: group?.owner?.assistantId ?? group?.last.assistantId ?? null,
        from: to === '4' ? '2' : to === '0' ? '0' : '1',
        to,
        reason: null,
        at: instantOf(over ?? Date.parse(order.createdAt)),
      },
    };
  });
  // Of what ended today doctor still expects the end itself.
  const today = status.filter(({ consult, to }) => to === '4' && consult.order.state === 'SERVING');
  await writing.publishMany(
    serviceStatusChanged,
    status.filter((one) => !today.includes(one)).map(({ aggregateId, payload }) => ({ aggregateId, payload })),
  );
  await writing.publishMany(
    inquiryEnded,
    today.map(({ aggregateId, payload, consult }) => ({
      aggregateId,
      payload: {
        ...payload,
        serviceType: consult.order.itemSnapshot.serviceType,
        endReason: 'PATIENT',
        roundUsed: consult.rounds,
        doctorPatientSec: consult.videoSec,
      },
    })),
  );
  await writing.publishMany(
    visitRecordCompleted,
    records
      .filter(({ confirmedAt, current }) => confirmedAt !== null && current)
      .map(({ id, version, consult, confirmedAt }) => ({
        aggregateId: id,
        payload: {
          visitRecordId: id,
          recordVersion: version,
          serverId: consult.id,
          serviceType: consult.order.itemSnapshot.serviceType,
          doctorId: consult.order.doctorId,
          patientId: consult.order.patientId,
          diagnoses: diagnosesOf(consult),
          revisitOn: null,
          at: instantOf(confirmedAt!),
        },
      })),
  );
}
