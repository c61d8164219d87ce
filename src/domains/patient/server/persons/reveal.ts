import { refuse, refuseField } from '#kernel/contract/errors.ts';
import { hours, plusMs } from '#kernel/contract/time.ts';
import { limitRate } from '#kernel/server/command/rateLimit.ts';
import { command, type Handler } from '#kernel/server/handler.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { breakGlass, revealPatientField } from '../../contract/calls/sufferer.ts';
import { revealFields, type RevealField } from '../../contract/dictionaries.ts';
import { patientErrors } from '../../contract/errors.ts';
import { patientPermissions } from '../../contract/permissions.ts';
import { everyone, noteAccess, openPatient } from '../access.ts';
import { ownTx } from '../database.ts';
import { plain } from '../sensitive.ts';
import { TARGET } from './save.ts';

const REVEALS_AN_HOUR = { max: 30, seconds: 3600 };
/** The page hides a plain value again after so many seconds. */
const SHOWN_SECONDS = 60;
const GLASS_HOURS = 2;
const LEAST_REASON = 10;

export const revealHandlers = (kernel: Kernel): readonly Handler[] => [
  command(revealPatientField, async ({ patientId, fields, contactId, reason }, ctx) => {
    const seen = await openPatient(ctx.tx, ctx.staff, patientId, ctx.now);
    await limitRate(ctx.tx, `patient.reveal:${ctx.staff.userId}`, REVEALS_AN_HOUR, ctx.now);
    const ofContact = fields.some((field) => field === 'contactMobile' || field === 'contactIdNo');
    if (ofContact && !contactId) throw refuseField('contactId', '请选择联系人');
    const contact = contactId
      ? await ownTx(ctx.tx)
          .selectFrom('patientContactPerson')
          .select(['mobileCipher', 'idNoCipher'])
          .where('id', '=', contactId)
          .where('patientId', 'in', seen.groupIds)
          .executeTakeFirst()
      : undefined;
    if (ofContact && !contact) throw refuseField('contactId', '联系人不存在');
    const ciphers: Record<RevealField, string | null> = {
      mobile: seen.mobileCipher,
      idNo: seen.idNoCipher,
      address: seen.addressCipher,
      contactMobile: contact?.mobileCipher ?? null,
      contactIdNo: contact?.idNoCipher ?? null,
    };
    await noteAccess(ctx.tx, ctx, {
      patientId: seen.id,
      kind: 'REVEAL',
      fields: fields.map((field) => revealFields.label(field)),
      reason: reason ?? null,
    });
    ctx.target({ type: TARGET, id: seen.id, no: seen.patientNo });
    return { values: fields.map((field) => ({ field, value: plain(kernel.secrets, ciphers[field]) })), seconds: SHOWN_SECONDS };
  }),
  command(breakGlass, async ({ patientId, reason }, ctx) => {
    if ([...reason].length < LEAST_REASON)
      throw refuse(patientErrors.GLASS_REASON, { fields: [{ path: 'reason', message: patientErrors.GLASS_REASON.text }] });
    const seen = await openPatient(ctx.tx, everyone, patientId, ctx.now);
    const until = plusMs(ctx.now, hours(GLASS_HOURS));
    const { id } = await ownTx(ctx.tx)
      .insertInto('patientBreakGlass')
      .values({ patientId: seen.id, userId: ctx.staff.userId, reason, at: ctx.now, until })
      .returning('id')
      .executeTakeFirstOrThrow();
    await noteAccess(ctx.tx, ctx, { patientId: seen.id, kind: 'BREAK_GLASS', fields: ['档案'], reason });
    await kernel.ports.notices.addAlert(
      ctx.tx,
      {
        businessKey: `patient.breakGlass:${id}`,
        title: `紧急查看档案：${ctx.staff.displayName} 查看 ${seen.patientNo}`,
        body: reason,
        permission: patientPermissions['access.view'].code,
      },
      ctx.now,
    );
    ctx.target({ type: TARGET, id: seen.id, no: seen.patientNo });
    return { patientId: seen.id, until };
  }),
];
