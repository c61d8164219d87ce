import { asSystem, type Acting } from '#kernel/server/command/acting.ts';
import { Refusal } from '#kernel/contract/errors.ts';
import { plusMs, type Instant } from '#kernel/contract/time.ts';
import { moveState } from '#kernel/server/audit/transition.ts';
import { job, type JobDeclaration } from '#kernel/server/jobs/declaration.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import type { Writing } from '#kernel/server/context.ts';
import type { Selectable } from 'kysely';
import type { PatientRealNameRequest } from '../tables.ts';
import type { CheckMethod, CheckResult } from '../../contract/dictionaries.ts';
import { birthOfIdNumber, genderOfIdNumber } from '../../contract/idNumber.ts';
import { patientPermissions } from '../../contract/permissions.ts';
import { realNameMachine } from '../../contract/states.ts';
import { everyone, lockPatient, type Seen } from '../access.ts';
import { own, ownTx } from '../database.ts';
import { findDuplicates, SAME_NUMBER } from '../persons/duplicates.ts';
import { suggestMerge } from '../persons/insert.ts';
import { TARGET } from '../persons/save.ts';
import { providerOf, type ProviderAnswer } from './provider.ts';
import { requireFreeCertificate, setState } from './request.ts';

/** After so many failures of the provider a person decides. */
const TRIES = 3;
const PAUSE_MS = 60_000;
const PATIENCE_MS = 5_000;

type Request = Selectable<PatientRealNameRequest>;

/** What becomes of the record when identity is proven. */
export const provenFacts = (
  request: Pick<Request, 'name' | 'idType' | 'idNoCipher' | 'idNoHash' | 'idNoMasked'>,
  idNo: string,
  checkId: string,
  now: Instant,
) => ({
  name: request.name,
  idType: request.idType,
  idNoCipher: request.idNoCipher,
  idNoHash: request.idNoHash,
  idNoMasked: request.idNoMasked,
  realNameAt: now,
  realNameCheckId: checkId,
  ...(request.idType === 'ID' ? { birthDate: birthOfIdNumber(idNo), gender: genderOfIdNumber(idNo) } : {}),
});

/** Keeps an answer; rows of checks are never changed. */
export async function keepCheck(
  writing: Pick<Writing, 'tx'>,
  request: Request,
  answer: { result: CheckResult; ref: string | null; decidedBy?: string; opinion?: string; method?: CheckMethod },
  now: Instant,
): Promise<string> {
  const { id } = await ownTx(writing.tx)
    .insertInto('patientRealNameCheck')
    .values({
      patientId: request.patientId,
      requestId: request.id,
      method: answer.method ?? request.method,
      name: request.name,
      idType: request.idType,
      idNoCipher: request.idNoCipher,
      idNoHash: request.idNoHash,
      idNoMasked: request.idNoMasked,
      mobileMasked: request.mobileMasked,
      result: answer.result,
      providerRef: answer.ref,
      fileIds: request.fileIds,
      decidedBy: answer.decidedBy ?? null,
      opinion: answer.opinion ?? null,
      at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

async function applyPass(kernel: Kernel, acting: Acting, seen: Seen, request: Request, checkId: string): Promise<Refusal | null> {
  const place = { targetType: TARGET, targetId: seen.id, targetNo: seen.patientNo, from: 'PENDING' } as const;
  try {
    await requireFreeCertificate(acting.tx, seen, request);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    // Somebody else was proven with the same number meanwhile: the answer is kept, the record is not verified.
    await moveState(acting, realNameMachine, { ...place, action: 'mismatch', opinion: error.message });
    await setState(acting, seen.id, 'FAILED');
    const twins = await findDuplicates(
      acting.tx,
      { name: request.name, birthDate: null, idNoHash: request.idNoHash, mobileHash: null },
      acting.now.slice(0, 10),
      seen.id,
      SAME_NUMBER,
    );
    await suggestMerge(
      kernel,
      acting,
      seen.id,
      twins.filter(({ real }) => real),
      acting.now,
    );
    return error;
  }
  await moveState(acting, realNameMachine, { ...place, action: 'pass' });
  await setState(acting, seen.id, 'VERIFIED', provenFacts(request, kernel.secrets.decrypt(request.idNoCipher), checkId, acting.now));
  return null;
}

/** Applies an answer to the request, if it is still the latest. @returns the refusal that the loser of a race gets */
async function applyAnswer(
  kernel: Kernel,
  job: JobDeclaration<{ requestId: string }>,
  requestId: string,
  answer: ProviderAnswer,
  writing: Writing,
  facts: { now: Instant; traceId: string },
): Promise<Refusal | null> {
  const acting = asSystem(writing, facts);
  const tx = ownTx(writing.tx);
  const known = await tx.selectFrom('patientRealNameRequest').select('patientId').where('id', '=', requestId).executeTakeFirstOrThrow();
  const seen = await lockPatient(writing.tx, everyone, known.patientId, facts.now);
  const request = await tx
    .selectFrom('patientRealNameRequest')
    .selectAll()
    .where('id', '=', requestId)
    .where('open', '=', true)
    .forUpdate()
    .executeTakeFirst();
  if (!request || seen.realNameState !== 'PENDING' || seen.id !== request.patientId) return null;
  const checkId = await keepCheck(writing, request, answer, facts.now);
  if (answer.result === 'ERROR' && request.attempts + 1 < TRIES) {
    await tx
      .updateTable('patientRealNameRequest')
      .set({ attempts: request.attempts + 1 })
      .where('id', '=', requestId)
      .execute();
    await writing.enqueue(
      job,
      { requestId },
      {
        startAfter: plusMs(facts.now, PAUSE_MS * (request.attempts + 1)),
        singletonKey: `patient.verify:${requestId}:${request.attempts + 1}`,
      },
    );
    return null;
  }
  const place = { targetType: TARGET, targetId: seen.id, targetNo: seen.patientNo, from: 'PENDING' } as const;
  if (answer.result === 'ERROR') {
    await moveState(acting, realNameMachine, { ...place, action: 'giveUp' });
    await tx.updateTable('patientRealNameRequest').set({ attempts: TRIES }).where('id', '=', requestId).execute();
    await setState(acting, seen.id, 'MANUAL');
    await kernel.ports.notices.addTodo(
      writing.tx,
      {
        businessKey: `patient.manual:${seen.id}`,
        title: `待人工核验实名：${seen.patientNo}`,
        permission: patientPermissions['realName.audit'].code,
      },
      facts.now,
    );
    return null;
  }
  await tx.updateTable('patientRealNameRequest').set({ open: false }).where('id', '=', requestId).execute();
  if (answer.result === 'PASS') return applyPass(kernel, acting, seen, request, checkId);
  await moveState(acting, realNameMachine, { ...place, action: 'mismatch' });
  await setState(acting, seen.id, 'FAILED');
  return null;
}

export interface Verifier {
  job: JobDeclaration<{ requestId: string }>;
  /** Asks the provider now and applies the answer. */
  run(
    requestId: string,
    facts: { now: Instant; traceId: string },
    signal?: AbortSignal,
  ): Promise<{ answer: ProviderAnswer | null; refusal: Refusal | null }>;
}

export function makeVerifier(kernel: Kernel): Verifier {
  const verifyJob: JobDeclaration<{ requestId: string }> = job<{ requestId: string }>({
    name: 'patient.verifyRealName',
    label: '实名核验',
    retryLimit: 3,
    expireSeconds: 60,
    concurrency: 4,
    subject: ({ requestId }) => requestId,
    async run({ requestId }, ctx) {
      await verifier.run(requestId, ctx, ctx.signal);
    },
  });
  const verifier: Verifier = {
    job: verifyJob,
    async run(requestId, facts, signal) {
      const request = await own(kernel.db)
        .selectFrom('patientRealNameRequest')
        .selectAll()
        .where('id', '=', requestId)
        .where('open', '=', true)
        .executeTakeFirst();
      if (!request || request.method === 'MANUAL') return { answer: null, refusal: null };
      const { secrets } = kernel;
      const answer = await providerOf(kernel).ask(
        {
          requestId: `${requestId}-${request.attempts}`,
          method: request.method,
          name: request.name,
          idType: request.idType,
          idNo: secrets.decrypt(request.idNoCipher),
          mobile: request.mobileCipher && secrets.decrypt(request.mobileCipher),
        },
        AbortSignal.any([AbortSignal.timeout(PATIENCE_MS), ...(signal ? [signal] : [])]),
      );
      const refusal = await kernel.transactions.run(facts.traceId, (writing) =>
        applyAnswer(kernel, verifyJob, requestId, answer, writing, facts),
      );
      return { answer, refusal };
    },
  };
  return verifier;
}
