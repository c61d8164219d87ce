import { refuse, refuseField } from '#kernel/contract/errors.ts';
import { daysBetween, type Day } from '#kernel/contract/time.ts';
import { createdColumns, updatedColumns } from '#kernel/server/command/stampedColumns.ts';
import { nextNumber } from '#kernel/server/command/numbers.ts';
import { command } from '#kernel/server/handler.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { getInsurer, pinVersion, resolveVersion } from '#domains/insurance/server/index.ts';
import { addPolicy, delPolicy, modifyPolicy } from '../../contract/calls/policies.ts';
import { policyErrors } from '../../contract/errors.ts';
import { normalPolicyNo } from '../../contract/rules/policyNo.ts';
import { policyRecords } from '../access.ts';
import { erasePolicy, policiesInUse } from './erase.ts';
import { json, own } from '../database.ts';
import { stateByDays } from '../endorsements/carryOut.ts';
import { holderColumns } from '../sensitive.ts';
import type { CheckedInputOf } from '#kernel/contract/call.ts';
import type { Acting } from '#kernel/server/command/acting.ts';
import type { Secrets } from '#kernel/server/sensitive/secrets.ts';
import type { Staff } from '#kernel/server/context.ts';

const FIVE_YEARS = 1827;
type Period = Record<'coverageStart' | 'coverageEnd', Day>;
const termOf = ({ coverageStart, coverageEnd }: Period): number => daysBetween(coverageStart, coverageEnd) + 1;
/** Why a policy cannot run from one day to the other; null: it can. */
export function periodFault(period: Period): string | null {
  if (period.coverageEnd < period.coverageStart) return '终保日期不能早于起保日期';
  return termOf(period) > FIVE_YEARS ? '保险期间最长5年' : null;
}

/** Whose number a policy's number is: the insurer's, or that of the enterprise that has none. */
export const insurerKeyOf = (insurerId: string | null, enterprise: string): string => insurerId ?? `S:${enterprise}`;

export type PolicyWish = CheckedInputOf<typeof addPolicy>;

/**
 * Writes a new policy with the version of its product that was in force when its cover begins.
 * @throws Refusal SCM13001–03, SCM90020
 */
export async function createPolicy(
  acting: Acting,
  secrets: Secrets,
  staff: Pick<Staff, 'scope'> | null,
  wish: PolicyWish,
  origin: { renewalOfPolicyId?: string | null; madeByBatchId?: string; createdBy?: string } = {},
) {
  const wrong = periodFault(wish);
  if (wrong !== null) throw refuseField('coverageEnd', wrong);
  const version = await resolveVersion(acting.tx, wish.productId, wish.coverageStart);
  if (!version) throw refuse(policyErrors.NO_VERSION, { date: wish.coverageStart });
  if (staff?.scope.insurer && (version.insurerId === null || !staff.scope.insurer.includes(version.insurerId)))
    throw refuse(policyErrors.NO_VERSION, { date: wish.coverageStart });
  if (version.status !== 'ON_SALE') throw refuse(policyErrors.NOT_ON_SALE);
  const insurer = version.insurerId === null ? null : await getInsurer(acting.tx, version.insurerId);
  const insurerName = insurer?.shortName ?? wish.holderName;
  const policyNoNorm = normalPolicyNo(wish.policyNo);
  const { holderIdNo, holderContact, productId: _product, ...facts } = wish;
  const row = await own(acting.tx)
    .insertInto('policyPolicy')
    .values({
      ...facts,
      adcode: wish.adcode || null,
      policyNoNorm,
      platformNo: await nextNumber(acting.tx, 'BD', acting.today),
      insurerKey: insurerKeyOf(version.insurerId, insurerName),
      insurerId: version.insurerId,
      insurerName,
      productId: version.productId,
      productVersionId: version.productVersionId,
      productVersionNo: version.versionNo,
      productCode: version.productCode,
      productName: version.productName,
      productLine: version.productLine,
      ...holderColumns(secrets, { holderIdNo, holderContact }),
      termDays: termOf(wish),
      suspensions: json([]),
      state: stateByDays(wish, acting.today),
      ...createdColumns(acting),
      ...origin,
    })
    .onConflict((on) => on.columns(['insurerKey', 'policyNoNorm']).doNothing())
    .returning(['id', 'policyNo', 'platformNo', 'state', 'version'])
    .executeTakeFirst();
  if (!row) throw refuse(policyErrors.POLICY_NO_TAKEN);
  await pinVersion(acting.tx, {
    productVersionId: version.productVersionId,
    refType: 'policy.policy',
    refId: row.id,
    endsOn: wish.coverageEnd,
    now: acting.now,
  });
  acting.target({ type: 'policy.policy', id: row.id, no: row.policyNo });
  return row;
}

export const add = ({ secrets }: Kernel) => command(addPolicy, (wish, ctx) => createPolicy(ctx, secrets, ctx.staff, wish));

export const modify = ({ secrets }: Kernel) =>
  command(modifyPolicy, async ({ id, version, holderContact, declaredCount, channelName }, ctx) => {
    const row = await policyRecords.lockVersion(ctx, id, version, ({ declaredCount: declared, channelName: channel }) => ({
      declaredCount: declared,
      channelName: channel,
    }));
    const { holderContactCipher, holderContactMasked } = holderColumns(secrets, { holderContact });
    ctx.target({ type: 'policy.policy', id, no: row.policyNo });
    ctx.changed(
      [
        { path: 'declaredCount', label: '申报人数', before: row.declaredCount, after: declaredCount },
        { path: 'channelName', label: '渠道', before: row.channelName, after: channelName },
      ].filter(({ before, after }) => before !== after),
    );
    return own(ctx.tx)
      .updateTable('policyPolicy')
      .set((eb) => ({
        declaredCount,
        channelName,
        // a number that was not entered again stays
        ...(holderContact !== undefined && { holderContactCipher, holderContactMasked }),
        ...updatedColumns(ctx),
        version: eb('version', '+', 1),
      }))
      .where('id', '=', id)
      .returning(['id', 'version'])
      .executeTakeFirstOrThrow();
  });

/** A policy that nothing ever hung on, entered by mistake. */
export const remove = command(delPolicy, async ({ id, version }, ctx) => {
  const row = await policyRecords.lockVersion(ctx, id, version);
  const [used] = await policiesInUse(ctx.tx, [id]);
  if (used) throw refuse(policyErrors.COVER_USED, { message: used.message });
  await erasePolicy(ctx, row);
  ctx.target({ type: 'policy.policy', id, no: row.policyNo });
  return {};
});
