import { doctorApproved, doctorChanged } from '#events/doctor.ts';
import { consentChanged, realNameChanged, recordChanged } from '#events/patient.ts';
import { medicineChanged } from '#events/pharma.ts';
import { consumer, type ConsumerContext } from '#kernel/server/outbox/consumer.ts';
import type { ObjectTypeCode } from '../../contract/marks/dictionaries.ts';
import { ownTx } from '../database.ts';
import { typeOf } from '../marks/objects.ts';
import { applyRule } from './apply.ts';
import { readConditions, judge } from './judge.ts';
import { variableFinder } from './variables.ts';

/** Judges one object by the rules that run with events and ask something that this event may have changed. */
async function judgeObject(ctx: ConsumerContext, event: string, objectType: ObjectTypeCode, objectId: string): Promise<void> {
  const rules = await ownTx(ctx.tx)
    .selectFrom('contentMarkRule')
    .selectAll()
    .where('state', '=', 'RUNNING')
    .where('schedule', '=', 'EVENT')
    .where('objectType', '=', objectType)
    .orderBy('groupId')
    .orderBy('id')
    .execute();
  if (rules.length === 0) return;
  const type = typeOf(ctx.kernel, objectType);
  if (!type.rules) return;
  // Records that were merged or cancelled carry no marks.
  const [there] = await type.after(ctx.tx, String(BigInt(objectId) - 1n), 1, ctx.now);
  if (there !== objectId) return;
  const variableOf = variableFinder(ctx.kernel, objectType);
  for (const row of rules) {
    const rule = { ...row, conditions: readConditions(row.conditions) };
    if (!rule.conditions.some(({ variableCode }) => variableOf(variableCode)?.refreshOn.includes(event))) continue;
    await applyRule(
      { tx: ctx.tx, publishMany: ctx.publishMany, now: ctx.now },
      rule,
      await judge(ctx.tx, type.rules, rule, [objectId], ctx.now),
    );
  }
}

/** Rules hear for themselves, beside the copies and bindings of this domain. */
const HEARER = 'content.rules';

export const ruleConsumers = [
  consumer(HEARER, recordChanged, ({ payload }, ctx) => judgeObject(ctx, recordChanged.name, 'PATIENT', payload.patientId)),
  consumer(HEARER, realNameChanged, ({ payload }, ctx) => judgeObject(ctx, realNameChanged.name, 'PATIENT', payload.patientId)),
  consumer(HEARER, consentChanged, ({ payload }, ctx) => judgeObject(ctx, consentChanged.name, 'PATIENT', payload.patientId)),
  consumer(HEARER, doctorApproved, ({ payload }, ctx) => judgeObject(ctx, doctorApproved.name, 'DOCTOR', payload.doctorId)),
  consumer(HEARER, doctorChanged, ({ payload }, ctx) => judgeObject(ctx, doctorChanged.name, 'DOCTOR', payload.doctorId)),
  consumer(HEARER, medicineChanged, ({ payload }, ctx) => judgeObject(ctx, medicineChanged.name, 'MEDICINE', payload.medicineId)),
];
