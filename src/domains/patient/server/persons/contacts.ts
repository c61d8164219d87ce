import { refuse } from '#kernel/contract/errors.ts';
import { differencesOf } from '#kernel/server/command/differences.ts';
import type { CommandContext } from '#kernel/server/context.ts';
import { command, type Handler } from '#kernel/server/handler.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { addContactPerson, delContactPerson, modifyContactPerson } from '../../contract/calls/sufferer.ts';
import { contactRelations } from '../../contract/dictionaries.ts';
import { patientErrors } from '../../contract/errors.ts';
import { ageOn } from '../../contract/idNumber.ts';
import { refuseField } from '#kernel/contract/errors.ts';
import { unscoped } from '#kernel/server/auth/scope.ts';
import { recordOf } from '#kernel/server/record/recordOf.ts';
import { requireVersion } from '#kernel/server/record/requireVersion.ts';
import { createdColumns, updatedColumns } from '#kernel/server/command/stampedColumns.ts';
import { lockPatient, type Seen } from '../access.ts';
import { own, ownTx } from '../database.ts';
import { attachFiles } from '../files.ts';
import { idNoColumns, mobileColumns } from '../sensitive.ts';
import { requireMobile } from './check.ts';
import { TARGET } from './save.ts';

const MOST = 5;
const ADULT = 18;
const labels = { name: '联系人姓名', relation: '关系', mobileMasked: '联系人手机号', isGuardian: '监护人' };

/** A guardian of an adult must be shown by a paper. */
async function proofOf(ctx: CommandContext, seen: Seen, contact: { isGuardian: boolean; proofFileId: string | null }): Promise<void> {
  const adult = seen.birthDate === null || ageOn(seen.birthDate, ctx.today) >= ADULT;
  if (contact.isGuardian && adult && contact.proofFileId === null) throw refuseField('proofFileId', '请上传监护关系证明');
  if (contact.proofFileId !== null) await attachFiles(ctx, ctx.staff.userId, seen.id, 'contact', [contact.proofFileId]);
}

/** Who sees the patient sees his contacts: `lockPatient` asks. */
const contacts = recordOf((db) => own(db).selectFrom('patientContactPerson as c').selectAll('c')).with({
  noun: '联系人',
  type: 'patient.contactPerson',
  id: 'c.id',
  scope: unscoped,
});

async function lockContact(ctx: CommandContext, id: string) {
  const row = await contacts.lock(ctx.tx, ctx.staff, id);
  return { row, seen: await lockPatient(ctx.tx, ctx.staff, row.patientId, ctx.now) };
}

const columnsOf = (kernel: Kernel, mobile: string | undefined, idNo: string | null | undefined) => {
  const phone = mobile === undefined ? null : mobileColumns(kernel.secrets, mobile);
  const number = idNo === undefined ? null : idNoColumns(kernel.secrets, idNo);
  return {
    ...(phone ? { mobileCipher: phone.mobileCipher!, mobileMasked: phone.mobileMasked! } : {}),
    ...(number ? { idNoCipher: number.idNoCipher, idNoMasked: number.idNoMasked } : {}),
  };
};
const requirePhone = (mobile: string | undefined) => {
  if (mobile === '') throw refuseField('mobile', '请输入手机号');
  requireMobile(mobile);
};

export const contactHandlers = (kernel: Kernel): readonly Handler[] => [
  command(addContactPerson, async ({ patientId, mobile, idNo, ...fields }, ctx) => {
    const seen = await lockPatient(ctx.tx, ctx.staff, patientId, ctx.now);
    requirePhone(mobile);
    const { n } = await ownTx(ctx.tx)
      .selectFrom('patientContactPerson')
      .select((eb) => eb.fn.countAll<string>().as('n'))
      .where('patientId', 'in', seen.groupIds)
      .executeTakeFirstOrThrow();
    if (Number(n) >= MOST) throw refuse(patientErrors.CONTACT_LIMIT);
    await proofOf(ctx, seen, fields);
    const phone = mobileColumns(kernel.secrets, mobile);
    const number = idNoColumns(kernel.secrets, idNo);
    const row = await ownTx(ctx.tx)
      .insertInto('patientContactPerson')
      .values({
        ...fields,
        patientId: seen.id,
        mobileCipher: phone.mobileCipher!,
        mobileMasked: phone.mobileMasked!,
        idNoCipher: number.idNoCipher,
        idNoMasked: number.idNoMasked,
        ...createdColumns(ctx),
      })
      .returning(['id', 'version'])
      .executeTakeFirstOrThrow();
    ctx.target({ type: TARGET, id: seen.id, no: seen.patientNo });
    ctx.changed([
      { path: 'contact', label: '联系人', before: null, after: `${fields.name}（${contactRelations.label(fields.relation)}）` },
    ]);
    return row;
  }),
  command(modifyContactPerson, async ({ id, version, mobile, idNo, ...fields }, ctx) => {
    const { row, seen } = await lockContact(ctx, id);
    await requireVersion(ctx, contacts.type, row, version, () => ({
      name: row.name,
      relation: row.relation,
      mobileMasked: row.mobileMasked,
    }));
    requirePhone(mobile);
    await proofOf(ctx, seen, fields);
    const after = await ownTx(ctx.tx)
      .updateTable('patientContactPerson')
      .set((eb) => ({
        ...fields,
        ...columnsOf(kernel, mobile, idNo),
        version: eb('version', '+', 1),
        ...updatedColumns(ctx),
      }))
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow();
    ctx.target({ type: TARGET, id: seen.id, no: seen.patientNo });
    ctx.changed(differencesOf(row, after, labels));
    return { id, version: after.version };
  }),
  command(delContactPerson, async ({ id, version }, ctx) => {
    const { row, seen } = await lockContact(ctx, id);
    await requireVersion(ctx, contacts.type, row, version, () => ({ name: row.name }));
    await ownTx(ctx.tx).deleteFrom('patientContactPerson').where('id', '=', id).execute();
    ctx.target({ type: TARGET, id: seen.id, no: seen.patientNo });
    ctx.changed([{ path: 'contact', label: '联系人', before: row.name, after: null }]);
    return { id };
  }),
];
