import { sql, type SqlBool } from 'kysely';
import * as z from 'zod/mini';
import { plusDays, startOfDay } from '#kernel/contract/time.ts';
import { regionPrefix } from '#kernel/server/auth/scope.ts';
import { json } from '#kernel/server/database/json.ts';
import { listExport } from '#kernel/server/list/listExport.ts';
import { listOf } from '#kernel/server/list/listOf.ts';
import { consumer } from '#kernel/server/outbox/consumer.ts';
import { claimControlEvaluated, claimControlOverturned } from '#events/claim.ts';
import { controlModes } from '../../contract/adjudication/spec.ts';
import { exportControlHit, queryControlHitList } from '../../contract/controls/hits.ts';
import { own, ownTx } from '../database.ts';
import { hitScope } from './hitCounts.ts';
import { moduleScope } from './records.ts';

const traceText = z.object({ text: z.string() });
const textOf = (trace: unknown): string => {
  const known = z.safeParse(traceText, trace);
  return known.success ? known.data.text : '';
};

const hitList = listOf(queryControlHitList)
  .from(({ db, staff }) =>
    own(db)
      .selectFrom('insuranceControlHit as h')
      .innerJoin('insuranceControlRuleVersion as v', 'v.id', 'h.ruleVersionId')
      .innerJoin('insuranceControlRule as r', 'r.id', 'h.controlRuleId')
      .innerJoin('insuranceControlModule as m', 'm.id', 'r.moduleId')
      .leftJoin('insuranceStatClaim as c', 'c.claimId', 'h.claimId')
      .where(moduleScope(staff))
      .where(hitScope(staff)),
  )
  .with({
    where: {
      ruleId: 'h.controlRuleId',
      moduleId: 'r.moduleId',
      from: (eb, day) => eb('h.at', '>=', startOfDay(day)),
      to: (eb, day) => eb('h.at', '<', startOfDay(plusDays(day, 1))),
      mode: 'h.mode',
      overturned: 'h.overturned',
      insurerId: 'c.insurerId',
      productLine: 'c.productLine',
      productId: 'c.productId',
      adcode: (_eb, adcodes) => sql<SqlBool>`c.adcode like any(${adcodes.map((one) => `${regionPrefix(one)}%`)}::text[])`,
      testUser: 'c.testUser',
    },
    id: 'h.id',
    sorts: { at: 'h.at' },
    order: [['h.at', 'desc']],
    select: (rows) =>
      rows
        .select(['h.id', 'h.at', 'r.ruleCode', 'v.ruleName', 'v.versionNo', 'h.stage', 'h.mode', 'h.claimId', 'c.claimNo', 'h.lineNo'])
        .select(['h.trace', 'h.savedFen', 'h.overturned', 'h.overturnedAt']),
    present: (rows) =>
      rows.map(({ trace, savedFen, lineNo, stage, ...row }) => ({
        ...row,
        stage: z.parse(queryControlHitList.output.shape.stage, stage),
        lineNo: lineNo === 0 ? null : lineNo,
        trace: textOf(trace),
        savedFen: Number(savedFen),
      })),
  });

export const hitListHandler = hitList.handler;
export const hitExport = listExport(hitList, { call: exportControlHit, title: '控费命中', routeKey: 'controlModule:hits' });

const mode = z.enum(controlModes);

/** A hit counts once, however often it is told; one of a rule that is not ours is nobody's. */
const evaluated = consumer('insurance', claimControlEvaluated, async ({ payload, at }, { tx }) => {
  const rule = await ownTx(tx)
    .selectFrom('insuranceControlRuleVersion as v')
    .innerJoin('insuranceControlRule as r', 'r.id', 'v.controlRuleId')
    .innerJoin('insuranceControlModule as m', 'm.id', 'r.moduleId')
    .select(['v.id', 'r.id as controlRuleId', 'm.stage'])
    .where('v.id', '=', payload.ruleVersionId)
    .executeTakeFirst();
  if (!rule) return;
  await ownTx(tx)
    .insertInto('insuranceControlHit')
    .values({
      evaluationId: payload.evaluationId,
      ruleVersionId: rule.id,
      controlRuleId: rule.controlRuleId,
      lineNo: payload.lineNo ?? 0,
      claimId: payload.claimId,
      stage: rule.stage,
      mode: z.parse(mode, payload.mode),
      trace: json(payload.trace),
      savedFen: String(payload.savedFen),
      at,
    })
    .onConflict((on) => on.columns(['evaluationId', 'ruleVersionId', 'lineNo']).doNothing())
    .execute();
});

/** Told before the hit itself, it waits for it: the delivery is tried again. */
const overturned = consumer('insurance', claimControlOverturned, async ({ payload, at }, { tx }) => {
  const row = await ownTx(tx)
    .updateTable('insuranceControlHit')
    .set({ overturned: true, overturnedAt: at, savedFen: '0' })
    .where('evaluationId', '=', payload.evaluationId)
    .where('ruleVersionId', '=', payload.ruleVersionId)
    .where('lineNo', '=', payload.lineNo ?? 0)
    .returning('id')
    .executeTakeFirst();
  if (row) return;
  const known = await ownTx(tx)
    .selectFrom('insuranceControlRuleVersion')
    .select('id')
    .where('id', '=', payload.ruleVersionId)
    .executeTakeFirst();
  if (known) throw new Error(`the hit of evaluation ${payload.evaluationId} is not known yet`);
});

export const hitConsumers = [evaluated, overturned];
