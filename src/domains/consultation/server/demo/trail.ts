import { instantOf, type Instant } from '#kernel/contract/time.ts';
import { demoTrails } from '#kernel/server/demo/trails.ts';
import type { StateMachine } from '#kernel/contract/stateMachine.ts';
import type { Tx } from '#kernel/server/context.ts';
import { inquiryMachine, visitRecordMachine } from '../../contract/states.ts';
import { RECORD_TARGET } from '../visits/records.ts';
import type { Consult } from './consults.ts';
import type { DemoRecord as VisitRecord } from './visits.ts';

interface Step {
  targetId: string;
  action: string;
  from: string;
  to: string;
  at: number;
  by: string;
  opinion?: string;
}

const stepsOf = (consult: Consult): Step[] => {
  const { id, order, paid, accepted, asked, over, reopened, status, extendedHours, assistant } = consult;
  const doctor = `${order.doctorName}医生`;
  const followUp = order.itemSnapshot.serviceType === 'FOLLOW_UP';
  const steps: Step[] = [];
  const add = (at: number | null, action: string, from: string, to: string, by: string, opinion?: string) => {
    if (at !== null) steps.push({ targetId: id, action, from, to, at, by, ...(opinion !== undefined && { opinion }) });
  };
  add(paid, followUp ? 'openFollowUp' : 'open', '0', followUp ? '2' : '1', '系统');
  if (!followUp) add(accepted, 'accept', '1', '2', doctor);
  if (extendedHours > 0) add(consult.firstReply, 'extend', '2', '2', assistant.name, '患者资料未齐，延长服务时间');
  add(asked, 'requestEnd', '2', '3', doctor);
  if (reopened) {
    add(reopened.from, 'end', '2', '4', assistant.name);
    add(reopened.to, 'reopen', '4', '2', '邓丽华', '误操作结束，恢复服务');
  }
  if (status === '4') add(over, 'end', '2', '4', assistant.name);
  if (status === '5')
    add(
      over,
      order.closeReason === 'PATIENT' ? 'cancelByPatient' : 'payClosed',
      '0',
      '5',
      order.closeReason === 'PATIENT' ? '患者' : '系统',
    );
  if (status === '6') add(over, 'refuse', '1', '6', doctor, '建议线下就诊');
  if (status === '7') add(over, 'acceptTimeout', '1', '7', '系统');
  return steps;
};

const recordSteps = ({ id, consult, state, createdAt, confirmedAt, archivedAt, blank }: VisitRecord): Step[] => {
  const { name } = consult.assistant;
  const doctor = `${consult.order.doctorName}医生`;
  const at = (ms: number) => Math.max(createdAt, ms);
  return [
    ...(blank ? [] : [{ targetId: id, action: 'modify', from: 'DRAFT', to: 'DRAFT', at: createdAt + 600_000, by: name }]),
    ...(state === 'DRAFT'
      ? []
      : [{ targetId: id, action: 'submit', from: 'DRAFT', to: 'WAIT_DOCTOR', at: at(createdAt + 900_000), by: name }]),
    ...(confirmedAt === null
      ? []
      : [{ targetId: id, action: 'confirm', from: 'WAIT_DOCTOR', to: 'CONFIRMED', at: confirmedAt, by: doctor }]),
    ...(archivedAt === null ? [] : [{ targetId: id, action: 'archive', from: 'CONFIRMED', to: 'ARCHIVED', at: archivedAt, by: '系统' }]),
    ...(state === 'SUPERSEDED'
      ? [{ targetId: id, action: 'supersede', from: 'CONFIRMED', to: 'SUPERSEDED', at: confirmedAt! + 60_000, by: '系统' }]
      : []),
  ];
};

/** Who did what to inquiries and records, as their own commands would have noted it. */
export async function writeTrails(tx: Tx, now: Instant, consults: readonly Consult[], records: readonly VisitRecord[]): Promise<void> {
  const trails = demoTrails(tx);
  const add = <S extends string, A extends string>(type: string, machine: StateMachine<S, A>, steps: readonly Step[]) => {
    for (const { targetId, action, at, by, ...step } of steps)
      trails.add(machine, { type, id: targetId }, [
        { ...step, action: action as A, at: instantOf(Math.min(at, Date.parse(now))), by: { id: null, name: by } },
      ]);
  };
  add('consultation.inquiry', inquiryMachine, consults.flatMap(stepsOf));
  add(RECORD_TARGET, visitRecordMachine, records.flatMap(recordSteps));
  await trails.write();
}
