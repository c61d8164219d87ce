import { sql } from 'kysely';
import { platformErrors, refuse } from '#kernel/contract/errors.ts';
import { command, query, type Handler } from '#kernel/server/handler.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { modifyDutyState, modifyMaxConcurrent, queryDutyBoard } from '../../contract/calls/queue.ts';
import type { DutyState } from '../../contract/dictionaries.ts';
import { ownTx } from '../database.ts';
import { deedOf } from '../deed.ts';
import { aliveSince } from '../im/sockets/presence.ts';
import { assistantOnDuty, scheduledNow } from '../partners.ts';
import { publishQueue } from '../queue/signals.ts';
import { meOf } from './me.ts';

/** 在岗 and 离岗 are told to doctor too; busy and away are the chat's own. */
const modifyDuty = (kernel: Kernel): Handler =>
  command(modifyDutyState, async ({ state }, asked) => {
    const ctx = deedOf(kernel, asked);
    const me = await meOf(ctx.tx, asked);
    const duty = await ownTx(ctx.tx)
      .selectFrom('consultationAssistantDuty')
      .selectAll()
      .where('assistantId', '=', me.assistantId)
      .forUpdate()
      .executeTakeFirstOrThrow();
    if (duty.personState === 'LEAVE' && state !== 'OFF') throw refuse(platformErrors.WRONG_STATE, { state: '请假' });
    if (duty.state === state) return { state, stateAt: duty.stateAt };
    await ownTx(ctx.tx)
      .updateTable('consultationAssistantDuty')
      .set({ state, stateAt: ctx.now, lastConnectedAt: ctx.now, version: duty.version + 1, updatedAt: ctx.now })
      .where('assistantId', '=', me.assistantId)
      .execute();
    publishQueue(kernel, ctx);
    if ((state === 'OFF') !== (duty.state === 'OFF')) await assistantOnDuty(ctx, me.assistantId, state !== 'OFF');
    return { state, stateAt: ctx.now };
  });

interface BoardRow {
  assistantId: string;
  name: string;
  avatarFileId: string | null;
  state: DutyState;
  stateAt: string;
  connected: boolean;
  serving: number;
  snoozed: number;
  maxConcurrent: number;
  oldestWaitingSince: string | null;
}

const board = (kernel: Kernel): Handler =>
  query(queryDutyBoard, async (_input, ctx) => {
    await meOf(ctx.db, ctx);
    const { rows } = await sql<BoardRow>`
      select d.assistant_id, d.name, d.avatar_file_id, d.state, d.state_at, d.max_concurrent,
          exists (
            select 1 from consultation_im_connection c where c.im_user_id = 'A' || d.operator_id and c.last_seen_at > ${aliveSince(kernel)}
          ) as connected,
          count(g.group_id) filter (where g.work_state = 'SERVING')::int as serving,
          count(g.group_id) filter (where g.work_state = 'SNOOZED')::int as snoozed, min(g.waiting_since) as oldest_waiting_since
        from consultation_assistant_duty d
        left join consultation_medical_group g on g.owner_assistant_id = d.assistant_id
        where d.person_state <> 'DISABLED'
        group by d.assistant_id
        order by array_position(array['ON', 'BUSY', 'AWAY', 'OFF'], d.state), d.name, d.assistant_id`.execute(ctx.db);
    const scheduled = await scheduledNow(
      ctx.db,
      rows.map(({ assistantId }) => assistantId),
      ctx.now,
    );
    return rows.map((row) => ({ ...row, inDutyWeek: scheduled.has(row.assistantId) }));
  });

const modifyMax = (): Handler =>
  command(modifyMaxConcurrent, async ({ assistantId, maxConcurrent }, ctx) => {
    await meOf(ctx.tx, ctx);
    const row = await ownTx(ctx.tx)
      .selectFrom('consultationAssistantDuty')
      .select(['maxConcurrent', 'name'])
      .where('assistantId', '=', assistantId)
      .forUpdate()
      .executeTakeFirst();
    if (!row) throw refuse(platformErrors.NOT_FOUND);
    await ownTx(ctx.tx)
      .updateTable('consultationAssistantDuty')
      .set((eb) => ({ maxConcurrent, version: eb('version', '+', 1), updatedAt: ctx.now }))
      .where('assistantId', '=', assistantId)
      .execute();
    ctx.target({ type: 'consultation.assistantDuty', id: assistantId, no: row.name });
    ctx.changed([{ path: 'maxConcurrent', label: '同时接待上限', before: row.maxConcurrent, after: maxConcurrent }]);
    return { assistantId, maxConcurrent };
  });

export const dutyHandlers = (kernel: Kernel): readonly Handler[] => [modifyDuty(kernel), board(kernel), modifyMax()];
