import { platformErrors, refuse, refuseField } from '../../../../kernel/contract/errors.ts';
import { mask } from '../../../../kernel/contract/masking.ts';
import { differencesOf } from '../../../../kernel/server/command/differences.ts';
import { nextNumber } from '../../../../kernel/server/command/numbers.ts';
import { command, type Handler } from '../../../../kernel/server/handler.ts';
import type { Kernel } from '../../../../kernel/server/kernel.ts';
import type { Tx } from '../../../../kernel/server/context.ts';
import { createdColumns, updatedColumns } from '../../../../kernel/server/command/stampedColumns.ts';
import { addChain, modifyChain } from '../../contract/licenceCalls.ts';
import { revealContact } from '../../contract/storeCalls.ts';
import { applyRecords, chainRecords, storeRecords } from '../access.ts';
import { lockKeys, ownTx } from '../database.ts';
import { plainAccount, sameAccount, storeAccount, storedAccount, type StoredAccount } from './account.ts';
import { fileChange } from './changes.ts';
import { chainList } from './chainList.ts';
import { requireChainPayee } from './guards.ts';

const labels = { name: '连锁名称', brand: '品牌', uscc: '统一社会信用代码', contactName: '联系人', state: '状态' };

async function requireFreeCode(tx: Tx, uscc: string, selfId: string | null): Promise<void> {
  await lockKeys(tx, [`chain:${uscc}`]);
  const there = await ownTx(tx)
    .selectFrom('institutionChain')
    .select('chainNo')
    .where('uscc', '=', uscc)
    .where('id', 'is distinct from', selfId)
    .executeTakeFirst();
  if (there) throw refuseField('uscc', `统一社会信用代码已被连锁${there.chainNo}使用`);
}

export const chainHandlers = (kernel: Kernel): readonly Handler[] => [
  chainList(kernel.secrets).handler,
  command(addChain, async ({ contactMobile, account, ...facts }, ctx) => {
    await requireFreeCode(ctx.tx, facts.uscc, null);
    const row = await ownTx(ctx.tx)
      .insertInto('institutionChain')
      .values({
        ...facts,
        chainNo: await nextNumber(ctx.tx, 'LS', ctx.today),
        contactMobileCipher: contactMobile ? kernel.secrets.encrypt(contactMobile) : null,
        ...createdColumns(ctx),
      })
      .returning(['id', 'chainNo', 'name', 'state', 'version'])
      .executeTakeFirstOrThrow();
    ctx.target({ type: 'institution.chain', id: row.id, no: row.chainNo });
    ctx.changed([{ path: 'name', label: labels.name, before: null, after: row.name }]);
    const change = account
      ? await fileChange(
          ctx,
          kernel,
          { type: 'CHAIN', id: row.id, name: row.name },
          { before: { account: null }, after: { account: storeAccount(kernel.secrets, account) }, reason: '新增连锁总部', fileIds: [] },
        )
      : null;
    return { id: row.id, state: row.state, version: row.version, allowedActions: [], changeNo: change?.changeNo ?? null };
  }),
  command(modifyChain, async ({ id, version, contactMobile, account, ...facts }, ctx) => {
    const tx = ownTx(ctx.tx);
    const before = await chainRecords.lockVersion(ctx, id, version, () => facts);
    await requireFreeCode(ctx.tx, facts.uscc, id);
    const row = await tx
      .updateTable('institutionChain')
      .set((eb) => ({
        ...facts,
        ...(contactMobile === undefined
          ? {}
          : { contactMobileCipher: contactMobile === null ? null : kernel.secrets.encrypt(contactMobile) }),
        version: eb('version', '+', 1),
        ...updatedColumns(ctx),
      }))
      .where('id', '=', id)
      .returning(['id', 'chainNo', 'name', 'state', 'version'])
      .executeTakeFirstOrThrow();
    ctx.target({ type: 'institution.chain', id, no: row.chainNo });
    ctx.changed(differencesOf(before, facts, labels));
    const changed = account !== undefined && !sameAccount(kernel.secrets, before.account, account);
    if (changed) await requireChainPayee(ctx.tx, id, account);
    const change = changed
      ? await fileChange(
          ctx,
          kernel,
          { type: 'CHAIN', id, name: row.name },
          {
            before: { account: storedAccount(before.account) },
            after: { account: storeAccount(kernel.secrets, account) },
            reason: '变更收款账户',
            fileIds: [],
          },
        )
      : null;
    return { id, state: row.state, version: row.version, allowedActions: [], changeNo: change?.changeNo ?? null };
  }),
  command(revealContact, async ({ ownerType, ownerId, field }, ctx) => {
    let cipher: string | null = null;
    let account: StoredAccount | null = null;
    if (ownerType === 'APPLY') cipher = (await applyRecords.lock(ctx.tx, ctx.staff, ownerId)).applicantMobileCipher;
    else if (ownerType === 'DRUGSTORE') {
      const store = await storeRecords.get(ctx.tx, ctx.staff, ownerId);
      cipher = store.managerMobileCipher;
      account = storedAccount(store.account);
      if (store.accountOf === 'CHAIN')
        account = storedAccount(
          (await ownTx(ctx.tx).selectFrom('institutionChain').select('account').where('id', '=', store.chainId).executeTakeFirst())
            ?.account,
        );
    } else {
      const chain = await ownTx(ctx.tx)
        .selectFrom('institutionChain')
        .select(['contactMobileCipher', 'account'])
        .where('id', '=', ownerId)
        .executeTakeFirst();
      if (!chain) throw refuse(platformErrors.NOT_FOUND);
      cipher = chain.contactMobileCipher;
      account = storedAccount(chain.account);
    }
    const value =
      field === 'MOBILE'
        ? cipher === null
          ? null
          : kernel.secrets.decrypt(cipher)
        : account === null
          ? null
          : plainAccount(kernel.secrets, account).accountNo;
    if (value === null) throw refuse(platformErrors.NOT_FOUND);
    ctx.target({
      type: `institution.${ownerType.toLowerCase()}`,
      id: ownerId,
      no: mask(field === 'MOBILE' ? 'mobile' : 'bankCard', value),
    });
    return { value };
  }),
];
