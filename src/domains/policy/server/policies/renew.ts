import { Refusal, refuseField } from '#kernel/contract/errors.ts';
import { command } from '#kernel/server/handler.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { renewPolicy } from '../../contract/calls/policies.ts';
import { policyErrors } from '../../contract/errors.ts';
import { policyMachine } from '../../contract/states.ts';
import { policyRecords } from '../access.ts';
import { startRenewal } from '../batches/add.ts';
import { own } from '../database.ts';
import { publishRenewed } from '../endorsements/publish.ts';
import { requireNotRenewed } from './renewals.ts';
import { createPolicy } from './write.ts';

/** States in which a policy may go on for another term. */
const RENEWABLE = ['IN_FORCE', 'EXPIRED'] as const;

export const renew = (kernel: Kernel) =>
  command(renewPolicy, async ({ policyId, version, policyNo, coverageStart, coverageEnd }, ctx) => {
    const { secrets } = kernel;
    const former = await policyRecords.lockVersion(ctx, policyId, version);
    if (!RENEWABLE.some((state) => state === former.state))
      throw new Refusal(
        policyErrors.POLICY_OVER.code,
        `保单${policyMachine.states[former.state].label}，不能续保${former.state === 'SUSPENDED' ? '，请先复效' : ''}`,
      );
    await requireNotRenewed(ctx, former.id);
    if (coverageStart <= former.coverageEnd) throw refuseField('coverageStart', `新起保日期须晚于原保单终保日期${former.coverageEnd}`);
    const open = (cipher: string | null) => (cipher === null ? null : secrets.decrypt(cipher));
    const made = await createPolicy(
      ctx,
      secrets,
      ctx.staff,
      {
        policyNo,
        productId: former.productId,
        policyType: former.policyType,
        holderType: former.holderType,
        holderName: former.holderName,
        holderIdNo: open(former.holderIdNoCipher),
        holderContact: open(former.holderContactCipher),
        coverageStart,
        coverageEnd,
        payMode: former.payMode,
        graceDays: former.graceDays,
        prorate: former.prorate,
        refundFeeBp: former.refundFeeBp,
        refundIfClaimed: former.refundIfClaimed,
        declaredCount: former.declaredCount,
        maxBackdateDays: former.maxBackdateDays,
        adcode: former.adcode,
        channelName: former.channelName,
      },
      { renewalOfPolicyId: former.id },
    );
    const batch = await startRenewal(kernel, ctx, former, { id: made.id, coverageStart });
    ctx.target({ type: 'policy.policy', id: made.id, no: made.policyNo });
    await publishRenewed(ctx, await own(ctx.tx).selectFrom('policyPolicy').selectAll().where('id', '=', made.id).executeTakeFirstOrThrow());
    return { ...made, batchId: batch.id, batchNo: batch.batchNo };
  });
