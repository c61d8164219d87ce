import { dayOf, days, plusMs } from '#kernel/contract/time.ts';
import { asSystem } from '#kernel/server/command/acting.ts';
import { moveState } from '#kernel/server/audit/transition.ts';
import { nextNumber } from '#kernel/server/command/numbers.ts';
import type { DemoContext } from '#kernel/server/module.ts';
import { mergeMachine } from '../../contract/states.ts';
import { everyone } from '../access.ts';
import { json, ownTx } from '../database.ts';
import { factsOf } from '../hospitals/facts.ts';
import { completePlan, departmentsOf } from '../merges/departmentPlan.ts';
import { executeMerge } from '../merges/execute.ts';
import { lockPair } from '../merges/guards.ts';
import { undoMerge } from '../merges/undo.ts';

export interface DemoPair {
  survivorId: string;
  loserId: string;
}
const [MAKER, CHECKER] = ['医生运营', '运营审核'];

/** Carried out as by two persons: the first is undone on the next day, the last still waits for its check. */
export async function writeMerges({ transaction, now: today }: DemoContext, pairs: readonly DemoPair[]): Promise<void> {
  for (const [index, ids] of pairs.entries()) {
    await transaction(async (writing) => {
      const now = plusMs(today, -days(index + 3));
      const acting = (at: string, actorName: string) => ({ ...asSystem(writing, { now: at, traceId: 'demo' }), actorName });
      const tx = ownTx(writing.tx);
      const pair = await lockPair(writing.tx, everyone, ids.survivorId, ids.loserId);
      const deptPlan = completePlan([], await departmentsOf(tx, ids.loserId), await departmentsOf(tx, ids.survivorId));
      const reason = '导入时产生的重复记录';
      const merge = await tx
        .insertInto('institutionHospitalMerge')
        .values({
          mergeNo: await nextNumber(writing.tx, 'HB', dayOf(now)),
          ...ids,
          fieldChoice: json({}),
          deptPlan: json(deptPlan),
          loserSnapshot: json(factsOf(pair.loser)),
          survivorSnapshot: json(factsOf(pair.survivor)),
          reason,
          makerId: '1',
          makerName: MAKER,
          state: 'PENDING',
          createdAt: now,
          updatedAt: now,
        })
        .returning(['id', 'mergeNo'])
        .executeTakeFirstOrThrow();
      const move = { targetType: 'institution.hospitalMerge', targetId: merge.id, targetNo: merge.mergeNo };
      await moveState(acting(now, MAKER), mergeMachine, { ...move, action: 'submit', from: 'PENDING', opinion: reason });
      if (index === pairs.length - 1) return;
      const doneAt = plusMs(now, days(1) / 8);
      const applied = await executeMerge(acting(doneAt, CHECKER), pair, { fieldChoice: {}, deptPlan, reason });
      let state = await moveState(acting(doneAt, CHECKER), mergeMachine, { ...move, action: 'approve', from: 'PENDING' });
      const undoneAt = index === 0 ? plusMs(doneAt, days(1)) : null;
      if (undoneAt !== null) {
        await undoMerge(acting(undoneAt, CHECKER), everyone, { ...ids, doneAt, applied }, '两家为不同机构');
        state = await moveState(acting(undoneAt, CHECKER), mergeMachine, {
          ...move,
          action: 'undo',
          from: state,
          opinion: '两家为不同机构',
        });
      }
      await tx
        .updateTable('institutionHospitalMerge')
        .set({ state, checkerId: '2', checkerName: CHECKER, applied: json(applied), doneAt, undoneAt, updatedAt: undoneAt ?? doneAt })
        .where('id', '=', merge.id)
        .execute();
    });
  }
}
