import { sql } from 'kysely';
import { platformErrors, refuse } from '#kernel/contract/errors.ts';
import type { Db } from '#kernel/server/context.ts';
import type { TransferResult } from '../../contract/calls/assistants.ts';
import { doctorErrors } from '../../contract/errors.ts';
import type { Viewer } from '#kernel/server/auth/viewer.ts';
import { seesDoctor } from '../access.ts';
import { seesAssistant } from './access.ts';
import { planSpread } from './rules/spread.ts';

export interface TransferWish {
  fromAssistantId: string;
  scope: 'ALL' | 'DOCTORS';
  doctorIds: readonly string[];
  strategy: 'ONE' | 'SPREAD';
  toAssistantIds: readonly string[];
}

interface Person {
  id: string;
  name: string;
  assistantNo: string;
  operatorId: string;
  userId: string;
  state: string;
  activeCount: number;
  capacity: number;
  doctors: number;
}
interface Bound {
  bindId: string;
  doctorId: string;
  doctorNo: string;
  doctorName: string;
  role: 'PRIMARY' | 'BACKUP';
  open: number;
}

export interface TransferPlan {
  from: Person;
  successors: ReadonlyMap<string, Person>;
  bindIds: ReadonlyMap<string, string>;
  rows: TransferResult[];
  loads: { assistantId: string; name: string; capacity: number; before: number; after: number; doctors: number }[];
}

const bp = (load: number, capacity: number) => Math.floor((load * 10_000) / capacity);

/** Who gets which doctor. Reads alone; under the locks of the transfer it is what will be done. */
export async function planTransfer(db: Db, viewer: Viewer, wish: TransferWish): Promise<TransferPlan> {
  const people = (
    await sql<Person>`
    select a.id, a.name, a.assistant_no, a.operator_id, a.user_id, a.state, a.active_count, a.capacity,
        (select count(distinct b.doctor_id)::int from doctor_assistant_bind b where b.assistant_id = a.id and b.ended_at is null) as doctors
      from doctor_assistant a
      where a.id = any(${[wish.fromAssistantId, ...wish.toAssistantIds]}::bigint[]) and ${seesAssistant(viewer)}`.execute(db)
  ).rows;
  const from = people.find(({ id }) => id === wish.fromAssistantId);
  const successors = new Map(people.filter(({ id }) => id !== wish.fromAssistantId).map((person) => [person.id, person]));
  if (!from || wish.toAssistantIds.some((id) => !successors.has(id))) throw refuse(platformErrors.NOT_FOUND);
  if ([...successors.values()].some(({ state }) => state === 'DISABLED')) throw refuse(doctorErrors.ASSISTANT_DISABLED);
  const chosen = wish.scope === 'ALL' ? sql`true` : sql`d.id = any(${[...wish.doctorIds]}::bigint[])`;
  const bound = (
    await sql<Bound>`
    select b.id as bind_id, d.id as doctor_id, d.doctor_no, d.name as doctor_name, b.role,
        (select count(*)::int from doctor_assistant_load l where l.assistant_id = b.assistant_id and l.doctor_id = d.id and l.open) as open
      from doctor_assistant_bind b
      join doctor_doctor d on d.id = b.doctor_id
      where b.assistant_id = ${from.id} and b.ended_at is null and ${chosen} and ${seesDoctor(viewer)}
      order by d.doctor_no`.execute(db)
  ).rows;
  const assigned = planSpread(bound, [...successors.values()]);
  const rows = assigned.map(({ doctorId, toAssistantId, before, after }): TransferResult => {
    const { bindId: _bindId, ...doctor } = bound.find((one) => one.doctorId === doctorId)!;
    const to = toAssistantId === null ? null : successors.get(toAssistantId)!;
    return {
      ...doctor,
      toAssistantId,
      toName: to?.name ?? null,
      beforeBp: to ? bp(before, to.capacity) : 0,
      afterBp: to ? bp(after, to.capacity) : 0,
      ok: to !== null,
      message: to ? '' : doctorErrors.LOAD_FULL.text,
    };
  });
  const planned = (id: string) => assigned.filter(({ toAssistantId }) => toAssistantId === id);
  return {
    from,
    successors,
    rows,
    bindIds: new Map(bound.map(({ doctorId, bindId }) => [doctorId, bindId])),
    loads: [...successors.values()].map(({ id, name, capacity, activeCount }) => ({
      assistantId: id,
      name,
      capacity,
      before: activeCount,
      after: planned(id).at(-1)?.after ?? activeCount,
      doctors: planned(id).length,
    })),
  };
}
