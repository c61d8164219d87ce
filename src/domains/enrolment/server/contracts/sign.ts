import { refuse, refuseField } from '#kernel/contract/errors.ts';
import { dayOf, startOfDay, type Instant } from '#kernel/contract/time.ts';
import { actionAnswer } from '#kernel/server/audit/actionAnswer.ts';
import type { Acting } from '#kernel/server/command/acting.ts';
import { limitRate } from '#kernel/server/command/rateLimit.ts';
import { command } from '#kernel/server/handler.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { attach, fileHash } from '#domains/files/server/index.ts';
import { resendSignLink, signContractOnPaper } from '../../contract/calls/contracts.ts';
import { CONTRACT_SIGN } from '../../contract/contractPurposes.ts';
import type { SignChannel } from '../../contract/contractDictionaries.ts';
import { contractMachine } from '../../contract/contractStates.ts';
import { enrolmentErrors } from '../../contract/errors.ts';
import { feeOf, termOf } from '../../contract/rules/term.ts';
import { own } from '../database.ts';
import { contractRecords, type ContractRecord } from './access.ts';
import { beginsWith } from './begin.ts';
import { renderContract, storedHash } from './document.ts';
import { moveContract } from './move.ts';
import { openPay } from './pays.ts';
import { publishSigned } from './publish.ts';
import { signLinkOf } from './signLink.ts';

interface Signature {
  channel: SignChannel;
  fileId: string;
  sha256: string;
  signedAt: Instant;
}

/** What signing today would agree. @throws Refusal SCM14003 where the cover is over by then */
export function agreedTerm(contract: ContractRecord, signedAt: Instant) {
  const term = termOf({ ...contract, signedOn: dayOf(signedAt) });
  if (!term) throw refuse(enrolmentErrors.NOT_COVERED, { message: '保障期已结束，不能签署' });
  const fee = contract.payMode === 'PLATFORM' ? feeOf(BigInt(contract.listFeeFen), contract.prorated, term) : 0n;
  return { startDate: term.startDate, endDate: term.endDate, feeFen: String(fee) };
}

/** A locked contract is signed: its days and its fee stand from now on. */
export async function signContract(kernel: Kernel, ctx: Acting, contract: ContractRecord, signature: Signature): Promise<ContractRecord> {
  const { startDate, endDate, feeFen } = agreedTerm(contract, signature.signedAt);
  const change = {
    startDate,
    endDate,
    feeFen,
    signFileId: signature.fileId,
    signSha256: signature.sha256,
    signedAt: signature.signedAt,
    signChannel: signature.channel,
    signDueAt: null,
  };
  if (feeFen !== '0') {
    const moved = await moveContract(ctx, contract, 'sign', change);
    await openPay(kernel, ctx, moved);
    await publishSigned(ctx, moved);
    return moved;
  }
  await publishSigned(ctx, { ...contract, startDate, endDate });
  return beginsWith(ctx, contract, { wait: 'signFree', start: 'signStarted' }, change);
}

/** @throws Refusal SCM14041 where the stored bytes are not those that were uploaded */
export const signOnPaper = (kernel: Kernel) =>
  command(signContractOnPaper, async ({ contractId, version, signedOn, fileId }, ctx) => {
    const contract = await contractRecords.lockVersion(ctx, contractId, version, (row) => ({
      contractId: row.id,
      signedOn: row.signedAt === null ? null : dayOf(row.signedAt),
      fileId: row.signFileId,
    }));
    if (signedOn > ctx.today) throw refuseField('signedOn', '签署日期不能晚于今天');
    if (signedOn < dayOf(contract.createdAt)) throw refuseField('signedOn', '签署日期不能早于合同建立日期');
    await attach(
      ctx.tx,
      {
        fileIds: [fileId],
        purpose: CONTRACT_SIGN,
        ownerType: contractRecords.type,
        ownerId: contract.id,
        field: 'sign',
        userId: ctx.staff.userId,
      },
      ctx.now,
    );
    const sha256 = await fileHash(ctx.tx, fileId, { purpose: CONTRACT_SIGN });
    if (sha256 === null || (await storedHash(kernel, ctx.tx, fileId)) !== sha256) throw refuse(enrolmentErrors.SIGN_DIFFERS);
    const signedAt = signedOn === ctx.today ? ctx.now : startOfDay(signedOn, '12:00');
    return actionAnswer(ctx, contractMachine, await signContract(kernel, ctx, contract, { channel: 'PAPER', fileId, sha256, signedAt }));
  });

/** Of what is made for somebody without an account. */
const NOBODY = contractRecords.everyone.userId;

/** Whoever has the link and knows the end of the number signs the own document. */
export async function signOverLink(kernel: Kernel, ctx: Acting, contractId: string, ip: string): Promise<ContractRecord> {
  const contract = await contractRecords.lock(ctx.tx, contractRecords.everyone, contractId);
  if (contract.state !== 'WAIT_SIGN') return contract;
  const agreed = agreedTerm(contract, ctx.now);
  const stored = await kernel.ports.files.store(
    ctx.tx,
    {
      purpose: CONTRACT_SIGN,
      name: `${contract.contractNo}.pdf`,
      body: renderContract({ ...contract, ...agreed }, { at: ctx.now, ip }),
      contentType: 'application/pdf',
      createdBy: NOBODY,
      sensitive: true,
    },
    ctx.now,
  );
  await attach(
    ctx.tx,
    {
      fileIds: [stored.fileId],
      purpose: CONTRACT_SIGN,
      ownerType: contractRecords.type,
      ownerId: contract.id,
      field: 'sign',
      userId: NOBODY,
    },
    ctx.now,
  );
  return signContract(kernel, ctx, contract, { channel: 'E_SIGN', fileId: stored.fileId, sha256: stored.sha256, signedAt: ctx.now });
}

const LINK_SECONDS = 60;
export const resendLink = (kernel: Kernel) =>
  command(resendSignLink, async ({ contractId }, ctx) => {
    const contract = await contractRecords.lock(ctx.tx, ctx.staff, contractId);
    if (!contractMachine.canStart('sign', contract.state))
      throw refuse(enrolmentErrors.CONTRACT_IN_FORCE, { message: '合同已签署，无需再生成签署链接' });
    await limitRate(ctx.tx, `enrolment.signLink.${contractId}`, { max: 1, seconds: LINK_SECONDS }, ctx.now);
    ctx.target({ type: contractRecords.type, id: contract.id, no: contract.contractNo, looked: true });
    return { link: signLinkOf(kernel, contract.id), sentAt: ctx.now };
  });

/** The payment that waits for its payer; null: none does. */
export const openPayOf = (kernel: Kernel, contractId: string) =>
  own(kernel.db)
    .selectFrom('enrolmentContractPay')
    .select(['payNo', 'channel'])
    .where('contractId', '=', contractId)
    .where('state', 'in', ['INIT', 'PENDING', 'UNKNOWN'])
    .executeTakeFirst();
