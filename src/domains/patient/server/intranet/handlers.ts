import { asSystem } from '#kernel/server/command/acting.ts';
import { machineOf, machineViewer } from '#kernel/server/auth/viewer.ts';
import { command, procedure, type Handler } from '#kernel/server/handler.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { completeFor, presign } from '#domains/files/server/index.ts';
import {
  bindAccount,
  completePatientFile,
  requestPatientFiles,
  resolvePatient,
  submitConsent,
  submitInspection,
  submitRealName,
} from '../../contract/calls/intranet.ts';
import { maskName } from '../../contract/idNumber.ts';
import { lockPatient, openPatient } from '../access.ts';
import { ownTx } from '../database.ts';
import { attachFiles, RECORD_PURPOSE } from '../files.ts';
import { addReport } from '../inspections/add.ts';
import { keepConsent } from '../consents/state.ts';
import { bind, candidatesOf, personsOfAccount } from '../persons/accounts.ts';
import { requireMobile } from '../persons/check.ts';
import { findOrCreate } from '../persons/findOrCreate.ts';
import { openRequest } from '../realName/request.ts';
import type { Verifier } from '../realName/verify.ts';
import { onceOnly } from './repeat.ts';

/** Calls of the patient's client; a repeat gets the stored answer. */
export const intranetHandlers = (kernel: Kernel, verifier: Verifier): readonly Handler[] => [
  command(resolvePatient, (input, ctx) =>
    onceOnly(ctx, ctx.tx, 'resolvePatient', input, async () => {
      const { externalRequestNo: _no, source, ...person } = input;
      requireMobile(person.mobile);
      const found = await findOrCreate(kernel, ctx, person, source, ctx.now);
      // Whom another house knows is not told to this one.
      if (!found.created) await openPatient(ctx.tx, machineViewer(ctx), found.patientId, ctx.now);
      ctx.target({ type: 'patient.patient', id: found.patientId, no: found.patientNo });
      return { ...found };
    }),
  ),
  command(bindAccount, (input, ctx) =>
    onceOnly(ctx, ctx.tx, 'bindAccount', input, async () => {
      const { externalRequestNo: _no, ...binding } = input;
      const seer = machineViewer(ctx);
      const { created } = await bind(kernel, ctx, { ...binding, seer }, ctx.now);
      const persons = await personsOfAccount(ctx.tx, binding.operatorId, { seer, now: ctx.now });
      const candidates = persons.length > 0 ? [] : await candidatesOf(kernel, ctx.tx, binding.mobile, seer, ctx.now);
      ctx.target({ type: 'patient.account', id: binding.operatorId });
      return {
        operatorId: binding.operatorId,
        created,
        persons,
        candidates: candidates.map(({ patientId, name, idNoMasked }) => ({ patientId, nameMasked: maskName(name), idNoMasked })),
      };
    }),
  ),
  command(requestPatientFiles, async ({ files }, ctx) => {
    const uploads = await presign(
      kernel,
      ctx,
      { userId: machineViewer(ctx).userId, name: machineOf(ctx).name, sessionId: null },
      RECORD_PURPOSE,
      files,
      ctx.now,
    );
    for (const { fileId } of uploads) ctx.target({ type: 'files.fileObject', id: fileId });
    return uploads.map(({ fileId, url, headers, parts, expiresAt }) => ({ fileId, url, headers, parts, expiresAt }));
  }),
  procedure(completePatientFile, async ({ fileId }, ctx) => {
    ctx.target({ type: 'files.fileObject', id: fileId });
    const { state } = await completeFor(kernel, machineViewer(ctx).userId, fileId, (work) => ctx.transaction(work), ctx.now);
    return { fileId, state };
  }),
  command(submitInspection, (input, ctx) =>
    onceOnly(ctx, ctx.tx, 'submitInspection', input, async () => {
      const { externalRequestNo: _no, patientId, ...report } = input;
      const seen = await lockPatient(ctx.tx, machineViewer(ctx), patientId, ctx.now);
      await attachFiles(ctx, machineViewer(ctx).userId, seen.id, 'inspection', report.fileIds);
      const id = await addReport(kernel, ctx, seen, { ...report, source: 'PATIENT' });
      const row = await ownTx(ctx.tx)
        .selectFrom('patientInspection')
        .select(['inspectionNo', 'status'])
        .where('id', '=', id)
        .executeTakeFirstOrThrow();
      return { inspectionId: id, ...row };
    }),
  ),
  command(submitConsent, (input, ctx) =>
    onceOnly(ctx, ctx.tx, 'submitConsent', input, async () => {
      const { externalRequestNo: _no, patientId, ...act } = input;
      const seen = await lockPatient(ctx.tx, machineViewer(ctx), patientId, ctx.now);
      ctx.target({ type: 'patient.patient', id: seen.id, no: seen.patientNo });
      return keepConsent(ctx, seen, { ...act, evidenceFileId: null, note: '', userId: null }, ctx.now);
    }),
  ),
  command(submitRealName, (input, ctx) =>
    onceOnly(ctx, ctx.tx, 'submitRealName', input, async () => {
      const { externalRequestNo: _no, patientId, ...wish } = input;
      const seen = await lockPatient(ctx.tx, machineViewer(ctx), patientId, ctx.now);
      const requestId = await openRequest(kernel, asSystem(ctx, ctx), seen, wish, 'submit', verifier.job);
      // The client waits for no provider: it is asked right after the commit, and by the job if that is lost.
      ctx.afterCommit(() => verifier.run(requestId, ctx).then(() => undefined));
      const { realNameState } = await openPatient(ctx.tx, machineViewer(ctx), patientId, ctx.now);
      return { patientId: seen.id, state: realNameState };
    }),
  ),
];
