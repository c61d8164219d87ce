import { sql } from 'kysely';
import { platformErrors, refuse, refuseField } from '#kernel/contract/errors.ts';
import type { CommandContext } from '#kernel/server/context.ts';
import { command, query, type Handler } from '#kernel/server/handler.ts';
import type { CheckedInputOf } from '#kernel/contract/call.ts';
import { unscoped } from '#kernel/server/auth/scope.ts';
import { recordOf } from '#kernel/server/record/recordOf.ts';
import { createdColumns, updatedColumns } from '#kernel/server/command/stampedColumns.ts';
import { addDesk, disableDesk, enableDesk, modifyDesk, queryDeskList, type DeskRow } from '../../contract/calls/desks.ts';
import { consultationErrors as errors } from '../../contract/errors.ts';
import { isUnique } from '../unique.ts';
import { own, ownTx } from '../database.ts';
import { DEFAULT_DESK } from './defaultDesk.ts';

type Fields = Pick<
  CheckedInputOf<typeof modifyDesk>,
  'deskName' | 'assistantIds' | 'sources' | 'dutyFrom' | 'dutyTo' | 'weekdays' | 'welcomeText' | 'offHoursText'
>;

const list: Handler = query(queryDeskList, async (_input, ctx) => {
  const { rows } = await sql<DeskRow>`
    select k.id, k.desk_code, k.desk_name, k.duty_from, k.duty_to, k.weekdays, k.welcome_text, k.off_hours_text, k.enabled, k.version,
        coalesce((
          select jsonb_agg(jsonb_build_object('assistantId', d.assistant_id::text, 'name', d.name) order by d.name)
            from consultation_assistant_duty d
            where d.assistant_id = any(k.assistant_ids)
        ), '[]') as assistants,
        coalesce((
          select jsonb_agg(
            jsonb_build_object(
              'sourceType', s.source_type, 'sourceId', s.source_id::text, 'sourceName', s.source_name
            ) order by s.source_type,
            s.source_name
          )
            from consultation_desk_source s
            where s.desk_id = k.id
        ), '[]') as sources,
        (select count(*)::int from consultation_medical_group g where g.desk_id = k.id and g.work_state = 'QUEUED') as queued,
        (select count(*)::int from consultation_medical_group g where g.desk_id = k.id and g.work_state = 'SERVING') as serving
      from consultation_guidance_desk k
      order by (k.desk_code = 'DEFAULT') desc, k.enabled desc, k.desk_name`.execute(ctx.db);
  return rows;
});

async function requireFields(ctx: CommandContext, fields: Fields, deskId: string | null): Promise<void> {
  if (fields.assistantIds.length === 0) throw refuse(errors.DESK_WITHOUT_ASSISTANT);
  const known = await ownTx(ctx.tx)
    .selectFrom('consultationAssistantDuty')
    .select('assistantId')
    .where('assistantId', 'in', fields.assistantIds)
    .where('personState', '<>', 'DISABLED')
    .execute();
  if (known.length < new Set(fields.assistantIds).size) throw refuseField('assistantIds', '所选医助不存在或已停用');
  for (const { sourceType, sourceId } of fields.sources) {
    const taken = await ownTx(ctx.tx)
      .selectFrom('consultationDeskSource as s')
      .innerJoin('consultationGuidanceDesk as k', 'k.id', 's.deskId')
      .select('k.deskName')
      .where('s.sourceType', '=', sourceType)
      .where('s.sourceId', '=', sourceId)
      .where('s.enabled', '=', true)
      .$if(deskId !== null, (q) => q.where('k.id', '<>', deskId ?? '0'))
      .executeTakeFirst();
    if (taken) throw refuse(errors.DESK_SOURCE_TAKEN, { name: taken.deskName });
  }
}

async function writeSources(ctx: CommandContext, deskId: string, sources: Fields['sources'], enabled: boolean): Promise<void> {
  const tx = ownTx(ctx.tx);
  await tx.deleteFrom('consultationDeskSource').where('deskId', '=', deskId).execute();
  if (sources.length > 0)
    await tx
      .insertInto('consultationDeskSource')
      .values(sources.map((source) => ({ ...source, deskId, enabled })))
      .onConflict((conflict) => conflict.columns(['deskId', 'sourceType', 'sourceId']).doNothing())
      .execute();
}

/** Two desks that take one source, or one name, at the same moment: the index decides. */
async function guarded<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (isUnique(error, 'consultation_desk_source_once')) throw refuse(errors.DESK_SOURCE_TAKEN, { name: '其他导诊台' });
    if (isUnique(error, 'consultation_guidance_desk_desk_name_key')) throw refuseField('deskName', '导诊台名称已存在');
    if (isUnique(error, 'consultation_guidance_desk_desk_code_key')) throw refuseField('deskCode', '导诊台编码已存在');
    throw error;
  }
}

const rowOf = ({ deskName, assistantIds, dutyFrom, dutyTo, weekdays, welcomeText, offHoursText }: Fields) => ({
  deskName,
  assistantIds: [...new Set(assistantIds)],
  dutyFrom,
  dutyTo,
  weekdays: [...new Set(weekdays)].toSorted((a, b) => a - b),
  welcomeText,
  offHoursText,
});

const add: Handler = command(addDesk, (input, ctx) =>
  guarded(async () => {
    await requireFields(ctx, input, null);
    const desk = await ownTx(ctx.tx)
      .insertInto('consultationGuidanceDesk')
      .values({
        deskCode: input.deskCode,
        ...rowOf(input),
        ...createdColumns(ctx),
      })
      .returning(['id', 'version', 'enabled'])
      .executeTakeFirstOrThrow();
    await writeSources(ctx, desk.id, input.sources, true);
    ctx.target({ type: 'consultation.guidanceDesk', id: desk.id, no: input.deskCode });
    return desk;
  }),
);

const desks = recordOf((db) => own(db).selectFrom('consultationGuidanceDesk as k').selectAll('k')).with({
  type: 'consultation.guidanceDesk',
  id: 'k.id',
  scope: unscoped,
});

async function lockDesk(ctx: CommandContext, id: string, seen: number) {
  const desk = await desks.lockVersion(ctx, id, seen, ({ deskName, enabled }) => ({ deskName, enabled }));
  ctx.target({ type: desks.type, id, no: desk.deskCode });
  return desk;
}

const modify: Handler = command(modifyDesk, (input, ctx) =>
  guarded(async () => {
    const desk = await lockDesk(ctx, input.id, input.version);
    await requireFields(ctx, input, desk.id);
    await writeSources(ctx, desk.id, input.sources, desk.enabled);
    return ownTx(ctx.tx)
      .updateTable('consultationGuidanceDesk')
      .set({ ...rowOf(input), version: desk.version + 1, ...updatedColumns(ctx) })
      .where('id', '=', desk.id)
      .returning(['id', 'version', 'enabled'])
      .executeTakeFirstOrThrow();
  }),
);

const switchDesk = (call: typeof enableDesk | typeof disableDesk, enabled: boolean): Handler =>
  command(call, (input, ctx) =>
    guarded(async () => {
      const desk = await lockDesk(ctx, input.id, input.version);
      if (!enabled && desk.deskCode === DEFAULT_DESK) throw refuse(platformErrors.WRONG_STATE, { state: '默认导诊台' });
      await ownTx(ctx.tx).updateTable('consultationDeskSource').set({ enabled }).where('deskId', '=', desk.id).execute();
      ctx.changed([{ path: 'enabled', label: '启用', before: desk.enabled, after: enabled }]);
      return ownTx(ctx.tx)
        .updateTable('consultationGuidanceDesk')
        .set({ enabled, version: desk.version + 1, ...updatedColumns(ctx) })
        .where('id', '=', desk.id)
        .returning(['id', 'version', 'enabled'])
        .executeTakeFirstOrThrow();
    }),
  );

export const deskHandlers: readonly Handler[] = [list, add, modify, switchDesk(enableDesk, true), switchDesk(disableDesk, false)];
