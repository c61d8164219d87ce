import { lockKeys } from '#kernel/server/command/lockKeys.ts';
import { createdColumns, updatedColumns } from '#kernel/server/command/stampedColumns.ts';
import type { CheckedInputOf } from '#kernel/contract/call.ts';
import { refuse } from '#kernel/contract/errors.ts';
import { mask } from '#kernel/contract/masking.ts';
import { differencesOf } from '#kernel/server/command/differences.ts';
import { nextNumber } from '#kernel/server/command/numbers.ts';
import { moveState } from '#kernel/server/audit/transition.ts';
import type { CommandContext } from '#kernel/server/context.ts';
import { command } from '#kernel/server/handler.ts';
import type { Secrets } from '#kernel/server/sensitive/secrets.ts';
import { pinyinText } from '#kernel/server/text/pinyin.ts';
import { addPharmaCompany, modifyPharmaCompany } from '../../contract/calls/companies.ts';
import { companyLabels } from '../../contract/labels.ts';
import { pharmaErrors } from '../../contract/errors.ts';
import { companyMachine } from '../../contract/states.ts';
import { companyRecords } from '../access.ts';
import type { Attachments } from '../attachments.ts';
import { PHARMA_PAPER } from '../../contract/purposes.ts';
import { ownTx } from '../database.ts';
import { companyById } from './companyRows.ts';

type CompanyInput = CheckedInputOf<typeof addPharmaCompany>;

/** One spelling of a name: widths, brackets and blanks do not tell companies apart. */
export const normName = (name: string): string =>
  name
    .normalize('NFKC')
    .replaceAll(/[\s()（）·.]/g, '')
    .toUpperCase();

const orNull = (text: string | null | undefined): string | null => (text === undefined || text === null || text === '' ? null : text);

function columnsOf(input: CompanyInput) {
  const uscc = orNull(input.uscc);
  return {
    name: input.name,
    normName: normName(input.name),
    shortName: input.shortName,
    namePinyin: pinyinText(input.name),
    roles: [...new Set(input.roles)],
    uscc,
    country: input.country,
    logoFileId: input.logoFileId ?? null,
    contactName: orNull(input.contactName),
    contactEmail: orNull(input.contactEmail),
    address: orNull(input.address),
    pvName: orNull(input.pvContact?.name),
    pvEmail: orNull(input.pvContact?.email),
    pvPhone: orNull(input.pvContact?.phone),
    licenceFileIds: input.licenceFileIds,
    licenceValidTo: input.licenceValidTo ?? null,
  };
}

/** Left out keeps what is stored: a form that shows a masked number sends none. */
function mobileColumns(secrets: Secrets, mobile: string | null | undefined) {
  if (mobile === undefined) return {};
  const plain = orNull(mobile);
  return {
    contactMobileCipher: plain === null ? null : secrets.encrypt(plain),
    contactMobileMasked: plain === null ? null : mask('mobile', plain),
  };
}

async function requireUnknown(ctx: CommandContext, columns: ReturnType<typeof columnsOf>, exceptId: string | null): Promise<void> {
  await lockKeys(ctx.tx, 'pharma.company');
  let same = ownTx(ctx.tx)
    .selectFrom('pharmaCompany')
    .select('companyNo')
    .where((eb) => eb.or([eb('normName', '=', columns.normName), ...(columns.uscc === null ? [] : [eb('uscc', '=', columns.uscc)])]));
  if (exceptId !== null) same = same.where('id', '<>', exceptId);
  const found = await same.executeTakeFirst();
  if (found) throw refuse(pharmaErrors.COMPANY_EXISTS, { companyNo: found.companyNo });
}

const attachFiles = async (ctx: CommandContext, attachments: Attachments, id: string, input: CompanyInput) => {
  await attachments.keep(ctx, {
    ownerType: 'pharma.company',
    ownerId: id,
    field: 'logo',
    purpose: PHARMA_PAPER,
    fileIds: input.logoFileId ? [input.logoFileId] : [],
  });
  await attachments.keep(ctx, {
    ownerType: 'pharma.company',
    ownerId: id,
    field: 'licence',
    purpose: PHARMA_PAPER,
    fileIds: input.licenceFileIds,
  });
};

export const addCompany = (secrets: Secrets, attachments: Attachments) =>
  command(addPharmaCompany, async (input, ctx) => {
    const columns = columnsOf(input);
    await requireUnknown(ctx, columns, null);
    const companyNo = await nextNumber(ctx.tx, 'YQ', ctx.today);
    const { id } = await ownTx(ctx.tx)
      .insertInto('pharmaCompany')
      .values({ ...columns, ...mobileColumns(secrets, input.contactMobile), companyNo, state: 'ENABLED', ...createdColumns(ctx) })
      .returning('id')
      .executeTakeFirstOrThrow();
    await attachFiles(ctx, attachments, id, input);
    const added = (await companyById(ownTx(ctx.tx), id))!;
    ctx.target({ type: 'pharma.company', id, no: companyNo });
    ctx.changed(differencesOf({}, added, companyLabels));
    return added;
  });

export const modifyCompany = (secrets: Secrets, attachments: Attachments) =>
  command(modifyPharmaCompany, async ({ id, version, ...input }, ctx) => {
    const tx = ownTx(ctx.tx);
    const columns = columnsOf(input);
    await requireUnknown(ctx, columns, id);
    const stored = await companyRecords.lockVersion(ctx, id, version, async () => (await companyById(tx, id))!);
    const before = (await companyById(tx, id))!;
    await tx
      .updateTable('pharmaCompany')
      .set((eb) => ({ ...columns, ...mobileColumns(secrets, input.contactMobile), version: eb('version', '+', 1), ...updatedColumns(ctx) }))
      .where('id', '=', id)
      .execute();
    await attachFiles(ctx, attachments, id, input);
    const after = (await companyById(tx, id))!;
    await moveState(ctx, companyMachine, {
      targetType: 'pharma.company',
      targetId: id,
      targetNo: after.companyNo,
      action: 'modify',
      from: stored.state,
      differences: differencesOf(before, after, companyLabels),
    });
    return after;
  });
