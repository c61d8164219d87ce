import { sql } from 'kysely';
import type { QueryContext } from '#kernel/server/context.ts';
import { query, type Handler } from '#kernel/server/handler.ts';
import { queryPatientHistory, queryPatientModule } from '../../contract/calls/ehr.ts';
import { findEhrMedicineSuggested, queryHistoryDiagnosis, querySuffererBaseInfoByUserId } from '../../contract/calls/panel.ts';
import { HISTORY_ORDER, modules } from '../../contract/modules.ts';
import { openPatient } from '../access.ts';
import { baseInfoOf } from '../persons/facts.ts';
import { historyOf } from './history.ts';
import { requireModule, requireOrder, modulePage, type ModuleWish } from './modules.ts';
import { withNames } from './names.ts';

/**
 * A page of a section with the names of those who wrote it. No `listOf`: the call names the section, and each section is a table of
 * its own.
 */
async function namedPage(ctx: QueryContext, groupIds: readonly string[], wish: ModuleWish) {
  const { rows, total } = await modulePage(ctx.db, groupIds, wish, { may: ctx.has, userId: ctx.staff.userId });
  return { rows: await withNames(ctx.db, rows), total };
}

/** The person whom an account's newest open conversation is about, else its default person. */
const personOfAccount = (operatorId: string) => sql<string>`
  coalesce(
    (
      select g.patient_id
        from patient_care_group g
        where g.sufferer_operator_id = ${operatorId} and g.closed_at is null
        order by g.opened_at desc, g.conversation_id desc limit 1
    ),
    (
      select l.patient_id
        from patient_account_person l
        where l.operator_id = ${operatorId} and l.removed_at is null
        order by l.is_default desc, l.id limit 1
    )
  )`;

/** The record as the drawer and the consultation panel read it; a list needs three statements. */
export const readHandlers: readonly Handler[] = [
  // No `listOf` for the lists of a record: each is one person's, read through the guard that logs who looked at which part.
  query(querySuffererBaseInfoByUserId, async ({ userId }, ctx) =>
    baseInfoOf(ctx.db, await openPatient(ctx.db, ctx.staff, userId, ctx.now, { ctx, part: '基本信息' }), ctx.today),
  ),
  query(queryHistoryDiagnosis, async ({ suffererOperatorId, orderBy }, ctx) => {
    requireOrder(orderBy, HISTORY_ORDER);
    const seen = await openPatient(ctx.db, ctx.staff, personOfAccount(suffererOperatorId), ctx.now, { ctx, part: '诊疗史' });
    return historyOf(ctx.db, seen.groupIds);
  }),
  query(findEhrMedicineSuggested, async ({ associatedId, preciseKeyValue, paragraphCode, pageCode, ...wish }, ctx) => {
    const code = requireModule(wish);
    const seen = await openPatient(ctx.db, ctx.staff, personOfAccount(associatedId), ctx.now, {
      ctx,
      part: modules[code].label,
      fromPage: pageCode,
    });
    const status = preciseKeyValue?.status;
    return namedPage(ctx, seen.groupIds, {
      ...wish,
      paragraphCode,
      status: status === undefined || status === null ? null : String(status),
    });
  }),
  query(queryPatientModule, async ({ patientId, ...wish }, ctx) => {
    const code = requireModule(wish);
    const seen = await openPatient(ctx.db, ctx.staff, patientId, ctx.now, { ctx, part: modules[code].label });
    return namedPage(ctx, seen.groupIds, wish);
  }),
  query(queryPatientHistory, async ({ patientId }, ctx) => {
    const seen = await openPatient(ctx.db, ctx.staff, patientId, ctx.now, { ctx, part: '诊疗史' });
    return historyOf(ctx.db, seen.groupIds);
  }),
];
