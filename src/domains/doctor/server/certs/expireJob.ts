import { updatedColumns } from '#kernel/server/command/stampedColumns.ts';
import { sql } from 'kysely';
import { dayOf, daysBetween, plusDays } from '#kernel/contract/time.ts';
import { moveState } from '#kernel/server/audit/transition.ts';
import { job, type JobContext } from '#kernel/server/jobs/declaration.ts';
import { asSystem, type Acting } from '#kernel/server/command/acting.ts';
import { certTypes } from '../../contract/dictionaries.ts';
import { doctorPermissions } from '../../contract/permissions.ts';
import { certMachine, qualMachine } from '../../contract/states.ts';
import { everyone } from '#kernel/server/auth/viewer.ts';
import { doctorRecords } from '../access.ts';
import { own, ownTx } from '../database.ts';
import { DOCTOR_TARGET } from '../doctors/entry/files.ts';
import { textDoctor } from '../doctors/entry/person.ts';
import { publishDisabled, publishDoctor } from '../doctors/practice/publish.ts';
import { suspendOpenings } from '../openings/onDoctorChanged.ts';
import { offRecommendations } from '../recommendations/activateDue.ts';
import { refreshCard } from '../cards/onDoctorChanged.ts';
import { blocks, reminderDue } from './blocking.ts';

export const CERT_TARGET = 'doctor.cert';

/** A doctor whose blocking certificate ended may not practise: state, services, recommendations and card follow in one transaction. */
async function endPractice(ctx: Acting, kernel: JobContext['kernel'], doctorId: string): Promise<void> {
  const doctor = await doctorRecords.lock(ctx.tx, everyone, doctorId);
  if (doctor.qualState !== 'APPROVED') return;
  const certs = await ownTx(ctx.tx)
    .selectFrom('doctorCert')
    .select(['certType', 'validTo'])
    .where('doctorId', '=', doctorId)
    .where('state', 'in', ['VALID', 'EXPIRED'])
    .orderBy('validTo')
    .execute();
  const ended = certs.find((cert) => blocks(cert, ctx.today));
  if (!ended) return;
  const reason = `${certTypes.label(ended.certType)}已过期（${ended.validTo}）`;
  const qualState = await moveState(ctx, qualMachine, {
    targetType: DOCTOR_TARGET,
    targetId: doctorId,
    targetNo: doctor.doctorNo,
    action: 'expire',
    from: 'APPROVED',
    opinion: reason,
  });
  await ownTx(ctx.tx)
    .updateTable('doctorDoctor')
    .set((eb) => ({ qualState, qualReason: reason, practiceOk: false, version: eb('version', '+', 1), ...updatedColumns(ctx) }))
    .where('id', '=', doctorId)
    .execute();
  await suspendOpenings(ctx, doctorId, doctor.accountState === 'NORMAL' ? 'CERT' : 'FREEZE');
  await offRecommendations(ctx, doctorId, reason);
  await refreshCard(ctx, doctorId);
  await publishDisabled(ctx, doctorId, 'QUAL_EXPIRED');
  await publishDoctor(ctx, doctorId, ['qualState', 'practiceOk']);
  await textDoctor(kernel, ctx, doctorId, `【康桥】您的${reason}，服务已暂停，请尽快提交新证件。`);
  await kernel.ports.notices.addAlert(
    ctx.tx,
    {
      businessKey: `doctor.cert.blocked:${doctorId}:${ended.validTo}`,
      title: `医生${doctor.name}${reason}，服务已停用`,
      link: `/doctorManagement?doctorId=${doctorId}`,
      permission: doctorPermissions['qual.enter'].code,
    },
    ctx.now,
  );
}

/** The day after its last one a certificate is EXPIRED; a further site stops with its registration, treatment with the signature. */
async function expire(ctx: JobContext, cert: { id: string; doctorId: string; certType: string; hospitalId: string | null }): Promise<void> {
  await ctx.transaction(async (writing) => {
    const acting = asSystem(writing, ctx);
    const tx = ownTx(writing.tx);
    await doctorRecords.lock(writing.tx, everyone, cert.doctorId);
    const done = await tx
      .updateTable('doctorCert')
      .set({ state: 'EXPIRED', updatedAt: ctx.now })
      .where('id', '=', cert.id)
      .where('state', '=', 'VALID')
      .returning('id')
      .executeTakeFirst();
    // Replaced meanwhile.
    if (!done) return;
    await moveState(acting, certMachine, { targetType: CERT_TARGET, targetId: cert.id, action: 'expire', from: 'VALID' });
    if (cert.certType === 'MULTI_SITE')
      await tx
        .deleteFrom('doctorPractice')
        .where('doctorId', '=', cert.doctorId)
        .where('hospitalId', '=', cert.hospitalId)
        .where('isMain', '=', false)
        .execute();
    if (cert.certType === 'E_SIGN') await suspendOpenings(acting, cert.doctorId, 'CERT', { careKind: 'DIAGNOSIS' });
    await endPractice(acting, ctx.kernel, cert.doctorId);
    await publishDoctor(acting, cert.doctorId, ['certs']);
  });
}

async function remind(ctx: JobContext): Promise<void> {
  const today = dayOf(ctx.now);
  const rows = await own(ctx.db)
    .selectFrom('doctorCert as c')
    .innerJoin('doctorDoctor as d', 'd.id', 'c.doctorId')
    .select(['c.id', 'c.doctorId', 'c.certType', 'c.validTo', 'c.remindedDays', 'd.name', 'd.doctorNo'])
    .where('c.state', '=', 'VALID')
    .where('c.validTo', '>=', today)
    .where('c.validTo', '<=', plusDays(today, 90))
    .where('d.accountState', '<>', 'CANCELLED')
    .orderBy('c.validTo')
    .orderBy('c.id')
    .execute();
  for (const row of rows) {
    const due = row.validTo === null ? null : reminderDue(daysBetween(today, row.validTo), row.remindedDays);
    if (due === null || row.validTo === null) continue;
    if (ctx.signal.aborted) return;
    await ctx.transaction(async (writing) => {
      const marked = await ownTx(writing.tx)
        .updateTable('doctorCert')
        .set({ remindedDays: [...row.remindedDays, due], updatedAt: ctx.now })
        .where('id', '=', row.id)
        .where('state', '=', 'VALID')
        .where(sql<boolean>`not reminded_days @> array[${due}]::int[]`)
        .returning('id')
        .executeTakeFirst();
      if (marked)
        await notifyCertEnd(
          asSystem(writing, ctx),
          ctx.kernel,
          { ...row, validTo: row.validTo!, daysLeft: daysBetween(today, row.validTo!) },
          `doctor.cert.due:${row.id}:${due}`,
        );
    });
  }
}

interface EndingCert {
  id: string;
  doctorId: string;
  name: string;
  doctorNo: string;
  certType: string;
  validTo: string;
  daysLeft: number;
}

/** Tells the doctor, and those who look after doctors, that a certificate ends or has ended. */
export async function notifyCertEnd(ctx: Acting, kernel: JobContext['kernel'], cert: EndingCert, businessKey: string): Promise<void> {
  const when =
    cert.daysLeft < 0 ? `已于${cert.validTo}过期` : cert.daysLeft === 0 ? '今天到期' : `将于${cert.validTo}到期（剩余${cert.daysLeft}天）`;
  const label = certTypes.label(cert.certType);
  await textDoctor(kernel, ctx, cert.doctorId, `【康桥】您的${label}${when}，请及时提交新证件，以免影响接诊。`);
  await kernel.ports.notices.addAlert(
    ctx.tx,
    {
      businessKey,
      title: `医生${cert.name}（${cert.doctorNo}）的${label}${when}，请提醒更新`,
      link: `/doctorManagement?tab=certs&doctorId=${cert.doctorId}`,
      permission: doctorPermissions['qual.enter'].code,
    },
    ctx.now,
  );
}

/** R3, daily at 01:00: what ended yesterday, identity cards whose grace is over, reminders. */
export const certJob = job({
  name: 'doctor.expireCerts',
  label: '医生证件到期处理',
  cron: '0 1 * * *',
  expireSeconds: 3600,
  async run(_data, ctx) {
    const today = dayOf(ctx.now);
    const ended = await own(ctx.db)
      .selectFrom('doctorCert')
      .select(['id', 'doctorId', 'certType', 'hospitalId'])
      .where('state', '=', 'VALID')
      .where('validTo', '<', today)
      .orderBy('id')
      .execute();
    for (const cert of ended) {
      if (ctx.signal.aborted) return;
      await expire(ctx, cert);
    }
    const late = await own(ctx.db)
      .selectFrom('doctorCert as c')
      .innerJoin('doctorDoctor as d', 'd.id', 'c.doctorId')
      .select(['c.doctorId', 'c.certType', 'c.validTo'])
      .where('c.state', '=', 'EXPIRED')
      .where('d.qualState', '=', 'APPROVED')
      .orderBy('c.doctorId')
      .execute();
    for (const { doctorId, ...cert } of late) {
      if (ctx.signal.aborted) return;
      if (blocks(cert, today)) await ctx.transaction((writing) => endPractice(asSystem(writing, ctx), ctx.kernel, doctorId));
    }
    await remind(ctx);
  },
});
