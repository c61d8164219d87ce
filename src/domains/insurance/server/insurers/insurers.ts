import { sql } from 'kysely';
import * as z from 'zod/mini';
import type { CheckedInputOf } from '#kernel/contract/call.ts';
import { refuse, refuseField } from '#kernel/contract/errors.ts';
import { labelsOf } from '#kernel/contract/labels.ts';
import { mask } from '#kernel/contract/masking.ts';
import { isUscc } from '#kernel/contract/uscc.ts';
import { lockKeys } from '#kernel/server/command/lockKeys.ts';
import { actionAnswer } from '#kernel/server/audit/actionAnswer.ts';
import { moveState } from '#kernel/server/audit/transition.ts';
import { differencesOf } from '#kernel/server/command/differences.ts';
import type { CommandContext } from '#kernel/server/context.ts';
import { json } from '#kernel/server/database/json.ts';
import { containsText } from '#kernel/server/database/search.ts';
import { command } from '#kernel/server/handler.ts';
import { contains } from '#kernel/server/list/conditions.ts';
import { listExport } from '#kernel/server/list/listExport.ts';
import { listOf } from '#kernel/server/list/listOf.ts';
import { recordOf } from '#kernel/server/record/recordOf.ts';
import type { Secrets } from '#kernel/server/sensitive/secrets.ts';
import { pinyinText } from '#kernel/server/text/pinyin.ts';
import { insurerChanged } from '#events/insurance.ts';
import { insuranceErrors } from '../../contract/errors.ts';
import {
  addInsurer,
  delInsurer,
  exportInsurerList,
  insurerFacts,
  modifyInsurer,
  queryInsurerList,
  revealInsurerMobile,
  setInsurerStatus,
  type InsurerRow,
} from '../../contract/insurers/calls.ts';
import { contactRoles, insurerStates, type InsurerState } from '../../contract/insurers/dictionaries.ts';
import { createdColumns, updatedColumns } from '#kernel/server/command/stampedColumns.ts';
import { insurerScope } from '../access.ts';
import { own, ownTx } from '../database.ts';

const TYPE = 'insurance.insurer';
const insurerRecords = recordOf((db) => own(db).selectFrom('insuranceInsurer as i').selectAll('i')).with({
  noun: '保司',
  type: TYPE,
  id: 'i.id',
  scope: insurerScope('i.id'),
});
type Stored = Awaited<ReturnType<typeof insurerRecords.get>>;

/** Contacts as they lie: the number itself is a cipher. */
const storedContacts = z.array(
  z.object({ name: z.string(), role: contactRoles.schema, mobileCipher: z.nullable(z.string()), mobileMasked: z.string() }),
);
const contactsOf = (row: Pick<Stored, 'contacts'>) => z.parse(storedContacts, row.contacts);

export const insurerList = listOf(queryInsurerList)
  .from(({ db, staff }) => insurerRecords.seen(db, staff))
  .with({
    where: {
      insurerName: (_eb, name) => containsText(sql`i.insurer_name || ' ' || i.short_name || ' ' || i.name_pinyin`, name),
      insurerCode: contains('i.insurerCode'),
      insurerType: 'i.insurerType',
      status: 'i.status',
    },
    id: 'i.id',
    last: { of: 'i.status', groups: [['DISABLED']] },
    sorts: {
      insurerCode: 'i.insurerCode',
      secondReviewFen: 'i.secondReviewFen',
      productCount: sql.ref('productCount'),
      updatedAt: 'i.updatedAt',
    },
    bounded: 'insurers are some dozens',
    select: (rows) =>
      rows.selectAll('i').select(sql<number>`(select count(*)::int from insurance_product p where p.insurer_id = i.id)`.as('productCount')),
    present: (rows, { has }) => rows.map((row) => present(row, row.productCount, has)),
  });
export const insurerExport = listExport(insurerList, {
  call: exportInsurerList,
  title: '保司',
  routeKey: 'productHome',
  columns: [
    'insurerCode',
    'insurerName',
    'shortName',
    'insurerType',
    'uscc',
    'licenceNo',
    'auditMode',
    'secondReviewFen',
    'fundMode',
    'invoiceVariant',
    'productCount',
    'status',
    'updatedAt',
  ],
});

const present = (row: Stored, productCount: number, has: (permission: string) => boolean): InsurerRow => ({
  id: row.id,
  insurerCode: row.insurerCode,
  insurerName: row.insurerName,
  shortName: row.shortName,
  insurerType: row.insurerType,
  uscc: row.uscc,
  licenceNo: row.licenceNo,
  contacts: contactsOf(row).map(({ name, role, mobileMasked }) => ({ name, role, mobile: mobileMasked })),
  auditMode: row.auditMode,
  secondReviewFen: row.secondReviewFen === null ? null : Number(row.secondReviewFen),
  fundMode: row.fundMode,
  invoiceVariant: row.invoiceVariant,
  productCount,
  status: row.status,
  updatedAt: row.updatedAt,
  version: row.version,
  allowedActions: insurerStates.allowed(row.status, has),
});

type Facts = CheckedInputOf<typeof addInsurer>;

/** What one field's schema cannot hold; answers the columns. */
async function columnsOf(ctx: CommandContext, secrets: Secrets, facts: Facts, stored: Stored | null) {
  if (!isUscc(facts.uscc)) throw refuseField('uscc', '统一社会信用代码校验位不正确');
  if (facts.auditMode === 'PLATFORM_THEN_INSURER' && facts.secondReviewFen === null)
    throw refuseField('secondReviewFen', '请填写保司复审的起点金额');
  await lockKeys(ctx.tx, 'insurance.insurer');
  const same = await ownTx(ctx.tx)
    .selectFrom('insuranceInsurer')
    .select(['id', 'insurerCode'])
    .where((eb) => eb.or([eb('insurerCode', '=', facts.insurerCode), eb('uscc', '=', facts.uscc)]))
    .execute();
  const others = same.filter(({ id }) => id !== stored?.id);
  if (others.some(({ insurerCode }) => insurerCode === facts.insurerCode)) throw refuse(insuranceErrors.INSURER_CODE_EXISTS);
  if (others.length > 0) throw refuseField('uscc', '该统一社会信用代码已登记');
  const known = stored ? contactsOf(stored) : [];
  const contacts = facts.contacts.map(({ name, role, mobile }, index) => {
    if (mobile === '') return { name, role, mobileCipher: null, mobileMasked: '' };
    if (!mobile.includes('*')) return { name, role, mobileCipher: secrets.encrypt(mobile), mobileMasked: mask('mobile', mobile) };
    // The same number: by its place, or where rows were moved.
    const kept = known[index]?.mobileMasked === mobile ? known[index] : known.find(({ mobileMasked }) => mobileMasked === mobile);
    if (!kept) throw refuseField(`contacts.${index}.mobile`, '请输入完整的手机号');
    return { name, role, mobileCipher: kept.mobileCipher, mobileMasked: kept.mobileMasked };
  });
  return {
    ...facts,
    namePinyin: pinyinText(facts.insurerName),
    contacts: json(contacts),
    secondReviewFen: facts.auditMode === 'PLATFORM_THEN_INSURER' ? String(facts.secondReviewFen) : null,
  };
}

const changedPayload = (
  facts: Pick<Facts, 'insurerName' | 'uscc' | 'invoiceVariant' | 'fundMode'>,
  insurerId: string,
  status: InsurerState,
) => ({
  insurerId,
  insurerName: facts.insurerName,
  uscc: facts.uscc,
  invoiceVariant: facts.invoiceVariant,
  fundMode: facts.fundMode,
  status,
});

/** For the trail: without numbers of contacts. */
const trailFacts = (
  facts: Omit<Facts, 'contacts'> & { contacts: readonly { name: string; role: (typeof contactRoles.codes)[number] }[] },
) => ({
  ...facts,
  contacts: facts.contacts.map(({ name, role }) => `${name}（${contactRoles.label(role)}）`).join('、'),
});
const labels = labelsOf(insurerFacts.shape);

export const add = (secrets: Secrets) =>
  command(addInsurer, async (facts, ctx) => {
    const columns = await columnsOf(ctx, secrets, facts, null);
    const { id } = await ownTx(ctx.tx)
      .insertInto('insuranceInsurer')
      .values({ ...columns, status: 'ENABLED', ...createdColumns(ctx) })
      .returning('id')
      .executeTakeFirstOrThrow();
    ctx.target({ type: TYPE, id, no: facts.insurerCode });
    ctx.changed(differencesOf({}, trailFacts(facts), labels));
    await ctx.publish(insurerChanged, id, changedPayload(facts, id, 'ENABLED'));
    return actionAnswer(ctx, insurerStates, { id, state: 'ENABLED', version: 1 });
  });

export const modify = (secrets: Secrets) =>
  command(modifyInsurer, async ({ id, version, ...facts }, ctx) => {
    const stored = await insurerRecords.lockVersion(ctx, id, version, (row) => present(row, 0, (code) => ctx.has(code)));
    const columns = await columnsOf(ctx, secrets, facts, stored);
    await ownTx(ctx.tx)
      .updateTable('insuranceInsurer')
      .set({ ...columns, version: version + 1, ...updatedColumns(ctx) })
      .where('id', '=', id)
      .execute();
    const before = { ...stored, contacts: contactsOf(stored), secondReviewFen: stored.secondReviewFen && Number(stored.secondReviewFen) };
    await moveState(ctx, insurerStates, {
      targetType: TYPE,
      targetId: id,
      targetNo: facts.insurerCode,
      action: 'modify',
      from: stored.status,
      differences: differencesOf(
        { ...before, contacts: trailFacts({ ...facts, contacts: before.contacts }).contacts },
        trailFacts(facts),
        labels,
      ),
    });
    await ctx.publish(insurerChanged, id, changedPayload(facts, id, stored.status));
    return actionAnswer(ctx, insurerStates, { id, state: stored.status, version: version + 1 });
  });

export const remove = command(delInsurer, async ({ id, version }, ctx) => {
  const stored = await insurerRecords.lockVersion(ctx, id, version);
  const tx = ownTx(ctx.tx);
  const used = await Promise.all([
    tx.selectFrom('insuranceProduct').select('id').where('insurerId', '=', id).limit(1).executeTakeFirst(),
    tx.selectFrom('insuranceFormulary').select('id').where('insurerId', '=', id).limit(1).executeTakeFirst(),
  ]);
  if (used[0]) throw refuseField('id', '该保司下有产品，不能删除');
  if (used[1]) throw refuseField('id', '该保司下有药品目录，不能删除');
  await tx.deleteFrom('insuranceInsurer').where('id', '=', id).execute();
  ctx.target({ type: TYPE, id, no: stored.insurerCode });
  ctx.changed([{ path: 'insurerName', label: '保司名称', before: stored.insurerName, after: null }]);
  return {};
});

export const setStatus = command(setInsurerStatus, async ({ id, version, action, opinion }, ctx) => {
  const stored = await insurerRecords.lockVersion(ctx, id, version);
  const tx = ownTx(ctx.tx);
  if (action === 'disable') {
    const onSale = await tx
      .selectFrom('insuranceProduct')
      .select('id')
      .where('insurerId', '=', id)
      .where('status', '=', 'ON_SALE')
      .limit(1)
      .executeTakeFirst();
    if (onSale) throw refuse(insuranceErrors.INSURER_ON_SALE);
  }
  const status = await moveState(ctx, insurerStates, {
    targetType: TYPE,
    targetId: id,
    targetNo: stored.insurerCode,
    action,
    from: stored.status,
    opinion,
  });
  await tx
    .updateTable('insuranceInsurer')
    .set({ status, version: version + 1, ...updatedColumns(ctx) })
    .where('id', '=', id)
    .execute();
  await ctx.publish(insurerChanged, id, changedPayload(stored, id, status));
  return actionAnswer(ctx, insurerStates, { id, state: status, version: version + 1 });
});

export const reveal = (secrets: Secrets) =>
  command(revealInsurerMobile, async ({ id, index }, ctx) => {
    const stored = await insurerRecords.get(ctx.tx, ctx.staff, id);
    ctx.target({ type: TYPE, id, no: stored.insurerCode });
    const cipher = contactsOf(stored)[index]?.mobileCipher ?? null;
    return { value: cipher === null ? null : secrets.decrypt(cipher) };
  });
