import type { Day } from '#kernel/contract/time.ts';
import type { Acting } from '#kernel/server/command/acting.ts';
import { linesBetween } from '../../contract/rules/cover.ts';
import { periodsOf } from '../../contract/rules/premium.ts';
import type { PolicyRecord } from '../access.ts';
import { own } from '../database.ts';
import { linesOf, termsOf } from './lines.ts';
import { makeOrder } from './makeOrder.ts';

/** What the order of the first period charges in parts: the cover that its endorsement wrote. */
async function chargedLines(tx: Acting['tx'], policy: PolicyRecord, endorsementId: string) {
  const rows = await own(tx)
    .selectFrom('policyCoverSlice')
    .select(['insuredItemId', 'planCode', 'coverageStart as from', 'coverageEnd as to', 'annualPremiumFen'])
    .where('createdByEndorsementId', '=', endorsementId)
    .orderBy('insuredItemId')
    .orderBy('coverageStart')
    .execute();
  const terms = termsOf(policy);
  return rows.flatMap(({ insuredItemId, annualPremiumFen, ...slice }) => {
    const write = [{ ...slice, annualFen: BigInt(annualPremiumFen) }];
    return linesOf(terms, insuredItemId, { supersede: [], write, lines: linesBetween([], write) });
  });
}

/**
 * Orders of the periods that begin until a day and have none yet. What is paid in parts is what the first order of the policy charged.
 * The caller holds the policy's lock.
 */
export async function instalmentsUntil(acting: Acting, policy: PolicyRecord, until: Day): Promise<string[]> {
  const first = await own(acting.tx)
    .selectFrom('policyPremiumOrder')
    .select(['sourceEndorsementId', 'makerId', 'makerName'])
    .where('policyId', '=', policy.id)
    .where('kind', 'in', ['NEW', 'RENEWAL'])
    .where('partOf', '>', 1)
    .where('state', 'not in', ['REJECTED', 'VOIDED', 'REVERSED'])
    .executeTakeFirst();
  if (!first?.sourceEndorsementId) return [];
  const lines = await chargedLines(acting.tx, policy, first.sourceEndorsementId);
  const there = await own(acting.tx)
    .selectFrom('policyPremiumOrder')
    .select('partNo')
    .where('policyId', '=', policy.id)
    .where('kind', '=', 'INSTALMENT')
    .where('state', 'not in', ['REJECTED', 'VOIDED', 'REVERSED'])
    .execute();
  const known = new Set(there.map(({ partNo }) => partNo));
  const made: string[] = [];
  for (const { no, of, from, to } of periodsOf(policy.payMode, policy.coverageStart, policy.termDays)) {
    if (no === 1 || known.has(no) || from > until) continue;
    const order = await makeOrder(acting, policy, lines, {
      kind: 'INSTALMENT',
      sourceEndorsementId: first.sourceEndorsementId,
      period: { from, to },
      part: { no, of },
      maker: { id: first.makerId, name: first.makerName },
      state: 'PENDING_AUDIT',
      dueOn: from,
    });
    if (order) made.push(order.premiumOrderNo);
  }
  return made;
}
