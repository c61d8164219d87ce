import { refuseField } from '#kernel/contract/errors.ts';
import { command } from '#kernel/server/handler.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { sealed, withChange } from '#kernel/server/review/readings.ts';
import { attach } from '#domains/files/server/index.ts';
import { saveQualApplyWork } from '../../contract/calls/qual.ts';
import { json, ownTx } from '../database.ts';
import { applyRecords, sourcesOf } from './payload.ts';
import { CERT_OWNER, CERT_PURPOSE } from './files.ts';
import { checksOf, findAgain, presentChecks } from './checks/findings.ts';
import { desk } from './desk.ts';
import { APPLY_TARGET } from './submit.ts';

/** Keeps verdicts and what the auditor read on the certificates; the checks follow at once. */
export const saveWork = (kernel: Kernel) =>
  command(saveQualApplyWork, async ({ applyId, leaseToken, checks, certs }, ctx) => {
    const apply = await applyRecords.lock(ctx.tx, ctx.staff, applyId);
    await desk.requireHeld(ctx, apply, leaseToken);
    const own = ownTx(ctx.tx);
    const unknown = certs.find(({ id }) => !apply.payload.certs.some((cert) => cert.id === id));
    if (unknown) throw refuseField('certs', '没有这份证件');
    for (const { checkCode, humanVerdict, note } of checks) {
      await own
        .updateTable('doctorQualCheck')
        .set({ humanVerdict, note, updatedAt: ctx.now })
        .where('applyId', '=', applyId)
        .where('round', '=', apply.round)
        .where('checkCode', '=', checkCode)
        .execute();
    }
    if (certs.length > 0) {
      const screenshots = certs.flatMap(({ fileId }) => fileId ?? []);
      await attach(
        ctx.tx,
        { fileIds: screenshots, purpose: CERT_PURPOSE, ownerType: CERT_OWNER, ownerId: applyId, field: 'VERIFY', userId: ctx.staff.userId },
        ctx.now,
      );
      const payload = {
        ...apply.payload,
        certs: apply.payload.certs.map((cert) => {
          const edited = certs.find(({ id }) => id === cert.id);
          if (!edited) return cert;
          const merged = withChange(sourcesOf(kernel.secrets, cert).confirmed, edited.extracted ?? {});
          return {
            ...cert,
            confirmedCipher: sealed(kernel.secrets, merged),
            verifiedBy: ctx.staff.userId,
            ...(edited.verifySource === undefined ? {} : { verifySource: edited.verifySource }),
            ...(edited.fileId === undefined ? {} : { verifyFileId: edited.fileId }),
          };
        }),
      };
      await own
        .updateTable('doctorQualApply')
        .set({ payload: json(payload), updatedAt: ctx.now })
        .where('id', '=', applyId)
        .execute();
      await findAgain(kernel, ctx, { ...apply, payload });
    }
    ctx.target({ type: APPLY_TARGET, id: applyId, no: apply.applyNo });
    return { checks: presentChecks(await checksOf(ctx.tx, apply)), savedAt: ctx.now };
  });
