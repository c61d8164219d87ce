import { actionAnswer } from '#kernel/server/audit/actionAnswer.ts';
import { updatedColumns } from '#kernel/server/command/stampedColumns.ts';
import { platformErrors, refuse } from '#kernel/contract/errors.ts';
import { moveState, trailOf } from '#kernel/server/audit/transition.ts';
import { command, query } from '#kernel/server/handler.ts';
import type { Secrets } from '#kernel/server/sensitive/secrets.ts';
import {
  changePharmaCompanyState,
  delPharmaCompany,
  queryPharmaCompanyDetail,
  revealPharmaCompanyMobile,
} from '../../contract/calls/companies.ts';
import { pharmaErrors } from '../../contract/errors.ts';
import { companyMachine } from '../../contract/states.ts';
import { companyRecords } from '../access.ts';
import { own, ownTx } from '../database.ts';
import { companyById } from './companyRows.ts';

export const changeCompanyState = command(changePharmaCompanyState, async ({ id, version, action, opinion }, ctx) => {
  const tx = ownTx(ctx.tx);
  const stored = await companyRecords.lockVersion(ctx, id, version, async () => (await companyById(tx, id))!);
  if (action === 'disable') {
    const active = await tx
      .selectFrom('pharmaProductLine')
      .select('id')
      .where('companyId', '=', id)
      .where('state', '=', 'ACTIVE')
      .execute();
    if (active.length > 0) throw refuse(pharmaErrors.ACTIVE_LINES, { n: active.length });
  }
  const state = await moveState(ctx, companyMachine, {
    targetType: 'pharma.company',
    targetId: id,
    targetNo: stored.companyNo,
    action,
    from: stored.state,
    opinion,
  });
  await tx
    .updateTable('pharmaCompany')
    .set({ state, version: version + 1, ...updatedColumns(ctx) })
    .where('id', '=', id)
    .execute();
  return actionAnswer(ctx, companyMachine, { id, state, version: version + 1 });
});

export const removeCompany = command(delPharmaCompany, async ({ id, version }, ctx) => {
  const tx = ownTx(ctx.tx);
  const stored = await companyRecords.lockVersion(ctx, id, version, async () => (await companyById(tx, id))!);
  const current = (await companyById(tx, id))!;
  const agent = await tx.selectFrom('pharmaAgent').select('id').where('companyId', '=', id).limit(1).executeTakeFirst();
  if (current.lineCount > 0 || current.medicineCount > 0 || agent) throw refuse(pharmaErrors.COMPANY_IN_USE);
  await tx.deleteFrom('pharmaCompany').where('id', '=', id).execute();
  ctx.target({ type: 'pharma.company', id, no: stored.companyNo });
  ctx.changed([{ path: 'name', label: '药企名称', before: stored.name, after: null }]);
  return {};
});

export const companyDetail = query(queryPharmaCompanyDetail, async ({ companyId }, ctx) => {
  const db = own(ctx.db);
  const company = await companyById(db, companyId);
  if (!company) throw refuse(platformErrors.NOT_FOUND);
  const [lines, medicines, agents, timeline] = await Promise.all([
    db
      .selectFrom('pharmaProductLine')
      .select(['id', 'lineNo', 'name', 'startDate', 'endDate', 'state'])
      .where('companyId', '=', companyId)
      .orderBy('id')
      .execute(),
    db
      .selectFrom('pharmaMedicine')
      .select(['id', 'medicineNo', 'genericName', 'strength', 'approvalNo', 'state'])
      .where((eb) => eb.or([eb('holderId', '=', companyId), eb('makerId', '=', companyId), eb('importerId', '=', companyId)]))
      .orderBy('id')
      .limit(500)
      .execute(),
    db
      .selectFrom('pharmaAgent')
      .select(['id', 'agentNo', 'name', 'rank', 'state'])
      .where('companyId', '=', companyId)
      .orderBy('id')
      .limit(500)
      .execute(),
    trailOf(ctx.db, 'pharma.company', companyId),
  ]);
  return { company, lines, medicines, agents, timeline };
});

export const revealCompanyMobile = (secrets: Secrets) =>
  command(revealPharmaCompanyMobile, async ({ id }, ctx) => {
    const stored = await ownTx(ctx.tx)
      .selectFrom('pharmaCompany')
      .select(['companyNo', 'contactMobileCipher'])
      .where('id', '=', id)
      .executeTakeFirst();
    if (!stored) throw refuse(platformErrors.NOT_FOUND);
    ctx.target({ type: 'pharma.company', id, no: stored.companyNo });
    return { value: stored.contactMobileCipher === null ? null : secrets.decrypt(stored.contactMobileCipher) };
  });
