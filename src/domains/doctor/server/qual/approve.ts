import { updatedColumns } from '#kernel/server/command/stampedColumns.ts';
import { moveState } from '#kernel/server/audit/transition.ts';
import { differencesOf } from '#kernel/server/command/differences.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { pinyinText } from '#kernel/server/text/pinyin.ts';
import type { Acting } from '#kernel/server/command/acting.ts';
import type { CertType } from '../../contract/dictionaries.ts';
import { directOf, qualFactLabels } from '../../contract/qualFields.ts';
import { accountMachine, qualMachine } from '../../contract/states.ts';
import { refreshCard } from '../cards/onDoctorChanged.ts';
import { replaceCerts } from '../certs/replace.ts';
import { ownTx } from '../database.ts';
import { workplaceColumns } from '../doctors/entry/create.ts';
import { idNoColumns } from '../doctors/entry/person.ts';
import { certsBlock, recomputePractice } from '../doctors/practice/practice.ts';
import { publishDoctor } from '../doctors/practice/publish.ts';
import { type ApplyRecord, bestReading, factsInForce, sourcesOf, type StoredCert } from './payload.ts';
import { requireUnused } from './submit.ts';

interface Approved {
  hospitalName: string | null;
  titleCode: string | null;
}
const hospitalOn = ({ hospitalName }: Approved) => (hospitalName === null ? {} : { hospitalName });
const titleOn = ({ titleCode }: Approved) => (titleCode === null ? {} : { titleCode });
/** What the audit took as printed where nobody typed it off: the next application is compared with it. */
const approvedOn: Partial<Record<CertType, (facts: Approved) => object>> = {
  PRACTICE: hospitalOn,
  BADGE: (facts) => ({ ...hospitalOn(facts), ...titleOn(facts) }),
  TITLE: titleOn,
};

/** A certificate as it comes into force: what was confirmed on it counts before what was typed. */
function approvedCert(kernel: Kernel, cert: StoredCert, facts: Approved) {
  const best = bestReading(kernel.secrets, cert);
  const { certNo: _no, ...printed } = best;
  return {
    ...cert,
    id: undefined,
    validTo: best.validTo ?? null,
    extracted: { read: Object.keys(sourcesOf(kernel.secrets, cert).read) },
    verified: { ...approvedOn[cert.certType]?.(facts), ...printed, by: cert.verifiedBy },
  };
}

async function writePractices(
  ctx: Acting,
  doctorId: string,
  hospitalId: string,
  certs: readonly { id: string; certType: string; hospitalId: string | null; validFrom: string | null; validTo: string | null }[],
): Promise<void> {
  const tx = ownTx(ctx.tx);
  await tx
    .updateTable('doctorPractice')
    .set({ isMain: false, updatedAt: ctx.now })
    .where('doctorId', '=', doctorId)
    .where('isMain', '=', true)
    .where('hospitalId', '<>', hospitalId)
    .execute();
  const practice = certs.find(({ certType }) => certType === 'PRACTICE');
  const sites = [
    { hospitalId, isMain: true, cert: practice },
    ...certs.flatMap((cert) =>
      cert.certType === 'MULTI_SITE' && cert.hospitalId !== null && cert.hospitalId !== hospitalId
        ? [{ hospitalId: cert.hospitalId, isMain: false, cert }]
        : [],
    ),
  ];
  for (const { cert, isMain, ...site } of sites) {
    const dates = cert ? { certId: cert.id, validFrom: cert.validFrom, validTo: cert.validTo } : {};
    await tx
      .insertInto('doctorPractice')
      .values({ doctorId, ...site, isMain, ...dates, createdAt: ctx.now, createdBy: ctx.staffOrNull?.userId ?? null, updatedAt: ctx.now })
      .onConflict((conflict) => conflict.columns(['doctorId', 'hospitalId']).doUpdateSet({ isMain, ...dates, updatedAt: ctx.now }))
      .execute();
  }
}

/** Everything that an approval does, in the transaction of the verdict: facts, certificates, places of practice, services, card, event. */
export async function applyApproved(kernel: Kernel, ctx: Acting, apply: ApplyRecord): Promise<void> {
  const tx = ownTx(ctx.tx);
  const doctor = await tx.selectFrom('doctorDoctor').selectAll().where('id', '=', apply.doctorId).forUpdate().executeTakeFirstOrThrow();
  await requireUnused(ctx, doctor.id, apply.payload);
  const { facts } = apply.payload;
  const place = await workplaceColumns(ctx.tx, facts);
  const certs = apply.payload.certs.map((cert) =>
    approvedCert(kernel, cert, { hospitalName: place.hospitalName, titleCode: facts.titleCode }),
  );
  const certIds = await replaceCerts(ctx, doctor.id, apply.id, certs);
  const before = factsInForce(doctor);
  const written = {
    ...place,
    name: facts.name ?? doctor.name,
    namePinyin: pinyinText(facts.name ?? doctor.name),
    ...directOf(facts),
    ...(facts.idNoCipher === null || facts.idNoHash === doctor.idNoHash
      ? {}
      : idNoColumns(kernel.secrets, kernel.secrets.decrypt(facts.idNoCipher))),
  };
  const labels = { ...qualFactLabels, idNoMasked: qualFactLabels.idNo };
  const differences = differencesOf(before, { ...facts, hospitalId: place.hospitalId, hospitalApplyId: null }, labels);
  const first = apply.applyType === 'FIRST';
  const from = doctor.qualState;
  // A change of other facts does not bring an ended certificate back.
  const stays = !qualMachine.canStart('approve', from) || (from === 'EXPIRED' && (await certsBlock(ctx.tx, doctor.id, ctx.today)));
  const qualState = stays
    ? from
    : await moveState(ctx, qualMachine, {
        targetType: 'doctor.doctor',
        targetId: doctor.id,
        targetNo: doctor.doctorNo,
        action: 'approve',
        from,
        differences,
      });
  if (stays && differences.length > 0)
    await moveState(ctx, accountMachine, {
      targetType: 'doctor.doctor',
      targetId: doctor.id,
      targetNo: doctor.doctorNo,
      action: 'modify',
      from: doctor.accountState,
      differences,
    });
  await tx
    .updateTable('doctorDoctor')
    .set((eb) => ({
      ...written,
      qualState,
      qualReason: qualState === 'EXPIRED' ? doctor.qualReason : null,
      version: eb('version', '+', 1),
      ...updatedColumns(ctx),
    }))
    .where('id', '=', doctor.id)
    .execute();
  if (place.hospitalId !== null)
    await writePractices(
      ctx,
      doctor.id,
      place.hospitalId,
      certs.map((cert, index) => ({ ...cert, id: certIds[index]! })),
    );
  await recomputePractice(ctx, doctor.id);
  await refreshCard(ctx, doctor.id);
  await publishDoctor(ctx, doctor.id, [...differences.map(({ path }) => path), 'qualState'], first ? 'approved' : 'changed');
}
